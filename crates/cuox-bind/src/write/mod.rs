//! A binding as text: a Python module and its stub.
