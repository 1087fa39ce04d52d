"""Runs the programs of `random_cpp.py` in several engines, each a process of its own with many programs one after
another, and compares what they write.

A process that ends is a crash of the program that it ran. `python random_cpp_run.py` is such a process: it reads a line
of JSON for each thing to do, and answers with one.
"""

from __future__ import annotations

import hashlib
import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import IO, Any

import random_cpp
from random_cpp_prelude import COLUMNS, INPUTS, OPERATIONS, OWN
from random_cpp_tree import Program

ENGINES = {
    "interpreter": {"CUOX_DEVICE": "soft", "CUOX_SOFT_ENGINE": "interpreter"},
    "jit-narrow": {"CUOX_DEVICE": "soft", "CUOX_SOFT_ENGINE": "jit-narrow"},
    "jit": {"CUOX_DEVICE": "soft", "CUOX_SOFT_ENGINE": "jit"},
    "llvm": {"CUOX_DEVICE": "soft", "CUOX_SOFT_ENGINE": "llvm"},
    "gpu": {"CUOX_DEVICE": "gpu"},
}
SOFT = ["interpreter", "jit-narrow", "jit"]
# Options of NVRTC under which a program has the same results, by name.
VARIANTS: dict[str, dict[str, Any]] = {
    "optimized": {"arch": "compute_90"},
    "debug": {"arch": "compute_90", "debug": True},
    "older": {"arch": "compute_80"},
    "newer": {"arch": "compute_90a", "lineinfo": True, "extra_device_vectorization": True},
}
COMMON = {"fma": False, "device_int128": True, "std": "c++17", "disable_warnings": True}
SECONDS = 120.0
# The place of the array that kernels only read.
INPUT = 4
# Words of 64 bits of the sums over the grid.
SUMS = len(OPERATIONS) * 5 // 2


class Failure(Exception):
    """What is wrong with a program, other than a difference."""


class Worker:
    """A process that compiles and runs programs in an engine."""

    def __init__(self, engine: str) -> None:
        self.engine = engine
        self.process: subprocess.Popen[str] | None = None
        # What the process writes to standard error: a pipe would be full at some time.
        self.said: IO[bytes] = tempfile.TemporaryFile()

    def ask(self, **question: object) -> Any:
        process = self.process or self.start()
        assert process.stdin and process.stdout
        try:
            process.stdin.write(json.dumps(question) + "\n")
            process.stdin.flush()
            if not select.select([process.stdout], [], [], SECONDS)[0]:
                raise Failure(f"{self.engine}: not done after {SECONDS:.0f} s")
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        except Failure:
            self.close()
            raise
        if not line:
            status = process.wait()
            self.said.seek(0)
            said = self.said.read().decode(errors="replace").strip()[-2000:]
            self.close()
            raise Failure(f"{self.engine}: ended with status {status}: {said}")
        answer = json.loads(line)
        if "error" in answer:
            # A fault stays in the context.
            self.close()
            raise Failure(f"{self.engine}: {answer['error']}")
        return answer["value"]

    def start(self) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        environment = {"CUOX_SOFT_THREADS": "1", "CUOX_CACHE": "0", **os.environ, **ENGINES[self.engine]}
        command = [sys.executable, __file__]
        self.said.seek(0)
        self.said.truncate()
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=self.said, text=True, env=environment)
        return self.process

    def close(self) -> None:
        if self.process:
            self.process.kill()
            self.process.communicate()
            self.process = None


@dataclass
class Found:
    """What is wrong with a program."""

    seed: int
    # Where: options of the compiler and an engine; two such that differ, or one that fails.
    pairs: list[tuple[str, str]]
    text: str


