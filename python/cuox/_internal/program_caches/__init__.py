"""Caches of compiled programs, with the names of `cuda.core.utils`."""

from .files import FileStreamProgramCache
from .keys import make_program_cache_key
from .memory import InMemoryProgramCache
from .resource import ProgramCacheResource

__all__ = ["FileStreamProgramCache", "InMemoryProgramCache", "ProgramCacheResource", "make_program_cache_key"]

# Pickles and messages name the place that users know.
for _class in (FileStreamProgramCache, InMemoryProgramCache, ProgramCacheResource, make_program_cache_key):
    _class.__module__ = "cuox.cuda.core.utils"
del _class
