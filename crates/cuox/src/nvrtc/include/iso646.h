// <iso646.h>: in C++ its names are operators of the language.
#pragma once
