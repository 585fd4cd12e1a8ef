#include "CPixelKernels.h"
#include "lanes.h"

static inline pixel column(const float *columns, uint8_t code) {
  pixel value;
  memcpy(&value, columns + 4 * (size_t)code, sizeof value);
  return value;
}

static inline void read_eight(
    const uint8_t *bytes, const float *columns, floats *red, floats *green, floats *blue) {
  pixel p[lanes];
  for (int lane = 0; lane < lanes; lane++) {
    const uint8_t *codes = bytes + 3 * lane;
    p[lane] = column(columns, codes[0]) + column(columns + 1024, codes[1])
        + column(columns + 2048, codes[2]);
  }
  spread(p, red, green, blue);
}

void minilab_planes_read_bytes(
    float *planes, size_t groups, const uint8_t *bytes, size_t count, const float *columns) {
  floats *red = plane(planes, groups, 0);
  floats *green = plane(planes, groups, 1);
  floats *blue = plane(planes, groups, 2);
  size_t filled = count / lanes;
  for (size_t group = 0; group < filled; group++) {
    read_eight(bytes + 24 * group, columns, red + group, green + group, blue + group);
  }
  if (filled == groups) return;
  uint8_t rest[24] = {0};
  memcpy(rest, bytes + 24 * filled, 3 * (count - lanes * filled));
  read_eight(rest, columns, red + filled, green + filled, blue + filled);
}

void minilab_planes_read_pixels(float *planes, size_t groups, const float *pixels, size_t count) {
  floats *red = plane(planes, groups, 0);
  floats *green = plane(planes, groups, 1);
  floats *blue = plane(planes, groups, 2);
  size_t filled = count / lanes;
  const pixel *from = (const pixel *)pixels;
  for (size_t group = 0; group < filled; group++) {
    spread(from + lanes * group, red + group, green + group, blue + group);
  }
  if (filled == groups) return;
  pixel rest[lanes] = {0};
  memcpy(rest, from + lanes * filled, sizeof(pixel) * (count - lanes * filled));
  spread(rest, red + filled, green + filled, blue + filled);
}

static inline pixel with_fourth(pixel colour, pixel of) {
  return __builtin_shufflevector(colour, of, 0, 1, 2, 7);
}

static inline void write_eight(pixel *to, floats red, floats green, floats blue) {
  floats rg = __builtin_shufflevector(red, green, 0, 8, 1, 9, 4, 12, 5, 13);
  floats b = __builtin_shufflevector(blue, blue, 0, 8, 1, 9, 4, 12, 5, 13);
  floats rg_rest = __builtin_shufflevector(red, green, 2, 10, 3, 11, 6, 14, 7, 15);
  floats b_rest = __builtin_shufflevector(blue, blue, 2, 10, 3, 11, 6, 14, 7, 15);
  floats p04 = __builtin_shufflevector(rg, b, 0, 1, 8, 9, 4, 5, 12, 13);
  floats p15 = __builtin_shufflevector(rg, b, 2, 3, 10, 11, 6, 7, 14, 15);
  floats p26 = __builtin_shufflevector(rg_rest, b_rest, 0, 1, 8, 9, 4, 5, 12, 13);
  floats p37 = __builtin_shufflevector(rg_rest, b_rest, 2, 3, 10, 11, 6, 7, 14, 15);
  to[0] = with_fourth(p04.lo, to[0]);
  to[1] = with_fourth(p15.lo, to[1]);
  to[2] = with_fourth(p26.lo, to[2]);
  to[3] = with_fourth(p37.lo, to[3]);
  to[4] = with_fourth(p04.hi, to[4]);
  to[5] = with_fourth(p15.hi, to[5]);
  to[6] = with_fourth(p26.hi, to[6]);
  to[7] = with_fourth(p37.hi, to[7]);
}

void minilab_planes_write_pixels(const float *planes, size_t groups, float *pixels, size_t count) {
  const floats *red = plane_to_read(planes, groups, 0);
  const floats *green = plane_to_read(planes, groups, 1);
  const floats *blue = plane_to_read(planes, groups, 2);
  size_t filled = count / lanes;
  pixel *to = (pixel *)pixels;
  for (size_t group = 0; group < filled; group++) {
    write_eight(to + lanes * group, red[group], green[group], blue[group]);
  }
  if (filled == groups) return;
  pixel rest[lanes] = {0};
  size_t size = sizeof(pixel) * (count - lanes * filled);
  memcpy(rest, to + lanes * filled, size);
  write_eight(rest, red[filled], green[filled], blue[filled]);
  memcpy(to + lanes * filled, rest, size);
}

void minilab_planes_multiply(float *planes, size_t groups, const float *m) {
  floats *red = plane(planes, groups, 0);
  floats *green = plane(planes, groups, 1);
  floats *blue = plane(planes, groups, 2);
  float rows[9];
  memcpy(rows, m, sizeof rows);
  for (size_t group = 0; group < groups; group++) {
    floats r = red[group], g = green[group], b = blue[group];
    red[group] = r * rows[0] + g * rows[1] + b * rows[2];
    green[group] = r * rows[3] + g * rows[4] + b * rows[5];
    blue[group] = r * rows[6] + g * rows[7] + b * rows[8];
  }
}

size_t minilab_planes_count_outside(
    const float *planes, size_t groups, size_t count, float low, float high) {
  const floats *red = plane_to_read(planes, groups, 0);
  const floats *green = plane_to_read(planes, groups, 1);
  const floats *blue = plane_to_read(planes, groups, 2);
  integers total = {0};
  for (size_t group = 0; group < groups; group++) {
    integers outside = (red[group] < low) | (red[group] > high) | (green[group] < low)
        | (green[group] > high) | (blue[group] < low) | (blue[group] > high);
    // All bits of a lane that is outside are set, which is −1.
    if (group + 1 < groups) {
      total -= outside;
      continue;
    }
    for (size_t lane = 0; lane < count - lanes * group; lane++) total[lane] -= outside[lane];
  }
  size_t sum = 0;
  for (int lane = 0; lane < lanes; lane++) sum += (size_t)total[lane];
  return sum;
}
