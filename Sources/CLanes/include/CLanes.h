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

// Two pixels of four samples in each of a, b, c, d: one channel of all eight.
static inline lanes_floats lanes_channel(lanes_floats a, lanes_floats b, lanes_floats c,
                                         lanes_floats d, const int channel) {
  return (lanes_floats){a[channel], a[4 + channel], b[channel], b[4 + channel],
                        c[channel], c[4 + channel], d[channel], d[4 + channel]};
}

// Two pixels of four samples out of two pixels' channels, the first of which stands in that lane.
static inline lanes_floats lanes_two_pixels(lanes_floats r, lanes_floats g, lanes_floats b,
                                            lanes_floats a, const int lane) {
  return (lanes_floats){r[lane],     g[lane],     b[lane],     a[lane],
                        r[lane + 1], g[lane + 1], b[lane + 1], a[lane + 1]};
}

