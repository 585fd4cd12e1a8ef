#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Eight values at a time, as the compiler's own vectors: one instruction each where there is AVX2,
// two where there is NEON.
typedef float floats __attribute__((ext_vector_type(8)));
typedef int32_t integers __attribute__((ext_vector_type(8)));
typedef uint32_t naturals __attribute__((ext_vector_type(8)));
typedef float pixel __attribute__((ext_vector_type(4)));

enum { lanes = 8 };
/// Values that a step works on before the next one: places wait in memory, whence one load each
/// brings them back, which is cheaper than to take a vector apart.
enum { batch = 16 };

static inline integers bits_of(floats value) { return (integers)value; }
static inline floats float_of(integers bits) { return (floats)bits; }

/// The second where the first is not a number.
static inline floats lesser(floats a, floats b) { return a < b ? a : b; }
static inline floats greater(floats a, floats b) { return a > b ? a : b; }
static inline integers least_of(integers a, integers b) {
  return __builtin_elementwise_min(a, b);
}
static inline integers most_of(integers a, integers b) { return __builtin_elementwise_max(a, b); }

static inline floats magnitude(floats value) { return float_of(bits_of(value) & 0x7FFFFFFF); }

static inline floats *plane(float *planes, size_t groups, size_t channel) {
  return (floats *)planes + channel * groups;
}
static inline const floats *plane_to_read(const float *planes, size_t groups, size_t channel) {
  return (const floats *)planes + channel * groups;
}

/// Eight pixels; the fourth values are left out.
static inline void spread(const pixel p[lanes], floats *red, floats *green, floats *blue) {
  floats a = __builtin_shufflevector(p[0], p[4], 0, 1, 2, 3, 4, 5, 6, 7);
  floats b = __builtin_shufflevector(p[1], p[5], 0, 1, 2, 3, 4, 5, 6, 7);
  floats c = __builtin_shufflevector(p[2], p[6], 0, 1, 2, 3, 4, 5, 6, 7);
  floats d = __builtin_shufflevector(p[3], p[7], 0, 1, 2, 3, 4, 5, 6, 7);
  floats ab = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
  floats cd = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13);
  *red = __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13);
  *green = __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15);
  floats ab_rest = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
  floats cd_rest = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
  *blue = __builtin_shufflevector(ab_rest, cd_rest, 0, 1, 8, 9, 4, 5, 12, 13);
}

/// Eight intercepts and slopes at the places.
static inline void pieces_at(
    const float *pieces, const int32_t *places, floats *intercepts, floats *slopes) {
  typedef double pairs __attribute__((ext_vector_type(4)));
  double p[lanes];
  for (int lane = 0; lane < lanes; lane++) memcpy(&p[lane], pieces + 2 * (ptrdiff_t)places[lane], 8);
  floats even = (floats)(pairs){p[0], p[1], p[4], p[5]};
  floats odd = (floats)(pairs){p[2], p[3], p[6], p[7]};
  *intercepts = __builtin_shufflevector(even, odd, 0, 2, 8, 10, 4, 6, 12, 14);
  *slopes = __builtin_shufflevector(even, odd, 1, 3, 9, 11, 5, 7, 13, 15);
}
