// The bin is what division in float64 makes of floats. Their type may not have the difference of two of its numbers.
const double cuox_scale = (double)cuox_bins / ((double)cuox_high - (double)cuox_low);
const auto cuox_whole = [&](const cuox_level value) -> unsigned int { return (unsigned int)(((double)value - (double)cuox_low) * cuox_scale); };
const auto cuox_distance = [&](const cuox_level value) -> float { return (float)value - (float)cuox_low; };
