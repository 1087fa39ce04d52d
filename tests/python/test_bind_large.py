"""Headers that are large in one way or another, as generated ones are: what takes a moment for each of two things that
there are many of takes minutes.
"""

from __future__ import annotations

import cuox
import exhaustive
import pytest

MANY = exhaustive.rounds(5_000, 20_000)
LARGE = exhaustive.rounds(2_000, 5_000)
LAST = LARGE - 1


def test_an_enumeration_on_one_line():
    members = ", ".join(f"BIG_{i} = {i}" for i in range(MANY))
    c = cuox.bind(None, source=f"enum big {{ {members} }};")
    assert c.big(7) is c.BIG_7 and c[f"BIG_{MANY - 1}"] == MANY - 1
    assert len(c.big) == MANY


def test_functions():
    c = cuox.bind(None, source="\n".join(f"int f{i}(int a, const char *b);" for i in range(MANY)))
    assert f"f{MANY - 1}(a: int, " in c.explain(f"f{MANY - 1}")
    assert len([name for name in dir(c) if name.startswith("f")]) == MANY


def test_macros():
    c = cuox.bind(None, source="\n".join(f"#define M{i} {i}" for i in range(MANY)))
    assert (c.M0, c[f"M{MANY - 1}"]) == (0, MANY - 1)


def test_handles():
    declare = "typedef struct h{0} h{0}; h{0} *h{0}_create(int n); void h{0}_destroy(h{0} *h); int h{0}_get(h{0} *h, int *out);"
    c = cuox.bind(None, source="\n".join(declare.format(i) for i in range(LARGE)))
    assert (
        f"h{LAST}_create and h{LAST}_destroy pair up by their names"
        in c.explain(f"h{LAST}_create") + c.explain(f"h{LAST}_destroy") + c.explain()
    )


def test_structures():
    declare = "struct s{0} {{ int a; double b[4]; struct s{1} *next; }}; typedef struct s{0} t{0};"
    c = cuox.bind(None, source="\n".join(declare.format(i, max(i - 1, 0)) for i in range(LARGE)))
    assert c[f"t{LAST}"](a=3).a == 3 and c.t0(b=[1, 2, 3, 4]).b[3] == 4


def test_fields():
    fields = " ".join(f"int f{i};" for i in range(LARGE))
    c = cuox.bind(None, source=f"struct s {{ {fields} union {{ int u; float v; }}; }};")
    given = {f"f{i}": i for i in range(LARGE)}
    value = c.s(**given, u=7)
    assert getattr(value, f"f{LAST}") == LAST and value == c.s(*range(LARGE), u=7) and value != c.s(**given, u=8)
    assert repr(value).startswith("s(f0=0, f1=1, ")


def test_records_that_no_memory_holds():
    declare = f"struct T {{ char a[{1 << 50}]; int n; struct {{ int k; }} in; }}; struct U {{ struct T t[100]; }};"
    functions = "struct T abs(int); int labs(struct T *out); int toupper(struct T); int isdigit(struct T *of, int n);"
    c = cuox.bind("c", source=declare + functions, rules={"labs": {"params": {"out": "output"}}})
    for make in (c.T, c.U, lambda: c.T(n=1), lambda: c.T.array(3)):
        with pytest.raises(MemoryError, match=r"no memory for \d+ bytes of a"):
            make()
    with pytest.raises(MemoryError, match=r"abs\(\): no memory for \d+ bytes of its result"):
        c.abs(1)
    with pytest.raises(MemoryError, match=r"labs\(\): no memory for \d+ bytes of its outputs"):
        c.labs()
    with pytest.raises(ValueError, match=r"toupper\(\) passes more than 65536 bytes on the stack"):
        c.toupper(None)
    with pytest.raises(ValueError, match="are larger than the address space"):
        c.T.array(1 << 40)
    with pytest.raises(ValueError, match="the buffer has 8"):
        c.T.from_buffer(bytearray(8))
