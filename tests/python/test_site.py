"""The documentation site refuses dead links, and names that its reference lacks."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pages
import pytest

for package in ("sphinx", "griffe", "myst_parser", "furo"):
    pytest.importorskip(package, reason="the documentation's packages are not installed")
SITE = pages.ROOT / "tools" / "site"


@pytest.fixture(scope="module")
def site() -> ModuleType:
    sys.path.insert(0, str(SITE))
    spec = importlib.util.spec_from_file_location("documentation_site", SITE / "__main__.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.path.remove(str(SITE))
    return module


def built(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    (folder / "README.md").write_text(text, "utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-E", "-b", "html", "-c", str(SITE)]
    return subprocess.run([*command, str(folder), str(folder / "out")], capture_output=True, text=True, check=False)


def test_a_site(site: ModuleType, tmp_path: Path) -> None:
    text = "# Title\n\n```{py:module} m\n```\n\n:::{py:function} f(x: int) -> int\n:::\n\n"
    result = built(tmp_path, f"{text}[here](#title)\n")
    assert result.returncode == 0, result.stderr
    module = site.reference.Module("m", "", {"f": None, "forgotten": None})
    assert site.lacking([module], tmp_path / "out") == ["m.forgotten"]
    result = built(tmp_path, f"{text}[there](#nowhere) and [there](missing.md)\n")
    assert result.returncode != 0 and "'nowhere'" in result.stderr and "missing.md" in result.stderr


def test_pages_as_sphinx_takes_them(site: ModuleType) -> None:
    shown = set(site.pages())
    assert {Path("docs/first-kernel.md"), Path("CONTRIBUTING.md"), Path("docs/zh/README.md")} <= shown
    text = site.as_page(Path("docs/README.md"), shown)
    assert "[first-kernel.md](/docs/first-kernel.md)" in text
    assert "[examples/tutorial](/examples/tutorial/README.md)" in text
    # No page shows a folder of programs.
    assert "[examples/numba](" not in site.as_page(Path("docs/numba.md"), shown)


def test_every_chapter_of_the_index_is_in_the_navigation(site: ModuleType) -> None:
    index = pages.ROOT / "docs" / "README.md"
    chapters = site.navigation(index.relative_to(pages.ROOT))
    assert list(chapters) == [title for level, title in pages.headings(index) if level == 2]
    assert Path("docs/design/pycuda.md") in chapters["Design"]


@pytest.mark.exhaustive
def test_the_reference_says_what_the_stubs_say(site: ModuleType) -> None:
    reference = site.reference.Reference()
    names = {module.name: set(module.values) for module in reference.modules}
    # What the sources themselves declare public, read without running them.
    for name in ("cuox", "cuox_bind", "cuox.bound", "cuox.numba.cuda.types", "cuox.pycuda.driver", "cuox.cuda.compute"):
        declared = {member for member, what in reference.find(name).members.items() if what.is_public}
        modules = {part.name.rpartition(".")[2] for part in reference.modules} | {"cuda"}
        assert {member for member in declared - modules if not member.startswith("_")} <= names[name], name
    page = reference.page(next(module for module in reference.modules if module.name == "cuox"))
    assert "{py:class} LaunchConfig(" in page and "{py:method} copy_from_host(src: _HostMemory, *, stream:" in page
    kernels = reference.page(next(module for module in reference.modules if module.name == "cuox.numba.cuda"))
    assert "\n    @cuda.jit\n" in kernels and "](/docs/numba.md)" in kernels
    assert ":::{py:function} grid(ndim)\n\nThis thread's position in the whole grid" in kernels
    assert ":::{py:data} atomic\n" in kernels and "- `cas`: `atomic.cas(array, index, old, value)`" in kernels
    assert "- `_StreamLike`: `Stream | _HasCudaStream`" in page
    assert "Copy host memory to the start of the buffer." in page


def test_an_unknown_option_is_no_folder(site: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        site.main(["--no-such"])
    assert ended.value.code == 2 and "unrecognized arguments: --no-such" in capsys.readouterr().err
