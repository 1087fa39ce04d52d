"""Global variables of C: read as they are now, written by assignment."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import ctools
import cuox
import pytest

pytestmark = ctools.needs_compiler

HEADER = """
#include <stdint.h>
typedef struct { int left, right; } span;
typedef int (*step_t)(int);
typedef enum { CALM = 0, WILD = 4 } mood;
extern int32_t level;
extern double ratio;
extern char mark;
extern const char *title;
extern span whole;
extern short rows[3];
extern char label[8];
extern step_t stepper;
extern mood today;
extern const int limit;
extern const char build[];
extern step_t steps[2];
#define verbosity level
int level_now(void);
int step_now(int n);
const char *title_now(void);
"""

SOURCE = """
#include "state.h"
static int next(int n) { return n + 1; }
static int twice(int n) { return 2 * n; }
int32_t level = 3; double ratio = 0.5; char mark = 'a'; const char *title = "first"; span whole = {1, 2};
short rows[3] = {7, 8, 9}; char label[8] = "abc"; step_t stepper = next; mood today = WILD;
const int limit = 12; const char build[] = "b17"; step_t steps[2] = {next, twice};
int level_now(void) { return level; }
int step_now(int n) { return stepper(n); }
const char *title_now(void) { return title; }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("state")
    (folder / "state.h").write_text(HEADER)
    (folder / "state.c").write_text(SOURCE)
    assert ctools.COMPILER
    command = [ctools.COMPILER, "-w", "-shared", "-fPIC", "-o", folder / "libstate.so", folder / "state.c"]
    subprocess.run(command, check=True)
    return folder


@pytest.fixture(scope="module", params=["bound", "written"])
def state(folder, request) -> Any:
    """The library itself, and a module written for it."""
    if request.param == "bound":
        return cuox.bind(folder / "libstate.so", [folder / "state.h"])
    command = ["-m", "cuox", "bind", "state.h", "-l", "./libstate.so", "-o", "state_of_c.py"]
    subprocess.run([sys.executable, *command], cwd=folder, check=True)
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module("state_of_c")
    finally:
        sys.path.remove(str(folder))


def test_numbers(state):
    state.level = 40
    assert state.level == state.level_now() == state.verbosity == 40
    state.verbosity = 41
    assert state.level_now() == 41
    state.ratio = 2
    assert state.ratio == 2.0 and type(state.ratio) is float
    state.mark = "z"
    assert state.mark == "z"
    state.today = 0
    assert state.today is state.CALM
    with pytest.raises(OverflowError, match="level"):
        state.level = 2**31
    with pytest.raises(TypeError, match="level"):
        state.level = "many"
    assert state.level == 41


def test_records_and_arrays(state):
    state.whole.left = 5
    assert state.whole.left == 5
    state.whole = (8, 9)
    assert (state.whole.left, state.whole.right) == (8, 9)
    state.rows[1] = -1
    assert list(state.rows)[1] == -1
    state.rows = [1, 2, 3]
    assert list(state.rows) == [1, 2, 3]
    with pytest.raises(ValueError, match="rows.*3 elements"):
        state.rows = [1, 2]
    state.label = "xyz"
    assert state.label == "xyz"


def test_functions(state):
    assert state.steps[1](21) == 42
    state.stepper = state.steps[1]
    assert state.step_now(4) == 8
    state.stepper = lambda n: n - 1
    assert state.step_now(4) == state.stepper(4) == 3


def test_constants_are_not_assigned_to(state):
    assert (state.limit, state.build) == (12, "b17")
    for name in ("limit", "build"):
        with pytest.raises(AttributeError, match=f"{name}.*const"):
            setattr(state, name, 1)
    assert state.limit == 12


def test_other_names_are_not_assigned_to(folder):
    library = cuox.bind(folder / "libstate.so", [folder / "state.h"])
    with pytest.raises(AttributeError, match="no variable 'levle'"):
        library.levle = 1
    with pytest.raises(AttributeError, match="'level_now'.*a function"):
        library.level_now = 1
    with pytest.raises(AttributeError, match="'WILD'.*a constant"):
        library.WILD = 1


GUARDED = """
typedef struct { const int id; int free; const double pair[2]; } guarded;
typedef void (*ender)(void *);
typedef int (*step)(int);
typedef struct { step go; } walker;
#define KEPT ((ender)0)
#define COPIED ((ender)-1)
int take(const void *data, int n, ender end);
int walk(step go);
int id_of(const guarded *it);
"""

GUARDED_SOURCE = """
#include "guarded.h"
int take(const void *data, int n, ender end) { return end == COPIED ? -1 : end == KEPT ? 0 : 1; }
int walk(step go) { return go(1); }
int id_of(const guarded *it) { return it->id; }
"""


@pytest.fixture(scope="module")
def guarded(tmp_path_factory) -> Any:
    folder = tmp_path_factory.mktemp("guarded")
    (folder / "guarded.h").write_text(GUARDED)
    (folder / "guarded.c").write_text(GUARDED_SOURCE)
    assert ctools.COMPILER
    command = [ctools.COMPILER, "-w", "-shared", "-fPIC", "-o", folder / "libguarded.so", folder / "guarded.c"]
    subprocess.run(command, check=True)
    return cuox.bind(folder / "libguarded.so", [folder / "guarded.h"])


def test_constant_fields_are_given_once(guarded) -> None:
    record = guarded.guarded(id=5, free=1, pair=(1.5, 2.5))
    for name, value in (("id", 6), ("pair", (0.0, 0.0))):
        with pytest.raises(AttributeError, match=f"{name} cannot be set: it is const"):
            setattr(record, name, value)
    with pytest.raises(TypeError):
        record.pair[0] = 3.0
    record.free = 2
    assert (guarded.id_of(record), record.free, list(record.pair)) == (5, 2, [1.5, 2.5])


def test_numbers_are_functions_where_the_header_says_so(guarded) -> None:
    assert guarded.take(b"abc", 3, guarded.COPIED) == guarded.take(b"abc", 3, -1) == -1
    assert guarded.take(b"abc", 3, guarded.KEPT) == 0
    for call in (
        lambda: guarded.take(b"abc", 3, -2),
        lambda: guarded.walk(-1),
        lambda: guarded.walk(5),
        lambda: guarded.walker(go=-1),
    ):
        with pytest.raises(TypeError, match="callable"):
            call()
    assert guarded.walk(lambda n: n + 1) == 2


def test_a_library_in_place_of_a_header(folder) -> None:
    with pytest.raises(ValueError, match=r"libstate\.so is a library"):
        cuox.bind(folder / "state.h", folder / "libstate.so")
