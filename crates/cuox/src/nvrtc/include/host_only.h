// A header of the C++ or C library of which device code uses nothing: found, and empty.
#pragma once
