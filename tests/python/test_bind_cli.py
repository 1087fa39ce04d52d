"""`cuox bind` and `python -m cuox_bind`, rules and interface files."""

from __future__ import annotations

import base64
import importlib
import os
import pickle
import subprocess
import sys
from pathlib import Path

import cuox
import cuox_bind
import pytest
from cuox.__main__ import main
from cuox_bind.__main__ import main as alone

HEADER = """
#include <stddef.h>
#define LAMP_MAX 7
/** What can go wrong. */
typedef enum { LAMP_OK, LAMP_BROKEN /**< It is broken. */ } lamp_status;
typedef enum { LAMP_RED = 1, LAMP_GREEN = 2, LAMP_BLUE = 4 } lamp_colour;
typedef struct lamp lamp;
typedef struct { double x, y; int copy; } lamp_place;
typedef struct { int self, other; } lamp_own;
typedef struct { lamp_place place; const char *names[2]; } lamp_tag;
/** Makes a lamp. \\"\"\" is no end of this comment. */
lamp_status lamp_create(lamp **out, int level);
lamp_status lamp_destroy(lamp *it);
/** @param[out] level how bright it is */
lamp_status lamp_level(const lamp *it, int *level);
lamp_status lamp_break(lamp *it);
char *lamp_text(const lamp *it);
void lamp_text_free(char *text);
int lamp_sum(const int *numbers, int n);
void lamp_halves(int whole, int *half, int *rest);
lamp_colour lamp_mix(lamp_colour a, lamp_colour b);
int lamp_destroyed(void);
"""

SOURCE = """
#include <stdio.h>
#include <stdlib.h>
#include "lamp.h"
struct lamp { int level; };
static int destroyed;
lamp_status lamp_create(lamp **out, int level) {
    if (level < 0) return LAMP_BROKEN;
    *out = malloc(sizeof **out);
    (*out)->level = level;
    return LAMP_OK;
}
lamp_status lamp_destroy(lamp *it) { free(it); destroyed++; return LAMP_OK; }
lamp_status lamp_level(const lamp *it, int *level) { *level = it->level; return LAMP_OK; }
lamp_status lamp_break(lamp *it) { (void)it; return LAMP_BROKEN; }
char *lamp_text(const lamp *it) { char *text = malloc(20); snprintf(text, 20, "level %d", it->level); return text; }
void lamp_text_free(char *text) { free(text); destroyed += 100; }
int lamp_sum(const int *numbers, int n) { int sum = 0; for (int i = 0; i < n; i++) sum += numbers[i]; return sum; }
void lamp_halves(int whole, int *half, int *rest) { *half = whole / 2; *rest = whole % 2; }
lamp_colour lamp_mix(lamp_colour a, lamp_colour b) { return (lamp_colour)(a | b); }
int lamp_destroyed(void) { return destroyed; }
"""

RULES = """
[library]
prefix = "lamp_"
[lamp_text]
result = { role = "text", free = "lamp_text_free" }
[lamp_sum]
params.n = { length_of = "numbers" }
[lamp_halves]
params.half = "output"
params.rest = "output"
"""

