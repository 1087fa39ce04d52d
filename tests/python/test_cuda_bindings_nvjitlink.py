"""cuox.cuda.bindings.nvjitlink: PTX and LTO IR are linked. Skipped where the package nvidia-nvjitlink is not
installed."""

from __future__ import annotations

import ctypes
import pickle

import cuox
import pytest
from cuox.cuda.bindings import nvjitlink

try:
    nvjitlink.version()
except cuox.NotFoundError as error:
    pytest.skip(str(error), allow_module_level=True)

ENTRY = b"""
.version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b32 r) twice (.param .b32 x);
.visible .entry kernel(.param .u64 p)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, %tid.x;
    {
        .param .b32 x;
        .param .b32 r;
        st.param.b32 [x], %r1;
        call (r), twice, (x);
        ld.param.b32 %r2, [r];
    }
    st.global.u32 [%rd1], %r2;
    ret;
}
"""

TWICE = b"""
.version 8.0
.target sm_90
.address_size 64
.visible .func (.param .b32 r) twice (.param .b32 x)
{
    .reg .b32 %r<3>;
    ld.param.b32 %r1, [x];
    add.u32 %r2, %r1, %r1;
    st.param.b32 [r], %r2;
    ret;
}
"""


@pytest.fixture
def link():
    handle = nvjitlink.create(1, ["-arch=sm_90"])
    yield handle
    nvjitlink.destroy(handle)


def test_version() -> None:
    major, minor = nvjitlink.version()
    assert major >= 12 and minor >= 0


@pytest.mark.parametrize(
    ("ours", "prefix", "declared"),
    [("Result", "NVJITLINK_", "nvJitLinkResult"), ("InputType", "NVJITLINK_INPUT_", "nvJitLinkInputType")],
)
def test_enumerations_are_the_header_s(ours: str, prefix: str, declared: str) -> None:
    names = {member.name.removeprefix(prefix): int(member) for member in nvjitlink._call.library[declared]}
    assert {member.name: int(member) for member in getattr(nvjitlink, ours)} == names


def test_two_files_are_linked(link: int, tmp_path) -> None:
    assert isinstance(link, int) and link != 0
    nvjitlink.add_data(link, nvjitlink.InputType.PTX, ENTRY, len(ENTRY), "entry.ptx")
    (tmp_path / "twice.ptx").write_bytes(TWICE)
    nvjitlink.add_file(link, nvjitlink.InputType.PTX, str(tmp_path / "twice.ptx"))
    nvjitlink.complete(link)
    cubin = bytearray(nvjitlink.get_linked_cubin_size(link))
    nvjitlink.get_linked_cubin(link, cubin)
    assert cubin.startswith(b"\x7fELF") and b"kernel" in cubin
    again = ctypes.create_string_buffer(len(cubin))
    nvjitlink.get_linked_cubin(link, again)
    assert again.raw == bytes(cubin)
    # The size in place of the buffer; an int is never an address.
    assert nvjitlink.get_linked_cubin(link, nvjitlink.get_linked_cubin_size(link)) == bytes(cubin)
    for wrong in (len(cubin) - 1, 0, -1, 0x7FFF_0000_0000):
        with pytest.raises(ValueError, match=f"nvJitLinkGetLinkedCubinSize says {len(cubin)}, got {wrong}"):
            nvjitlink.get_linked_cubin(link, wrong)
    log = bytearray(nvjitlink.get_info_log_size(link))
    nvjitlink.get_info_log(link, log)
    assert nvjitlink.get_info_log(link, len(log)) == bytes(log)


def test_what_cannot_be_linked(link: int) -> None:
    nvjitlink.add_data(link, nvjitlink.InputType.PTX, ENTRY, len(ENTRY), "entry.ptx")
    with pytest.raises(nvjitlink.nvJitLinkError) as caught:
        nvjitlink.complete(link)
    assert caught.value.status != 0
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (type(copy), copy.status, str(copy)) == (nvjitlink.nvJitLinkError, caught.value.status, str(caught.value))
    log = bytearray(nvjitlink.get_error_log_size(link))
    nvjitlink.get_error_log(link, log)
    assert b"twice" in log
    assert "twice" in nvjitlink.get_error_log(link, nvjitlink.get_error_log_size(link)).decode()


def test_options() -> None:
    with pytest.raises(nvjitlink.nvJitLinkError, match=r"^ERROR_UNRECOGNIZED_OPTION \(1\)$"):
        nvjitlink.create(1, ["-no-such-option"])
    with pytest.raises(nvjitlink.nvJitLinkError, match="ERROR_MISSING_ARCH"):
        nvjitlink.create(1, ["-O3"])
    texts = [ctypes.create_string_buffer(text) for text in (b"-arch=sm_80", b"-O3")]
    addresses = [ctypes.addressof(text) for text in texts]
    nvjitlink.destroy(nvjitlink.create(2, addresses))
    array = (ctypes.c_void_p * 2)(*addresses)
    nvjitlink.destroy(nvjitlink.create(2, ctypes.addressof(array)))


def test_wrong_arguments(link: int) -> None:
    with pytest.raises(ValueError, match="buffer"):
        nvjitlink.add_data(link, nvjitlink.InputType.PTX, None, 0, "x")
    with pytest.raises(TypeError, match="name: expected a str"):
        nvjitlink.add_data(link, nvjitlink.InputType.PTX, b"", 0, b"x")
    with pytest.raises(ValueError, match="options: expected .*, as num_options says"):
        nvjitlink.create(2, ["-arch=sm_90"])
    nvjitlink.add_data(link, nvjitlink.InputType.PTX, TWICE, len(TWICE), "twice.ptx")
    nvjitlink.complete(link)
    with pytest.raises(ValueError, match="the buffer has 1; ask nvJitLinkGetLinkedCubinSize for the size first"):
        nvjitlink.get_linked_cubin(link, bytearray(1))


def test_handles_that_are_none() -> None:
    ended = nvjitlink.create(1, ["-arch=sm_90"])
    nvjitlink.destroy(ended)
    for none in (1234, 0, ended, 2**64 - 1, -1):
        for call in (
            nvjitlink.destroy,
            nvjitlink.complete,
            nvjitlink.get_error_log_size,
            lambda handle: nvjitlink.get_linked_cubin(handle, 10),
            lambda handle: nvjitlink.add_data(handle, nvjitlink.InputType.PTX, TWICE, len(TWICE), "twice.ptx"),
        ):
            with pytest.raises(nvjitlink.nvJitLinkError, match="ERROR_INVALID_INPUT"):
                call(none)
