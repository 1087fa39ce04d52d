// A header of Thrust's containers and algorithms, which launch kernels from host code. Types that device code has beside them stay.
#pragma once
#include <thrust/functional.h>
#include <thrust/pair.h>
#include <thrust/tuple.h>