INTERFACE = """
%module lamps
%{
#include "lamp.h"
%}
%include "typemaps.i"
%rename("%(strip:[lamp_])s") "";
%ignore lamp_break;
%apply int *OUTPUT { int *half, int *rest };
%newobject lamp_text;
%typemap(newfree) char * "lamp_text_free($1);"
%constant int LIMIT = 0x10;
%include "lamp.h"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("lamp")
    (folder / "lamp.h").write_text(HEADER)
    (folder / "lamp.c").write_text(SOURCE)
    (folder / "lamp.toml").write_text(RULES)
    (folder / "lamp.i").write_text(INTERFACE)
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", folder / "liblamp.so", folder / "lamp.c"], check=True)
    return folder


def module(folder: Path, monkeypatch, name: str, *arguments: str):
    library = str(folder / "liblamp.so")
    output = str(folder / f"{name}.py")
    assert main(["bind", str(folder / "lamp.h"), "-l", library, "-o", output, *arguments]) == 0
    monkeypatch.syspath_prepend(str(folder))
    importlib.invalidate_caches()
    return importlib.import_module(name)


def test_a_written_module_is_used_without_a_header(folder, monkeypatch):
    lamps = module(folder, monkeypatch, "lamps_ruled", "--rules", str(folder / "lamp.toml"))
    with lamps.create(3) as lamp:
        assert lamps.level(lamp) == 3
        before = lamps.destroyed()
        assert lamps.text(lamp) == "level 3"
        assert lamps.destroyed() == before + 100
        with pytest.raises(cuox.CallError) as failure:
            lamps.break_(lamp)
        assert failure.value.code == lamps.LAMP_BROKEN
    assert lamps.destroyed() == before + 101
    assert lamps.sum([1, 2, 3]) == 6
    assert lamps.halves(7) == (3, 1)
    assert lamps.LAMP_MAX == 7
    assert lamps.mix(lamps.LAMP_RED, lamps.LAMP_BLUE) == 5
    assert lamps.place(x=1, y=2).y == 2
    assert "create" in dir(lamps)
    assert "Makes a lamp." in lamps.create.__doc__
    with pytest.raises(AttributeError):
        lamps.nothing
    # It needs the library only when something is used.
    monkeypatch.setattr(lamps, "_LIBRARIES", ["/nowhere/liblamp.so"])


def test_a_written_stub_is_typed(folder, monkeypatch):
    pytest.importorskip("mypy")
    module(folder, monkeypatch, "lamps_typed", "--rules", str(folder / "lamp.toml"))
    use = folder / "use.py"
    use.write_text(
        "import lamps_typed as lamps\n"
        "lamp: lamps.lamp = lamps.create(3)\n"
        "level: int = lamps.level(lamp)\n"
        "both: tuple[int, int] = lamps.halves(7)\n"
        "text: str | None = lamps.text(lamp)\n"
        "total: int = lamps.sum([1, 2])\n"
        "lamps.level(3)  # type: ignore[arg-type]\n"
        "lamps.place(1, 2, copy=3)\n"
        "lamps.own(1, other=2)\n"
    )
    package = Path(cuox.__file__).parent.parent
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "use.py", "lamps_typed.pyi"],
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(package)} if "site-packages" not in str(package) else None,
        capture_output=True,
        text=True,
    )
    # Another test checks cuox's own stubs.
    assert run.returncode in (0, 1) and not run.stderr, run.stderr
    assert not [line for line in run.stdout.splitlines() if line.startswith(("use.py", "lamps_typed.pyi"))], run.stdout


def test_a_written_module_has_what_it_makes(folder, monkeypatch):
    lamps = module(folder, monkeypatch, "lamps_named", "--rules", str(folder / "lamp.toml"))
    for name in ("sum", "lamp", "place", "status", "colour"):
        assert getattr(lamps, name).__module__ == "lamps_named"
        assert pickle.loads(pickle.dumps(getattr(lamps, name))) is getattr(lamps, name)
    assert pickle.loads(pickle.dumps(lamps.LAMP_BROKEN)) is lamps.LAMP_BROKEN
    bound = cuox_bind.bind(folder / "liblamp.so", folder / "lamp.h")
    assert {bound.lamp.__module__, bound.lamp_status.__module__, bound.lamp_place.__module__} == {"cuox_bind"}
    with pytest.raises(TypeError, match=r"^lamp_sum\(\) cannot be pickled: it is of no module"):
        pickle.dumps(bound.lamp_sum)


def test_records_of_a_written_module_are_pickled_by_value(folder, monkeypatch):
    lamps = module(folder, monkeypatch, "lamps_pickled")
    place = lamps.lamp_place(1.5, 2.5, 3)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(place, protocol))
        assert type(again) is lamps.lamp_place and again == place
        again.x = 9
        assert place.x == 1.5

    class Named(lamps.lamp_place):
        pass

    monkeypatch.setattr(lamps, "Named", Named, raising=False)
    Named.__module__, Named.__qualname__ = "lamps_pickled", "Named"
    named = Named(1, 2, 3)
    named.title = "porch"
    again = pickle.loads(pickle.dumps(named))
    assert (type(again), again.title, again.y) == (Named, "porch", 2)

    # A field of a pointer's type is none while it is null.
    tag = lamps.lamp_tag(place=place)
    assert pickle.loads(pickle.dumps(tag)) == tag
    tag.names[1] = "hall"
    with pytest.raises(TypeError, match=r"^lamp_tag cannot be pickled: its field names\[1\] holds the address"):
        pickle.dumps(tag)
    made, (class_, content) = tag.place.__reduce_ex__(4)
    assert class_ is lamps.lamp_place
    with pytest.raises(ValueError, match="lamp_place has 24 bytes here, and 23 in the pickle"):
        made(class_, content[1:])
    with pytest.raises(ValueError, match=r"holds an address for the field names\[0\] of lamp_tag"):
        made(lamps.lamp_tag, bytes(range(1, 41)))
    bound = cuox_bind.bind(folder / "liblamp.so", folder / "lamp.h")
    with pytest.raises(TypeError, match="lamp_place cannot be pickled: its class is of no module"):
        pickle.dumps(bound.lamp_place())


def test_both_commands_write_the_same(folder, tmp_path):
    arguments = [str(folder / "lamp.h"), "-l", str(folder / "liblamp.so"), "-o", str(tmp_path / "new" / "lamps.py")]
    assert main(["bind", *arguments]) == 0
    text = (tmp_path / "new" / "lamps.py").read_text()
    assert "# Made by: python -m cuox_bind ../" in text
    assert alone(arguments) == 0
    assert (tmp_path / "new" / "lamps.py").read_text() == text


def test_mistakes_of_the_command(folder, capsys):
    def said(command, *arguments: str) -> str:
        assert command(list(arguments)) == 2
        return capsys.readouterr().err

    assert "cuox bind: name a header" in said(main, "bind")
    assert said(alone).startswith("python -m cuox_bind: name a header")
    library = str(folder / "liblamp.so")
    assert said(alone, library, "-o", "a.py") == (
        f"python -m cuox_bind: {library} is a library: name a header, and the library behind -l\n"
    )
    command = [str(folder / "lamp.h"), "--table", "--only", "lamp_s*", "--only", "lemp_*", "--ignore", "nothing_such"]
    assert alone(command) == 0
    notes = capsys.readouterr().err.splitlines()
    assert notes == ["nothing in the header is named 'lemp_*'", "nothing in the header is named 'nothing_such'"]
    for define in ("", "=1"):
        assert "-D NAME" in said(alone, "lamp.h", "-D", define, "--table")


def test_an_interface_file(folder):
    lamps = cuox.bind(folder / "liblamp.so", interface=folder / "lamp.i")
    assert lamps.halves(7) == [3, 1]
    assert lamps.LIMIT == 16
    lamp = lamps.create(1)
    before = lamps.destroyed()
    assert lamps.text(lamp) == "level 1"
    assert lamps.destroyed() == before + 100
    with pytest.raises(AttributeError):
        lamps.lamp_break
    assert "%newobject" not in lamps.explain("text")
    assert "lamp.i:" in lamps.explain("text")


def test_an_interface_file_that_declares(folder):
    interface = folder / "declares.i"
    interface.write_text(
        "%module d\n%{\n#include <stddef.h>\n%}\nint lamp_sum(const int *numbers, int n);\n#define LAMP_WIDE 3\n"
    )
    lamps = cuox.bind(folder / "liblamp.so", interface=interface)
    assert lamps.lamp_sum([1, 2], 2) == 3
    assert lamps.LAMP_WIDE == 3
    assert not hasattr(lamps, "lamp_mix")
    interface.write_text("%module d\n%{\n%}\n\nint lamp_sum(const int *numbers, int n;\n")
    with pytest.raises(cuox.BindError, match=r"declares\.i:5"):
        cuox.bind(folder / "liblamp.so", interface=interface)


def test_rules_as_a_dictionary(folder):
    rules = {"lamp_halves": {"params": {"half": "output", "rest": "output"}}, "ignore": ["lamp_mix"]}
    lamps = cuox.bind(folder / "liblamp.so", headers=[folder / "lamp.h"], rules=rules)
    assert lamps.lamp_halves(9) == (4, 1)
    with pytest.raises(AttributeError, match="leaves it out"):
        lamps.lamp_mix
    with pytest.raises(cuox.BindError, match=r"rules\[.lamp_halves.\].*did you mean 'params'"):
        cuox.bind(folder / "liblamp.so", headers=[folder / "lamp.h"], rules={"lamp_halves": {"parms": {}}})
    with pytest.raises(TypeError):
        cuox.bind(folder / "liblamp.so", headers=[folder / "lamp.h"], rules={"ignore": object()})


def test_errors_have_places(folder, capsys):
    bad = folder / "bad.toml"
    bad.write_text("[lamp_sum]\nparams.n = 'output'\n")
    with pytest.raises(cuox.BindError) as error:
        cuox.bind(folder / "liblamp.so", headers=[folder / "lamp.h"], rules=bad)
    assert (error.value.file, error.value.line) == (str(bad), 2)
    assert "an output needs a pointer" in str(error.value)
    assert main(["bind", str(folder / "lamp.h"), "--rules", str(bad), "--table"]) == 1
    assert f"{bad}:2" in capsys.readouterr().err
    bad = folder / "bad.i"
    bad.write_text('%module x\n%template(x) y;\n%include "lamp.h"\n')
    with pytest.raises(cuox.BindError, match="%template") as error:
        cuox.bind(folder / "liblamp.so", interface=bad)
    assert error.value.line == 2


def test_the_command_explains(folder, capsys):
    header = str(folder / "lamp.h")
    assert main(["bind", header, "--explain", "lamp_level"]) == 0
    text = capsys.readouterr().out
    assert "lamp_level(it: lamp) -> int" in text
    assert "its comment says that it is returned" in text
    assert main(["bind", header, "--explain"]) == 0
    assert "owned ones are ended by lamp_destroy" in capsys.readouterr().out
    assert main(["bind", header, "--table"]) == 0
    assert "functions bound" in capsys.readouterr().out
    assert main(["bind", header, "--explain", "nothing"]) == 1
    assert main(["bind", header]) == 2
    assert main(["bind", header, "-o", "not-a-module.py", "-l", "x"]) == 2
    assert main(["bind"]) == 2


def test_data_from_anywhere_is_refused(folder):
    native = cuox_bind._native
    binding = native.Binding.parse([str(folder / "lamp.h")])
    data = binding.data()
    assert native.Binding.from_data(data).explain("lamp_level") == binding.explain("lamp_level")
    for bad in ("", "x", "nonsense", data[:-7], data[:100] + "0" + data[101:], "é" * 10, data + data):
        with pytest.raises(cuox.BindError):
            native.Binding.from_data(bad)


def test_data_of_another_version_says_how_it_is_made_again(folder):
    data = cuox_bind._native.Binding.parse([str(folder / "lamp.h")]).data()
    file = bytearray(base64.b85decode(data))
    file[12:16] = (4).to_bytes(4, "little")  # the first that was published
    with pytest.raises(cuox.BindError, match=r"format 4, .*: make it again \(the command is in the module's first"):
        cuox_bind._native.Binding.from_data(base64.b85encode(file).decode())
