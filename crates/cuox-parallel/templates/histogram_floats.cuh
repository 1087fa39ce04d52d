// The bin is what division in float64 makes of floats. Their type may not have the difference of two of its numbers.
const double cuox_width = (double)cuox_high - (double)cuox_low, cuox_scale = (double)cuox_bins / cuox_width;
// A width may be so small that there is no number for the scale.
const bool cuox_is_tiny = !(cuox_scale <= 0x1.fffffffffffffp1023);
const auto cuox_whole = [&](const cuox_level value) -> unsigned int {
    const double distance = (double)value - (double)cuox_low;
    return (unsigned int)(cuox_is_tiny ? distance / cuox_width * (double)cuox_bins : distance * cuox_scale);
};
const auto cuox_distance = [&](const cuox_level value) -> float { return (float)value - (float)cuox_low; };
