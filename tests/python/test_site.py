"""The documentation site refuses dead links, and names that its reference lacks."""

from __future__ import annotations

import http.server
import importlib.util
import subprocess
import sys
import threading
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


# Hosts that the pages may name, and GitHub's repositories of other people.
HOSTS = {"github.com", "rustup.rs", "docs.nvidia.com"}
REPOSITORIES = {
    "pytorch/extension-cpp",
    "NVIDIA/cccl",
    "NVIDIA/cuda-python",
    "NVIDIA/numba-cuda",
    "inducer/pycuda",
    "swig/swig",
    "triton-lang/triton",
}


def test_addresses_are_of_known_places(site: ModuleType) -> None:
    found = site.addresses.found(pages.ROOT)
    assert {"https://rustup.rs", "https://github.com/NVIDIA/cccl"} <= set(found)
    for address, files in found.items():
        scheme, _, rest = address.partition("://")
        host, _, path = rest.partition("/")
        assert scheme == "https" and host in HOSTS, (address, files)
        if host == "github.com":
            repository = "/".join(path.removesuffix(".git").split("/")[:2])
            assert repository in REPOSITORIES | {"cuox/cuox"}, (address, files)
            page = path.partition("cuox/cuox/blob/main/")[2]
            assert (pages.ROOT / page).exists(), (address, files)


class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response({"/there": 200, "/gone": 404}.get(self.path, 503))
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def test_dead_addresses_are_told_from_those_that_do_not_answer(
    site: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        home = f"http://127.0.0.1:{server.server_port}"
        page = tmp_path / "README.md"
        page.write_text(f"[a]({home}/there), {home}/busy. And `https://…`\n", "utf-8")
        assert list(site.addresses.found(tmp_path)) == [f"{home}/busy", f"{home}/there"]
        assert site.addresses.try_all(tmp_path) == 0
        said = capsys.readouterr().out
        assert f"not reached: {home}/busy (503 Service Unavailable; in README.md)" in said
        assert said.splitlines()[-1] == "1 there, 0 DEAD, 1 not reached"
        page.write_text(f"<{home}/gone>\n", "utf-8")
        assert site.addresses.try_all(tmp_path) == 1
        assert f"DEAD: {home}/gone (404 Not Found; in README.md)" in capsys.readouterr().out
    finally:
        server.shutdown()
        server.server_close()
    state, why = site.addresses.answer(f"{home}/there", 5)
    assert state is None and "refused" in why
