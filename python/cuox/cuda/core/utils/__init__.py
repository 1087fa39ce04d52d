"""Helpers beside the classes of `cuda.core`, with the names of `cuda.core.utils`."""

from cuox._internal.later import missing
from cuox._internal.program_caches import (
    FileStreamProgramCache,
    InMemoryProgramCache,
    ProgramCacheResource,
    make_program_cache_key,
)

__all__ = ["FileStreamProgramCache", "InMemoryProgramCache", "ProgramCacheResource", "make_program_cache_key"]

_BATCHES = "Buffer.copy_from, and cuMemcpyBatchAsync and cuMemPrefetchAsync of cuox.cuda.bindings, one by one"
_VIEWS = "Buffer and cuox.from_dlpack exchange arrays"
__getattr__ = missing(
    __name__,
    {
        **dict.fromkeys(["CopyOptions", "MemcpyOverlapMode", "MemcpySrcAccessOrder", "copy_batch"], _BATCHES),
        **dict.fromkeys(["discard_batch", "discard_prefetch_batch", "prefetch_batch"], _BATCHES),
        **dict.fromkeys(["StridedMemoryView", "args_viewable_as_strided_memory"], _VIEWS),
    },
    "cuda.core.utils",
)
