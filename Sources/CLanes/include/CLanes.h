#pragma once

// What Swift's vectors cannot say in one instruction: roots, fused products, look-ups, and lanes of
// several vectors put together. Inlined into the Swift that calls it; no policy, no state.

#include <stdint.h>

typedef float lanes_floats __attribute__((ext_vector_type(8)));
typedef int32_t lanes_integers __attribute__((ext_vector_type(8)));

// The standard library's root calls a function for each lane that might be negative.
static inline lanes_floats lanes_root(lanes_floats x) { return __builtin_elementwise_sqrt(x); }

// a·b + c, rounded once.
static inline lanes_floats lanes_fused(lanes_floats a, lanes_floats b, lanes_floats c) {
  return __builtin_elementwise_fma(a, b, c);
}

// Eight values of a table.
static inline lanes_floats lanes_look_up(const float *table, lanes_integers i) {
  return (lanes_floats){table[i[0]], table[i[1]], table[i[2]], table[i[3]],
                        table[i[4]], table[i[5]], table[i[6]], table[i[7]]};
}

static inline lanes_floats lanes_counting(void) { return (lanes_floats){0, 1, 2, 3, 4, 5, 6, 7}; }

// Eight of eight values; the indices lie in 0 … 7.
static inline lanes_floats lanes_chosen(lanes_floats x, lanes_integers i) {
#ifdef __AVX2__
  return (lanes_floats)__builtin_ia32_permvarsf256(x, i);
#else
  return (lanes_floats){x[i[0] & 7], x[i[1] & 7], x[i[2] & 7], x[i[3] & 7],
                        x[i[4] & 7], x[i[5] & 7], x[i[6] & 7], x[i[7] & 7]};
#endif
}

// Cut off towards 0.
static inline lanes_integers lanes_whole(lanes_floats x) {
  return __builtin_convertvector(x, lanes_integers);
}

// Whole numbers as floats.
static inline lanes_floats lanes_float(lanes_integers x) {
  return __builtin_convertvector(x, lanes_floats);
}

// Eight pixels of three samples, side by side in a, b, c: each channel by itself.
static inline lanes_floats lanes_first_of_three(lanes_floats a, lanes_floats b, lanes_floats c) {
  lanes_floats ab = __builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, -1, -1);
  return __builtin_shufflevector(ab, c, 0, 1, 2, 3, 4, 5, 10, 13);
}

static inline lanes_floats lanes_second_of_three(lanes_floats a, lanes_floats b, lanes_floats c) {
  lanes_floats ab = __builtin_shufflevector(a, b, 1, 4, 7, 10, 13, -1, -1, -1);
  return __builtin_shufflevector(ab, c, 0, 1, 2, 3, 4, 8, 11, 14);
}

static inline lanes_floats lanes_third_of_three(lanes_floats a, lanes_floats b, lanes_floats c) {
  lanes_floats ab = __builtin_shufflevector(a, b, 2, 5, 8, 11, 14, -1, -1, -1);
  return __builtin_shufflevector(ab, c, 0, 1, 2, 3, 4, 9, 12, 15);
}

// The way back: the first, second and third eight samples of eight pixels.
static inline lanes_floats lanes_first_samples(lanes_floats r, lanes_floats g, lanes_floats b) {
  lanes_floats rg = __builtin_shufflevector(r, g, 0, 8, -1, 1, 9, -1, 2, 10);
  return __builtin_shufflevector(rg, b, 0, 1, 8, 3, 4, 9, 6, 7);
}

static inline lanes_floats lanes_second_samples(lanes_floats r, lanes_floats g, lanes_floats b) {
  lanes_floats rg = __builtin_shufflevector(r, g, -1, 3, 11, -1, 4, 12, -1, 5);
  return __builtin_shufflevector(rg, b, 10, 1, 2, 11, 4, 5, 12, 7);
}

static inline lanes_floats lanes_third_samples(lanes_floats r, lanes_floats g, lanes_floats b) {
  lanes_floats rg = __builtin_shufflevector(r, g, 13, -1, 6, 14, -1, 7, 15, -1);
  return __builtin_shufflevector(rg, b, 0, 13, 2, 3, 14, 5, 6, 15);
}

// Shuffles are spelt with constants: lanes that are taken out one by one make the compiler work out
// the whole vector lane by lane.

// Two pixels of four samples in each of a, b, c, d: one channel of all eight.
#define LANES_CHANNEL(name, k)                                                                     \
  static inline lanes_floats lanes_##name##_of_four(lanes_floats a, lanes_floats b,                \
                                                    lanes_floats c, lanes_floats d) {              \
    lanes_floats ab = __builtin_shufflevector(a, b, k, 4 + k, 8 + k, 12 + k, -1, -1, -1, -1);      \
    lanes_floats cd = __builtin_shufflevector(c, d, k, 4 + k, 8 + k, 12 + k, -1, -1, -1, -1);      \
    return __builtin_shufflevector(ab, cd, 0, 1, 2, 3, 8, 9, 10, 11);                              \
  }
LANES_CHANNEL(first, 0)
LANES_CHANNEL(second, 1)
LANES_CHANNEL(third, 2)
LANES_CHANNEL(fourth, 3)

// Two pixels of four samples, out of eight pixels' channels; and what the samples of two pixels are
// multiplied by, alpha by 1.
#define LANES_PAIR(name, i)                                                                        \
  static inline lanes_floats lanes_##name##_pair(lanes_floats r, lanes_floats g, lanes_floats b,   \
                                                 lanes_floats a) {                                 \
    lanes_floats rg = __builtin_shufflevector(r, g, i, 8 + i, -1, -1, i + 1, 9 + i, -1, -1);       \
    lanes_floats ba = __builtin_shufflevector(b, a, -1, -1, i, 8 + i, -1, -1, i + 1, 9 + i);       \
    return __builtin_shufflevector(rg, ba, 0, 1, 10, 11, 4, 5, 14, 15);                            \
  }                                                                                                \
  static inline lanes_floats lanes_##name##_gains(lanes_floats gains) {                            \
    lanes_floats one = {1};                                                                        \
    return __builtin_shufflevector(gains, one, i, i, i, 8, i + 1, i + 1, i + 1, 8);                \
  }
LANES_PAIR(first, 0)
LANES_PAIR(second, 2)
LANES_PAIR(third, 4)
LANES_PAIR(fourth, 6)

// The same for pixels of three samples: the first, second and third eight of 24.
static inline lanes_floats lanes_first_gains_of_three(lanes_floats gains) {
  return __builtin_shufflevector(gains, gains, 0, 0, 0, 1, 1, 1, 2, 2);
}

static inline lanes_floats lanes_second_gains_of_three(lanes_floats gains) {
  return __builtin_shufflevector(gains, gains, 2, 3, 3, 3, 4, 4, 4, 5);
}

static inline lanes_floats lanes_third_gains_of_three(lanes_floats gains) {
  return __builtin_shufflevector(gains, gains, 5, 5, 6, 6, 6, 7, 7, 7);
}