class Team:
    """A worker for each engine."""

    def __init__(self, engines: Sequence[str], variants: Sequence[str]) -> None:
        self.workers = {engine: Worker(engine) for engine in engines}
        self.variants = list(variants)
        # PTX, by source and options.
        self.kept: dict[tuple[str, str], str] = {}

    def close(self) -> None:
        for worker in self.workers.values():
            worker.close()

    def check(self, program: Program, recorded: str | None = None) -> tuple[str, Found | None]:
        """Run a program everywhere: the hash of its results, and what is wrong."""
        first: tuple[str, str] | None = None
        expected = recorded
        for variant in self.variants:
            for engine in self.workers:
                pairs = [(variant, engine)]
                try:
                    hashed = self.result(program, variant, engine)
                except Failure as failure:
                    return "", Found(program.seed, pairs, str(failure))
                if expected is None:
                    first, expected = pairs[0], hashed
                elif hashed != expected:
                    if first is None:
                        return hashed, Found(program.seed, pairs, "other results than were recorded")
                    pairs.insert(0, first)
                    return hashed, Found(program.seed, pairs, self.differ(program, pairs) or "changes from run to run")
        self.kept.clear()
        return expected or "", None

    def result(self, program: Program, variant: str, engine: str, whole: bool = False) -> Any:
        """What a program writes: a hash of it, or all words."""
        source = program.text()
        if (source, variant) not in self.kept:
            self.kept = {key: text for key, text in self.kept.items() if key[0] == source}
            compiler = next(iter(self.workers.values()))
            self.kept[source, variant] = compiler.ask(source=source, options={**COMMON, **VARIANTS[variant]})
        return self.workers[engine].ask(ptx=self.kept[source, variant], whole=whole, **launch(program))

    def differ(self, program: Program, pairs: list[tuple[str, str]]) -> str | None:
        """Say where the results of two pairs first differ, or how one fails; None if nothing is wrong, or something
        else.
        """
        values = []
        for variant, engine in pairs:
            try:
                words = self.result(program, variant, engine, whole=True)
            except Failure as failure:
                return str(failure) if len(pairs) == 1 and "CompileError" not in str(failure) else None
            values.append([int(word, 16) for word in words])
        if len(pairs) == 1 or values[0] == values[1]:
            return None
        count = sum(one != other for one, other in zip(*values, strict=True))
        place = next(place for place, (one, other) in enumerate(zip(*values, strict=True)) if one != other)
        ways = (f"{value[place]:#x} ({', '.join(pair)})" for value, pair in zip(values, pairs, strict=True))
        return f"{name_of(program, place)}: {', '.join(ways)}; {count} words differ"


