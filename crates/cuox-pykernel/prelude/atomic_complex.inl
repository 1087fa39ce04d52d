namespace py {
// By parts, each of which no other thread interrupts; what is returned may have parts of different times.
template <class T> static __device__ inline complex<T> atomic_add(complex<T> *p, complex<T> v)
{
    const T real = atomic_add((T *)p, v.real());
    return complex<T>(real, atomic_add((T *)p + 1, v.imag()));
}
template <class T> static __device__ inline complex<T> atomic_sub(complex<T> *p, complex<T> v)
{
    const T real = atomic_sub((T *)p, v.real());
    return complex<T>(real, atomic_sub((T *)p + 1, v.imag()));
}
}
