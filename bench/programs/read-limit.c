/* Reads as many bytes as a ranking has to touch, and nothing else: 15 columns of doubles and one of 32 bits an offer. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int count, char **arguments) {
  enum { ROUNDS = 31 };
  size_t offers = count > 1 ? (size_t)atol(arguments[1]) : 5000;
  double *columns = aligned_alloc(64, (offers * 15 * sizeof(double) + 63) / 64 * 64);
  uint32_t *mask = aligned_alloc(64, (offers * sizeof(uint32_t) + 63) / 64 * 64);
  if (!columns || !mask) return 1;
  for (size_t i = 0; i < offers * 15; i++) columns[i] = (double)(i % 1000) * 0.001;
  for (size_t i = 0; i < offers; i++) mask[i] = (uint32_t)i;
  size_t calls = 1 + 20000000 / (offers * 124);
  double times[ROUNDS], total = 0;
  uint64_t bits = 0;
  for (int round = 0; round < ROUNDS; round++) {
    double start = seconds();
    for (size_t call = 0; call < calls; call++) {
      double sum = 0;
      uint32_t all = 0;
      const double *from = columns;
      for (size_t i = 0; i < offers * 15; i++) sum += from[i];
      for (size_t i = 0; i < offers; i++) all += mask[i];
      total += sum;
      bits += all;
      __asm__ volatile("" ::: "memory");
    }
    times[round] = (seconds() - start) / (double)calls;
  }
  qsort(times, ROUNDS, sizeof(double), ascending);
  fprintf(stderr, "%g %llu\n", total, (unsigned long long)bits);
  printf("%.4f\n", times[ROUNDS / 2] * 1e6);
  return 0;
}
