namespace py {
template <class B, class A> static __device__ inline B bits(A value)
{
    union { A from; B to; } all = {};
    all.from = value;
    return all.to;
}
}
