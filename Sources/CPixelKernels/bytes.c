#include "CPixelKernels.h"
#include "lanes.h"

typedef uint8_t octets __attribute__((ext_vector_type(32)));

/// 0…1 as a number from 0 to 255 in each lane; what is not a number becomes 0.
static inline naturals code(floats value) {
  floats held = lesser(greater(value, 0), 1);
  // At 2²³ a float's last bit counts ones, so the sum is rounded to a whole number.
  return (naturals)bits_of(held * 255 + 8388608) & 0xFF;
}

/// Twelve bytes of four pixels, twice, each followed by four that mean nothing.
static inline octets packed(floats red, floats green, floats blue) {
  octets codes = (octets)(code(red) | code(green) << 8 | code(blue) << 16);
  return __builtin_shufflevector(
      codes, codes, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 3, 7, 11, 15, 16, 17, 18, 20, 21, 22,
      24, 25, 26, 28, 29, 30, 19, 23, 27, 31);
}

static inline void write_octets(uint8_t *to, octets codes) {
  memcpy(to, &codes, 12);
  memcpy(to + 12, (const uint8_t *)&codes + 16, 12);
}

void minilab_planes_write_bytes(const float *planes, size_t groups, uint8_t *bytes, size_t count) {
  const floats *red = plane_to_read(planes, groups, 0);
  const floats *green = plane_to_read(planes, groups, 1);
  const floats *blue = plane_to_read(planes, groups, 2);
  size_t filled = count / lanes;
  for (size_t group = 0; group < filled; group++) {
    write_octets(bytes + 24 * group, packed(red[group], green[group], blue[group]));
  }
  if (filled == groups) return;
  uint8_t rest[24];
  write_octets(rest, packed(red[filled], green[filled], blue[filled]));
  memcpy(bytes + 24 * filled, rest, 3 * (count - lanes * filled));
}
