"""Arrays, textures and surfaces, with the names of `cuda.core.texture`."""

from .arrays import MipmappedArray, MipmappedArrayOptions, OpaqueArray, OpaqueArrayOptions
from .objects import SurfaceObject, TextureObject, TextureObjectOptions
from .resources import ResourceDescriptor

__all__ = [
    "MipmappedArray",
    "MipmappedArrayOptions",
    "OpaqueArray",
    "OpaqueArrayOptions",
    "ResourceDescriptor",
    "SurfaceObject",
    "TextureObject",
    "TextureObjectOptions",
]

# Messages name the place that users know.
for _name in __all__:
    globals()[_name].__module__ = "cuox.cuda.core.texture"
del _name
