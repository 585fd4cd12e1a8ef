#include "CPixelKernels.h"
#include "lanes.h"

/// Where a batch of colours lies among the points of a cube.
typedef struct {
  /// The first point, and how far from it the two between lie.
  integers base[batch], first[batch], second[batch];
  /// Of the first point, the two between, and the one across.
  floats weights[4][batch];
} Cells;

/// The place among a channel's points, as a whole number and a rest of 0…1.
static inline floats split(floats value, const MinilabCube *cube, int channel, floats *rest) {
  floats held = lesser(greater(value, cube->lowest[channel]), cube->highest[channel]);
  floats position = (held - cube->lowest[channel]) * cube->scale[channel];
  floats whole = lesser(__builtin_elementwise_trunc(position), cube->size - 2);
  *rest = position - whole;
  return whole;
}

static inline void find(
    Cells *cells, const floats *red, const floats *green, const floats *blue, size_t count,
    const MinilabCube *cube, float unit) {
  int32_t size = cube->size, square = size * size, across = 1 + size + square;
  for (size_t group = 0; group < count; group++) {
    floats r, g, b;
    floats place = split(red[group], cube, 0, &r) + split(green[group], cube, 1, &g) * size
        + split(blue[group], cube, 2, &b) * square;
    floats larger = greater(r, g), smaller = lesser(r, g);
    floats high = greater(larger, b), low = lesser(smaller, b);
    floats middle = greater(smaller, lesser(larger, b));
    cells->weights[0][group] = unit - high * unit;
    cells->weights[1][group] = (high - middle) * unit;
    cells->weights[2][group] = (middle - low) * unit;
    cells->weights[3][group] = low * unit;
    // Where two rests are equal, the point whose choice they would decide has no weight.
    integers step = r == high ? (integers)1 : g == high ? (integers)size : (integers)square;
    integers missing = b == low ? (integers)square : g == low ? (integers)size : (integers)1;
    integers base = __builtin_convertvector(place, integers);
    cells->base[group] = base;
    cells->first[group] = base + step;
    cells->second[group] = base + across - missing;
  }
}

static inline pixel entry_of_floats(const void *entries, int32_t place) {
  pixel value;
  memcpy(&value, (const float *)entries + 4 * (size_t)place, sizeof value);
  return value;
}

static inline pixel entry_of_codes(const void *entries, int32_t place) {
  typedef uint16_t codes __attribute__((ext_vector_type(4)));
  typedef int32_t four __attribute__((ext_vector_type(4)));
  codes value;
  memcpy(&value, (const uint16_t *)entries + 4 * (size_t)place, sizeof value);
  return __builtin_convertvector(__builtin_convertvector(value, four), pixel);
}

static inline __attribute__((always_inline)) void look_up(
    float *planes, size_t groups, const void *entries, const MinilabCube *cube, float unit,
    pixel (*entry)(const void *, int32_t)) {
  int32_t across = 1 + cube->size + cube->size * cube->size;
  for (size_t start = 0; start < groups; start += batch) {
    size_t here = groups - start < batch ? groups - start : batch;
    floats *red = plane(planes, groups, 0) + start;
    floats *green = plane(planes, groups, 1) + start;
    floats *blue = plane(planes, groups, 2) + start;
    Cells cells;
    find(&cells, red, green, blue, here, cube, unit);
    const int32_t *base = (const int32_t *)cells.base;
    const int32_t *first = (const int32_t *)cells.first;
    const int32_t *second = (const int32_t *)cells.second;
    const float *weights[4];
    for (int corner = 0; corner < 4; corner++) weights[corner] = (float *)cells.weights[corner];
    for (size_t group = 0; group < here; group++) {
      pixel found[lanes];
      for (int lane = 0; lane < lanes; lane++) {
        size_t index = lanes * group + lane;
        found[lane] = entry(entries, base[index]) * weights[0][index]
            + entry(entries, first[index]) * weights[1][index]
            + (entry(entries, second[index]) * weights[2][index]
               + entry(entries, base[index] + across) * weights[3][index]);
      }
      spread(found, red + group, green + group, blue + group);
    }
  }
}

void minilab_planes_look_up_floats(
    float *planes, size_t groups, const float *entries, const MinilabCube *cube) {
  look_up(planes, groups, entries, cube, 1, entry_of_floats);
}

void minilab_planes_look_up_codes(
    float *planes, size_t groups, const uint16_t *entries, const MinilabCube *cube) {
  look_up(planes, groups, entries, cube, 1.0F / 65535, entry_of_codes);
}
