"""Builds the documentation site from the pages of the repository.

python tools/site [FOLDER]      the site, by default in `site`
python tools/site --external    the addresses that README, pages and metadata name
python tools/site --try         asks for each of these; exit status 1 if one is dead

The pages are the Markdown files that README.md, README.zh.md and the indexes docs/README.md and docs/zh/README.md lead
to; the order of the indexes is that of the navigation. To these come the pages of the API reference. Any warning, such
as a link that leads nowhere or a page in no index, is an error; so is a public name that the reference lacks.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import sys
import time
from importlib.metadata import version
from pathlib import Path

from sphinx.cmd.build import build_main
from sphinx.util.inventory import InventoryFile

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests" / "python"))

import addresses
import pages as markdown
import reference

WORK = ROOT / "target" / "site"
SOURCES = WORK / "pages"
STARTS = ("README.md", "README.zh.md", "docs/README.md", "docs/zh/README.md")
LINK = re.compile(r"(?<!!)\[([^\]\n]*)\]\(([^)\s]+)\)")
IMAGE = re.compile(r"!\[[^\]\n]*\]\(([^)\s]+)\)")
CHAPTER = re.compile(r"^#+ (.+)$", re.MULTILINE)
FENCED = re.compile(r"(^ *```.*?^ *```[ ]*$)", re.MULTILINE | re.DOTALL)


def relative(page: Path, link: str) -> Path | None:
    """The file or folder of the repository that a link leads to, from its root."""
    if re.match(r"[a-z]+:", link) or link.startswith("#"):
        return None
    target = (page.parent / link.partition("#")[0]).resolve()
    return target.relative_to(ROOT) if target.is_relative_to(ROOT) else None


def page_of(target: Path) -> Path | None:
    """The page that shows a file or folder, if one does."""
    if (ROOT / target / "README.md").is_file():
        return target / "README.md"
    return target if target.suffix == ".md" else None


def pages() -> list[Path]:
    """All pages, found by following the links from where readers start."""
    found = [Path(name) for name in STARTS]
    for page in found:
        for link in markdown.links(ROOT / page):
            target = relative(ROOT / page, link)
            if target is not None and (to := page_of(target)) is not None and to not in found:
                found.append(to)
    return found


def navigation(index: Path) -> dict[str, list[Path]]:
    """The pages of an index by chapters, its headings."""
    chapters: dict[str, list[Path]] = {}
    seen = {Path(name) for name in STARTS}
    text = markdown.prose(ROOT / index)
    for title, part in zip(*[iter(CHAPTER.split(text)[1:])] * 2):
        for _, link in LINK.findall(part):
            target = relative(ROOT / index, link)
            to = target and page_of(target)
            if to and to not in seen:
                seen.add(to)
                chapters.setdefault(title, []).append(to)
    return chapters


def toctrees(chapters: dict[str, list[Path]]) -> str:
    blocks = []
    for title, names in chapters.items():
        entries = "".join(f"/{name.with_suffix('')}\n" for name in names)
        blocks.append(f"```{{toctree}}\n:hidden:\n:caption: {title}\n\n{entries}```\n")
    return "\n" + "\n".join(blocks)


def as_page(page: Path, shown: set[Path]) -> str:
    """A page as Sphinx takes it: links to files that are no pages become text, those to folders lead to their page."""

    def replaced(match: re.Match[str]) -> str:
        target = relative(ROOT / page, match[2])
        if target is None:
            return match[0]
        to = page_of(target)
        if to is None or to not in shown:
            return match[1]
        fragment = match[2].partition("#")[2]
        return f"[{match[1]}](/{to}{'#' if fragment else ''}{fragment})"

    # Links may hold code, so that they are looked for in the text between blocks, not between codes.
    parts = FENCED.split((ROOT / page).read_text("utf-8"))
    return "".join(part if part.lstrip().startswith("```") else LINK.sub(replaced, part) for part in parts)


def stage() -> None:
    """Lay out the sources for Sphinx."""
    found = pages()
    shown = set(found)
    english, chinese = navigation(Path("docs/README.md")), navigation(Path("docs/zh/README.md"))
    inside = {page for chapter in [*english.values(), *chinese.values()] for page in chapter}
    wanted = set()
    for page in found:
        text = as_page(page, shown)
        if page == Path("README.md"):
            text += toctrees({"": [Path("docs/README.md")]}).replace(":caption: \n", "")
            text += toctrees(english)
            text += toctrees({"Reference": [Path("api/cuox.md"), *(Path(f"api/{c}.md") for c in reference.CHAPTERS)]})
            text += toctrees({"中文": [Path("README.zh.md"), *(p for names in chinese.values() for p in names)]})
        elif page not in inside and str(page) not in STARTS:
            text = f"---\norphan: true\n---\n\n{text}"
        elif page == Path("docs/zh/README.md"):
            text = f"---\norphan: true\n---\n\n{text}"
        target = SOURCES / page
        target.parent.mkdir(parents=True, exist_ok=True)
        reference.write_file(target, text)
        wanted.add(target)
        for picture in IMAGE.findall(text):
            source = relative(ROOT / page, picture)
            if source is not None:
                (SOURCES / source).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / source, SOURCES / source)
    for old in SOURCES.rglob("*.md"):
        if old not in wanted and old.parent.name != "api":
            old.unlink()


def fingerprint() -> str:
    """A hash of all that the site is made of."""
    made_of = hashlib.sha256(repr([version(name) for name in ("sphinx", "myst-parser", "furo", "docutils")]).encode())
    for path in sorted([*(ROOT / "tools" / "site").glob("*.py"), *(p for p in SOURCES.rglob("*") if p.is_file())]):
        made_of.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes() + b"\0")
    return made_of.hexdigest()


def lacking(modules: list[reference.Module], site: Path) -> list[str]:
    """The public names that the site's inventory does not have."""
    inventory = InventoryFile.loads((site / "objects.inv").read_bytes(), uri="")
    there = {name for kind, names in inventory.data.items() if kind.startswith("py:") for name in names}
    wanted = {f"{module.name}.{name}" for module in modules for name in module.values}
    wanted |= {module.name for module in modules}
    return sorted(wanted - there)


