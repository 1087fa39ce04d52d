"""Makes docs/report.svg: the report of an access out of bounds, as examples/check_memory.py prints it.

python tools/report_picture.py            # write the picture
python tools/report_picture.py --check    # say whether it shows what the program prints today
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = "examples/check_memory.py"
PICTURE = ROOT / "docs" / "report.svg"
BLANK = "\N{NO-BREAK SPACE}"  # browsers leave out blanks at the start of a text
COLUMNS, LINE, WIDTH, MARGIN = 96, 20, 8.4, 20
PLAIN, DIM, RED, GREEN = "#d8dee9", "#7b8794", "#ff7b72", "#7ee787"


def report() -> str:
    """What the program prints about the access, without the folder that it runs in."""
    environment = {**os.environ, "CUOX_DEVICE": "soft", "COLUMNS": "1000"}
    command = [sys.executable, str(ROOT / PROGRAM)]
    text = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    return re.sub(r"\(\S*/(\w+\.cu:\d+)\)", r"(\1)", text)


def kernel() -> list[str]:
    """The kernel's lines, as the program has them."""
    source = re.search(r'SOURCE = r"""\n(.*?)"""', (ROOT / PROGRAM).read_text("utf-8"), re.DOTALL)
    assert source
    return source[1].splitlines()


def drawn() -> str:
    """The picture."""
    text = report()
    wrong = re.search(r"\(\w+\.cu:(\d+)\)", text)
    assert wrong, text
    at = int(wrong[1])
    lines: list[tuple[str, str]] = [
        (f"{number:>3}  {line}", RED if number == at else PLAIN)
        for number, line in enumerate(kernel(), 2)  # the first line of the text is empty
    ]
    lines += [("", PLAIN), (f"$ python {Path(PROGRAM).name}", GREEN)]
    lines += [(part, PLAIN) for part in textwrap.wrap(text, COLUMNS)]
    width, height = round(COLUMNS * WIDTH + 2 * MARGIN), LINE * len(lines) + 2 * MARGIN
    rows = "\n".join(
        f'<text x="{MARGIN}" y="{MARGIN + LINE * place + 14}" fill="{colour}">{escape(line.replace(" ", BLANK))}</text>'
        for place, (line, colour) in enumerate(lines)
        if line
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">\n'
        f"<title>{escape(text)}</title>\n"
        f'<rect width="{width}" height="{height}" rx="8" fill="#161b22"/>\n{rows}\n</svg>\n'
    )


def shown(picture: str) -> str:
    """What has to stay as it is: not addresses, the function that was waiting, and a compiler's line of PTX."""
    title = re.search(r"<title>(.*)</title>", picture)
    assert title
    text = re.sub(r"0x[0-9a-f]{6,}|cu[A-Z]\w+|PTX line \d+", "…", title[1])
    return text + "\n".join(re.findall(r"^<text [^>]*>\s*\d+\s\s(.*)</text>", picture, re.MULTILINE))


def main(arguments: list[str]) -> int:
    picture = drawn()
    if arguments == ["--check"]:
        if shown(PICTURE.read_text("utf-8")) == shown(picture):
            return 0
        print(
            f"{PICTURE.relative_to(ROOT)} is not what the program prints: python {Path(__file__).name}", file=sys.stderr
        )
        return 1
    PICTURE.write_text(picture, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
