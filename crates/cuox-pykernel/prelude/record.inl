namespace py {
// A value at any address, byte by byte.
template <class T> struct unaligned {
    unsigned char *place;
    __device__ inline unaligned(unsigned char *place) : place(place) {}
    __device__ inline T get() const
    {
        union { T value; unsigned char bytes[sizeof(T)]; } all = {};
        for (int i = 0; i < int(sizeof(T)); ++i) all.bytes[i] = place[i];
        return all.value;
    }
    __device__ inline void set(T value) const
    {
        union { T value; unsigned char bytes[sizeof(T)]; } all = {};
        all.value = value;
        for (int i = 0; i < int(sizeof(T)); ++i) place[i] = all.bytes[i];
    }
};
}
