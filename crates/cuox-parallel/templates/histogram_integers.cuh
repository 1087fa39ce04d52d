// The bin is the exact one.
const unsigned long long cuox_width = (unsigned long long)cuox_high - (unsigned long long)cuox_low;
const double cuox_scale = (double)cuox_bins / (double)cuox_width;
const auto cuox_whole = [&](const cuox_level value) -> unsigned int {
    const unsigned long long distance = (unsigned long long)value - (unsigned long long)cuox_low;
    // The product may need more than 64 bits.
    if (sizeof(cuox_level) == 8 && cuox_width >= 1ull << 62)
        return (unsigned int)((unsigned __int128)distance * cuox_bins / cuox_width);
    // Of up to 2^31 bins the product in float64 is at most one beside the right one, which the rest of the division tells, though it be taken modulo 2^64.
    const unsigned int bin = (unsigned int)((double)distance * cuox_scale);
    const long long rest = (long long)(distance * cuox_bins - bin * cuox_width);
    return bin + (rest < 0 ? -1 : rest >= (long long)cuox_width);
};
// A value in front of the first bin, or behind the last, is that modulo 2^32.
const auto cuox_distance = [&](const cuox_level value) -> float { return (float)((unsigned int)value - (unsigned int)cuox_low); };
