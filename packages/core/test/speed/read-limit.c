/* How fast memory can be read: the sum of as many bytes as a ranking reads. Prints the median in microseconds. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
  return at.tv_sec * 1e6 + at.tv_nsec / 1e3;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

typedef double wide __attribute__((vector_size(64)));

int main(int count, char **words) {
  if (count < 3) return 1;
  long parts = atol(words[1]) / 256;
  int runs = atoi(words[2]);
  wide *bytes = aligned_alloc(64, parts * 256);
  double *took = malloc(runs * sizeof *took);
  volatile double kept = 0;
  for (long i = 0; i < parts * 4; i++) bytes[i] = (wide){0};
  for (int run = 0; run < runs; run++) {
    double start = now();
    wide a = {0}, b = {0}, c = {0}, d = {0};
    for (long i = 0; i < parts; i++) {
      a += bytes[4 * i];
      b += bytes[4 * i + 1];
      c += bytes[4 * i + 2];
      d += bytes[4 * i + 3];
    }
    wide sum = a + b + c + d;
    kept += sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7];
    took[run] = now() - start;
  }
  qsort(took, runs, sizeof *took, ascending);
  printf("%.3f\n", took[runs / 2]);
  return 0;
}
