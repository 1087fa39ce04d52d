/* The same loops as the kernels of benches/streams.py, for all processors. */
void copy(int n, const float *restrict x, float *restrict y)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = x[i];
}

void saxpy(int n, float a, const float *restrict x, float *restrict y)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}

void vecadd(int n, const float *restrict x, const float *restrict y, float *restrict z)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        z[i] = x[i] + y[i];
}

void triad(int n, double a, const double *restrict x, const double *restrict y, double *restrict z)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        z[i] = x[i] + a * y[i];
}
