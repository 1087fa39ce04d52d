"""What is only in a header: `static inline` functions, and macros whose value C computes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import cuox
import pytest

pytest.importorskip("clang", reason="headers are read with libclang")
pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")

HEADER = """
typedef struct { int x, y; } point;
typedef enum { SLOW, FAST = 4 } speed;
struct state { int level; point at; int table[3]; const char *name; };
extern struct state g_state;
int *level_of(void);
int ticks(void);
point middle(void);
speed now(void);
void reset(void);
static inline int twice_level(void) { return 2 * *level_of(); }
#define ORIGIN ((point){1, 2})
#define LEVEL (*level_of())
#define AT (g_state.at)
#define SECOND g_state.table[1]
#define NAME (g_state.name)
#define TICKS ticks()
#define MIDDLE middle()
#define SPEED now()
#define HALF (ticks() / 2.0)
#define SUM (ORIGIN.x + LEVEL)
#define STATE (&g_state)
#define RESET() reset()
#define NOTHING reset()
#define UNKNOWN (not_there + 1)
#define LOCAL (p->x)
#define CONSTANT (3 + 4)
"""

SOURCE = """
#include "it.h"
struct state g_state = {5, {3, 4}, {7, 8, 9}, "here"};
static int n;
int *level_of(void) { return &g_state.level; }
int ticks(void) { return ++n; }
point middle(void) { return (point){n, -n}; }
speed now(void) { return FAST; }
void reset(void) { n = 0; }
"""

CHECK = """
m.reset()
assert (m.ORIGIN.x, m.ORIGIN.y) == (1, 2) and m.CONSTANT == 7
first = m.ORIGIN
first.x = 9
assert m.ORIGIN.x == 1, "a value is nobody else's"
assert m.LEVEL == 5 and m.SUM == 6
m.LEVEL = 6
assert m.level_of()[0] == 6 and m.twice_level() == 12
m.AT.x = 30
assert m.g_state.at.x == 30 and m.SECOND == 8 and m.NAME == "here"
assert (m.TICKS, m.TICKS, m.HALF) == (1, 2, 1.5)
before = m.MIDDLE
m.TICKS
assert (before.x, before.y) == (3, -3) and m.MIDDLE.x == 4
assert m.SPEED == m.FAST and m.STATE.level == 6
for name in ("ORIGIN", "TICKS"):
    try:
        setattr(m, name, 3)
    except AttributeError as error:
        assert "const" in str(error), error
    else:
        raise SystemExit(name)
for name in ("NOTHING", "UNKNOWN", "LOCAL", "RESET"):
    assert not hasattr(m, name), name
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inline")
    (folder / "it.h").write_text(HEADER)
    (folder / "it.c").write_text(SOURCE)
    subprocess.run(["cc", "-shared", "-fPIC", "it.c", "-o", "libit.so"], cwd=folder, check=True)
    return folder


def run(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def test_macros_in_process(library: Path) -> None:
    m = cuox.bind(library / "libit.so", library / "it.h")
    exec(CHECK, {"m": m})


def test_a_written_module_has_them(library: Path) -> None:
    made = run(library, "-m", "cuox", "bind", "it.h", "-l", "./libit.so", "-o", "it.py")
    assert made.returncode == 0 and not made.stderr, made.stderr
    done = run(library, "-c", "import it as m\n" + CHECK)
    assert done.returncode == 0, done.stderr
    stub = (library / "it.pyi").read_text()
    assert "def twice_level() -> int" in stub and "ORIGIN: Final[point]" in stub and "LEVEL: int" in stub


def test_a_module_without_a_compiler_says_what_it_lacks(library: Path) -> None:
    made = run(library, "-m", "cuox", "bind", "it.h", "-l", "./libit.so", "-o", "bare.py", CC="/no/such/compiler")
    assert made.returncode == 0
    assert "the module lacks what is only in the header (twice_level, " in made.stderr
    assert "found for the code of the header's inline functions and macros: install one" in made.stderr
    done = run(library, "-c", "import bare\nassert bare.ticks() == 1\nbare.twice_level()")
    assert "twice_level is only in it.h" in done.stderr and "C compiler" in done.stderr


def test_openmp_where_the_resource_directory_lacks_it(tmp_path: Path) -> None:
    from clang import cindex

    found = Path(cindex.__file__).parent / "native" / "libclang.so"
    if not found.exists():
        pytest.skip("libclang is not pip's")
    own = tmp_path / "lib" / "libclang.so"
    own.parent.mkdir()
    try:
        os.link(found, own)
    except OSError:
        shutil.copy(found, own)
    version = metadata.version("libclang").split(".")[0]
    folder = own.parent / "clang" / version / "include"
    folder.mkdir(parents=True)
    (folder / "stddef.h").write_text("typedef __SIZE_TYPE__ size_t;\ntypedef __PTRDIFF_TYPE__ ptrdiff_t;\n")
    (tmp_path / "it.h").write_text("#include <omp.h>\nint threads(omp_lock_t *lock);\n")
    done = run(tmp_path, "-m", "cuox", "bind", "it.h", "--explain", "threads", CUOX_LIBCLANG=str(own))
    assert done.returncode == 0 and "omp_lock_t *lock" in done.stdout, done.stderr
