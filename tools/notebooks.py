"""Runs the notebooks of examples/notebooks and writes their outputs into them, or compares them.

    python tools/notebooks.py [--check] [NOTEBOOK...]

Outputs are committed, so that the notebooks can be read where nothing runs them. They are those of the software GPU.
`--check` runs the notebooks and exits with 1 if an output differs, but for addresses. Needs nbclient and ipykernel.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import re
import sys
import tempfile
import zlib
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[1] / "examples" / "notebooks"
# Of an output what is for people.
KEPT = ("text/plain", "image/png")
# Cells whose failure is what they show.
FAILS_ON_PURPOSE = "%%cuda --check\n"


def run(notebook: Any) -> None:
    """Run a notebook in a folder of its own; its outputs are put into it."""
    with tempfile.TemporaryDirectory() as folder:
        for cell in notebook.cells:
            if cell.source.startswith(FAILS_ON_PURPOSE):
                cell.metadata["tags"] = ["raises-exception"]
        NotebookClient(notebook, timeout=300, resources={"metadata": {"path": folder}}).execute()
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs = joined(cell.outputs, folder)
    notebook.metadata.language_info = {"name": "python"}
    for cell in notebook.cells:
        cell.metadata = {name: value for name, value in cell.metadata.items() if name == "tags"}


def plain(text: str, folder: str) -> str:
    """A text without colours and the names of temporary folders."""
    text = re.sub(r"\x1b\[[\d;]*m", "", text).replace(f"{folder}/", "").replace("\r\n", "\n")
    return re.sub(re.escape(tempfile.gettempdir()) + r"/ipykernel_\d+/", "/tmp/ipykernel/", text)


def joined(outputs: list[Any], folder: str) -> list[Any]:
    """Outputs without what differs from run to run; the pieces of a stream are put together."""
    streams: dict[str, Any] = {}
    made = []
    for output in outputs:
        if output.output_type == "stream":
            output.text = plain(output.text, folder)
            if output.name in streams:
                streams[output.name].text += output.text
                continue
            streams[output.name] = output
        elif output.output_type == "error":
            output.traceback = [plain(line, folder) for line in output.traceback]
        elif "data" in output:
            output.data = {kind: value for kind, value in output.data.items() if kind in KEPT}
        made.append(output)
    return sorted(made, key=lambda one: one.get("name", "~"))  # standard error, then standard output, then the rest


def shown(notebook: Any) -> list[str]:
    """The cells' outputs as texts, to be compared: without addresses, and pictures as their points."""

    def text(output: Any) -> str:
        output = json.loads(json.dumps(output))
        if picture := output.get("data", {}).get("image/png"):
            # Two versions of zlib may write the same points in other bytes.
            data = base64.b64decode(picture)
            at = data.index(b"IDAT") + 4
            output["data"]["image/png"] = hashlib.sha256(zlib.decompressobj().decompress(data[at:])).hexdigest()
        return re.sub(r"0x[0-9a-f]+", "0x…", json.dumps(output, sort_keys=True, ensure_ascii=False, indent=1))

    return ["\n".join(map(text, cell.get("outputs", []))) for cell in notebook.cells]


def main() -> int:
    """Run notebooks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare only")
    parser.add_argument("notebooks", nargs="*", type=Path, default=sorted(FOLDER.glob("*.ipynb")))
    options = parser.parse_args()
    os.environ["CUOX_DEVICE"] = "soft"
    os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    differ = 0
    for file in options.notebooks:
        notebook = nbformat.read(file, as_version=4)
        before = shown(notebook)
        run(notebook)
        for number, (old, new) in enumerate(zip(before, shown(notebook), strict=True)):
            if options.check and old != new:
                print(f"{file.name}, cell {number}: the output was\n{old}\nand is\n{new}", file=sys.stderr)
                differ += 1
        if not options.check:
            nbformat.write(notebook, file)
    return bool(differ)


if __name__ == "__main__":
    sys.exit(main())
