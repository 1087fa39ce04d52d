"""PyCUDA's sharing of buffers and textures with OpenGL, which cuox does not have: importing this module raises
ImportError.
"""

raise ImportError(
    "cuox.pycuda.gl is not supported: cuox does not share memory with OpenGL. Copy results to the host (GPUArray.get()) and upload them with "
    "OpenGL's own calls (glBufferSubData, glTexSubImage2D)"
)