def name_of(program: Program, place: int) -> str:
    """What a word of the results is."""
    width = len(program.results)
    for number, (grid, block) in enumerate(program.shapes):
        size = prod(block)
        threads = prod(grid) * size
        for name, words in (("", width), ("own", OWN), ("own_words", random_cpp.OWN_WORDS // 2)):
            if place < threads * words:
                what = f"{name}[{place % words}]" if name else program.results[place % words]
                thread = place // words
                return f"{what} of thread {thread % size} of block {thread // size}, launch {number}"
            place -= threads * words
        for name, words in (("columns", threads * COLUMNS // 8), ("sums", SUMS)):
            if place < words:
                return f"{name}[{place}], launch {number}"
            place -= words
    return "nothing"


def launch(program: Program) -> dict[str, Any]:
    return {"seed": program.seed, "shapes": program.shapes, "width": len(program.results)}


def variants_of(seed: int) -> list[str]:
    """The options that a program is compiled with: the common ones always, others now and then."""
    return [
        "optimized",
        *(["debug"] if seed % 2 else []),
        *(["older"] if seed % 8 == 2 else []),
        *(["newer"] if seed % 8 == 6 else []),
    ]


def run(
    seeds: Sequence[int], engines: Sequence[str] = SOFT, recorded: Mapping[int, str] | None = None
) -> Iterator[tuple[int, str, Found | None]]:
    """Run the programs of seeds: for each the hash of its results, and what is wrong."""
    team = Team(engines, [])
    try:
        for seed in seeds:
            team.variants = variants_of(seed)
            yield (seed, *team.check(random_cpp.program(seed), (recorded or {}).get(seed)))
    finally:
        team.close()


# The process of an engine


def inputs(seed: int) -> Any:
    """The words that the kernel of a seed reads: random ones, small ones and floats."""
    import numpy as np

    rng = np.random.RandomState(seed)
    words = rng.randint(0, 2**32, (INPUTS, 2), np.uint64)
    words = words[:, 0] << np.uint64(32) | words[:, 1]
    kinds = rng.randint(0, 5, INPUTS)
    words[kinds == 0] %= np.uint64(50)
    words[kinds == 1] = (rng.randint(-4000, 4000, INPUTS) / 16.0).view(np.uint64)[kinds == 1]
    pairs = (rng.randint(-4000, 4000, INPUTS * 2) / 16.0).astype(np.float32).view(np.uint64)
    words[kinds == 2] = pairs[kinds == 2]
    return words


class Engine:
    """What a worker does."""

    def __init__(self) -> None:
        import cuox

        self.cuox = cuox
        self.device: Any = None

    def compile(self, source: str, options: dict[str, Any]) -> str:
        code = self.cuox.Program(source, options=self.cuox.ProgramOptions(**options)).compile("ptx")
        return bytes(code.code).rstrip(b"\0").decode()

    def run(self, ptx: str, seed: int, shapes: list[Any], width: int, whole: bool = False) -> Any:
        import numpy as np

        if self.device is None:
            self.device = self.cuox.Device()
            self.device.set_current()
            from cuox.cuda.bindings import driver

            # Functions that call themselves have large frames without optimization: a GPU's 1 KiB is too little.
            driver.cuCtxSetLimit(driver.CUlimit.CU_LIMIT_STACK_SIZE, 16 << 10)
            self.stream = self.device.create_stream()
        kernel = self.cuox.ObjectCode.from_ptx(ptx).get_kernel("kernel")
        words = np.concatenate([self.launch(kernel, seed, grid, block, width) for grid, block in shapes])
        if whole:
            return [f"{word:x}" for word in words.tolist()]
        return hashlib.sha256(words.tobytes()).hexdigest()[:16]

    def launch(self, kernel: Any, seed: int, grid: list[int], block: list[int], width: int) -> Any:
        """All that a launch writes."""
        import numpy as np

        threads = prod(grid) * prod(block)
        count = len(OPERATIONS)
        arrays = [
            np.zeros(threads * width, np.uint64),
            np.arange(threads * OWN, dtype=np.uint64) * np.uint64(0x9E37_79B9_7F4A_7C15),
            np.arange(threads * random_cpp.OWN_WORDS, dtype=np.uint32) * np.uint32(77),
            np.arange(threads * COLUMNS // 4, dtype=np.uint32) * np.uint32(0x9E37_79B9),
            inputs(seed),
            np.full(count, 0x5555_5555, np.uint32),
            np.full(count * 2, 0x5555_5555_5555_5555, np.uint64),
        ]
        buffers = []
        for array in arrays:
            buffer = self.device.allocate(array.nbytes, stream=self.stream)
            buffer.copy_from_host(array, stream=self.stream)
            buffers.append(buffer)
        wide = seed * 0x1234_5678_9ABC_DEF1 % 2**64
        values = (np.uint32(seed * 7 % 23), np.uint64(wide), np.float32(seed % 100 - 40.25))
        kernel[tuple(grid), tuple(block), self.stream](*buffers, *values)
        for place, (array, buffer) in enumerate(zip(arrays, buffers, strict=True)):
            if place != INPUT:
                buffer.copy_to_host(array, stream=self.stream)
        self.stream.sync()
        for buffer in buffers:
            buffer.close()
        return np.concatenate([array.view(np.uint64) for place, array in enumerate(arrays) if place != INPUT])


def serve() -> None:
    """Do what standard input says."""
    engine = Engine()
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        question = json.loads(line)
        try:
            answer = {"value": engine.compile(**question) if "source" in question else engine.run(**question)}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve()
