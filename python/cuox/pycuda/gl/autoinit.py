"""PyCUDA's context that shares memory with OpenGL, which cuox does not have. Importing the package above raises
ImportError.
"""
