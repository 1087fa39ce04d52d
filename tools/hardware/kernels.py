"""Runs random kernels on a GPU: python kernels.py FOLDER OUT FIRST LAST (needs numpy and a GPU).

FOLDER is what `cargo run -p cuox-filetests --example kernels` writes; files may be packed by xz. Of seeds FIRST to LAST
- 1, OUT.txt gets the hashes, OUT.npz the hash of each result register and what the first threads have left there. A
kernel that ends with an error ends the run.
"""

import ctypes
import lzma
import os
import re
import sys
import time

import device
import numpy

INPUTS, SHOWN = 12, 8


def text(folder, name):
    path = os.path.join(folder, name)
    if os.path.exists(path + ".xz"):
        return lzma.open(path + ".xz", "rt").read()
    return open(path).read()


def taken(pool, seed, count):
    return pool[(seed * 4099 + numpy.arange(count)) % len(pool)]


def run(line, image, pool):
    seed, x, y, z, outputs, packed, u0, u1 = map(int, line.split())
    threads = 2 * x * y * z
    module, function = device.load(image, "kernel")
    arrays = [
        taken(pool, seed, INPUTS * threads),
        numpy.zeros(outputs * threads, numpy.uint64),
        taken(pool, seed + 1, 8 * threads),
        numpy.full(16, 5, numpy.uint32),
    ]
    buffers = [device.Buffer(a) for a in arrays]
    values = [ctypes.c_uint32(u0), ctypes.c_uint64(u1), ctypes.c_uint32(0x40490FDB), ctypes.c_uint32(threads)]
    device.launch(function, (2, 1, 1), (x, y, z), *[b.address for b in buffers], *values)
    out, scratch, words = [b.read() for b in buffers[1:]]
    for buffer in buffers:
        buffer.free()
    device.call("cuModuleUnload", module)
    rows = out.reshape(threads, outputs).T if packed else out.reshape(outputs, threads)
    return rows, scratch.reshape(threads, 8).T, words[None, :]


def main(folder, to, first, last):
    name, version = device.start()
    wanted = slice(int(first), int(last))
    parts = re.split(r"^// \d+\n", text(folder, "kernels.ptx"), flags=re.M)[1:][wanted]
    lines = text(folder, "kernels.txt").splitlines()[wanted]
    pool = numpy.fromfile(os.path.join(folder, "pool.bin"), numpy.uint64)
    start = time.time()
    registers, shown = [], []
    with open(to + ".txt", "w") as file:
        print(f"# {name}, CUDA {version}, {time.strftime('%Y-%m-%d')}", file=file)
        for line, image in zip(lines, device.assemble_all(parts)):
            try:
                memory = run(line, image, pool)
            except RuntimeError as error:
                print(line, error)
                break
            each = [device.hashes(rows) for rows in memory]
            print(line.split()[0], f"{device.hashes(numpy.concatenate(each)[None, :])[0]:016x}", file=file, flush=True)
            registers.append(numpy.concatenate(each).astype(numpy.uint32))
            shown.append(memory[0][:, :SHOWN].ravel())
    numpy.savez_compressed(to + ".npz", registers=numpy.concatenate(registers), shown=numpy.concatenate(shown))
    print(len(registers), "kernels in", round(time.time() - start, 1), "s")


if __name__ == "__main__":
    main(*sys.argv[1:5])