def main(arguments: list[str]) -> int:
    began = time.monotonic()
    parser = argparse.ArgumentParser(prog="tools/site", description="Build the documentation site.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "site", help="where to (default: site)")
    parser.add_argument("--external", action="store_true", help="only list the addresses that lead elsewhere")
    parser.add_argument("--try", dest="asks", action="store_true", help="only ask for each of these addresses")
    options = parser.parse_args(arguments)
    if options.external:
        print("\n".join(f"{address}  ({', '.join(files)})" for address, files in addresses.found(ROOT).items()))
        return 0
    if options.asks:
        return addresses.try_all(ROOT)
    site = options.folder.resolve()
    stage()
    modules = reference.write(SOURCES / "api")
    stamp, now = site / ".built", fingerprint()
    if stamp.is_file() and stamp.read_text() == now:
        print(f"{site}: nothing has changed since it was built")
        return 0
    stamp.unlink(missing_ok=True)
    status = build_main(
        [
            *("-q", "-E", "-W", "--keep-going", "-b", "html", "-c", str(ROOT / "tools" / "site")),
            *("-d", str(WORK / "doctrees"), str(SOURCES), str(site)),
        ]
    )
    if status:
        return status
    (site / "index.html").write_text(
        '<!doctype html>\n<meta charset="utf-8">\n<title>cuox</title>\n'
        '<meta http-equiv="refresh" content="0; url=README.html">\n<a href="README.html">cuox</a>\n',
        "utf-8",
    )
    if names := lacking(modules, site):
        print(f"the API reference lacks {', '.join(names)}", file=sys.stderr)
        return 1
    stamp.write_text(now)
    count = sum(len(module.values) for module in modules)
    print(
        f"{site}: {len(list(site.rglob('*.html')))} pages; the reference has all {count} public names of "
        f"{len(modules)} modules ({time.monotonic() - began:.0f} s)"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
