"""Operations on arrays that Numba comes with."""
