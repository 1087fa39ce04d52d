struct alignas(8) record_ba99a2f4 { // key: int32 at 0
    // weight: float64 at 8
    unsigned char bytes[16];
};

#line 7 "records.py"
extern "C" __global__ void kernel(array<record_ba99a2f4, 1, 'C'> records, tuple<float32, int64> point) {
    int64 tmp = py::size(records);
#line 8 "records.py"
    for (int64 i = 0ll; i < tmp; ++i) {
        record_ba99a2f4 * tmp_ = &records(i); *(int32 *)(tmp_->bytes + 0) = int32(int64(*(int32 *)(tmp_->bytes + 0)) + py::get<1>(point));
        *(float64 *)((&records(i))->bytes + 8) = float64(py::get<0>(point)) * 2.0;
    }
#line 11 "records.py"
    tuple<float64, int64> moved = tuple<float64, int64>{float64(py::get<0>(point)) + 1.0, 2ll};
    *(&records(0ll)) = *(&records(1ll));
    *(float64 *)((&records(1ll))->bytes + 8) = py::get<0>(moved) + float64(py::get<1>(moved));
}
