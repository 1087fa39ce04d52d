"""C types, declarations and array layouts: what PyCUDA keeps in its `compyte` package."""
