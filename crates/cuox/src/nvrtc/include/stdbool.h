// <stdbool.h>: C++ has all of it.
#pragma once
#define __bool_true_false_are_defined 1
