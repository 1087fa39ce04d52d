"""PyCUDA's context for OpenGL, which cuox does not have: importing this module raises ImportError."""
