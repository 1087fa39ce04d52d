/* The CUDA runtime as a Python module, as SWIG's tutorials write it:

       cuox bind driver.i -l cudart -o driver.py
*/
%module driver
%{
#include "cuda_runtime.h"
%}
%include "cuda_runtime.h"
