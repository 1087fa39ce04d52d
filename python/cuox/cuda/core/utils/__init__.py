"""Helpers beside the classes of `cuda.core`, with the names of `cuda.core.utils`."""

from cuox._internal.memory.copies import CopyOptions, MemcpyOverlapMode, MemcpySrcAccessOrder, copy_batch
from cuox._internal.memory.managed import discard_batch, discard_prefetch_batch, prefetch_batch
from cuox._internal.memory.views import args_viewable_as_strided_memory
from cuox._internal.program_caches import (
    FileStreamProgramCache,
    InMemoryProgramCache,
    ProgramCacheResource,
    make_program_cache_key,
)
from cuox._native import StridedMemoryView

__all__ = [
    "CopyOptions",
    "FileStreamProgramCache",
    "InMemoryProgramCache",
    "MemcpyOverlapMode",
    "MemcpySrcAccessOrder",
    "ProgramCacheResource",
    "StridedMemoryView",
    "args_viewable_as_strided_memory",
    "copy_batch",
    "discard_batch",
    "discard_prefetch_batch",
    "make_program_cache_key",
    "prefetch_batch",
]
