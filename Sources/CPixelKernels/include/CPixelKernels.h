#pragma once

#include <stddef.h>
#include <stdint.h>

// Arithmetic on pixels, eight values at a time: Swift's vectors of eight are put together lane by
// lane, and its tables are looked up through vectors that are taken apart. Plain loops, no policy.
//
// `planes` are three planes of floats one after the other, red, green, blue, each of 8 · `groups`
// values, and lie at a multiple of 32 bytes. `count` pixels are at most 8 · `groups` and more than
// 8 · (`groups` − 1). Nothing is written beyond what is named, and nothing is kept.

/// Sums of one column a band: `columns` holds four floats for each of 256 codes, band after band.
void minilab_planes_read_bytes(
    float *planes, size_t groups, const uint8_t *bytes, size_t count, const float *columns);
/// Pixels of four floats, of which the last is left out.
void minilab_planes_read_pixels(float *planes, size_t groups, const float *pixels, size_t count);
/// The fourth float of each pixel stays as it is.
void minilab_planes_write_pixels(const float *planes, size_t groups, float *pixels, size_t count);
/// Three bytes a pixel: 0…1 as 0…255, rounded; what lies outside becomes the nearer end.
void minilab_planes_write_bytes(const float *planes, size_t groups, uint8_t *bytes, size_t count);

/// Nine numbers, row after row.
void minilab_planes_multiply(float *planes, size_t groups, const float *matrix);

/// How many of `count` pixels have a channel below `low` or above `high`.
size_t minilab_planes_count_outside(
    const float *planes, size_t groups, size_t count, float low, float high);

/// Straight pieces of a curve: by the upper bits of a value's size less `first`, from 0 up for
/// positive values and from −1 down for negative ones.
typedef struct {
  int32_t bits;
  int32_t first;
  int32_t lowest;
  int32_t highest;
} MinilabPieces;

/// `pieces` points to intercept and slope of the piece 0; there are others before it.
void minilab_values_look_up(
    float *values, size_t groups, const float *pieces, const MinilabPieces *places);
/// The same with what lies at or beyond two ends held: `ends` is first, last, before, after.
void minilab_values_look_up_held(
    float *values, size_t groups, const float *pieces, const MinilabPieces *places,
    const float *ends);

/// Equally spaced samples of a curve.
typedef struct {
  float lowest;
  float highest;
  /// Steps from sample to sample in a unit of the value.
  float scale;
  int32_t count;
} MinilabSamples;

/// `pieces` are the value at each sample but the last and the step to the next.
void minilab_values_interpolate(
    float *values, size_t groups, const float *pieces, const MinilabSamples *samples);

/// Where colours lie in a cube of `size` points a side, red fastest.
typedef struct {
  float lowest[3];
  float highest[3];
  /// Steps from point to point in a unit of the value.
  float scale[3];
  int32_t size;
} MinilabCube;

/// Tetrahedral interpolation between entries of four floats, of which the last is left out.
void minilab_planes_look_up_floats(
    float *planes, size_t groups, const float *entries, const MinilabCube *cube);
/// The same between codes that stand for 0…1.
void minilab_planes_look_up_codes(
    float *planes, size_t groups, const uint16_t *entries, const MinilabCube *cube);

/// Cone responses to Oklab, as L, a, b.
void minilab_planes_to_oklab(float *planes, size_t groups);
void minilab_planes_from_oklab(float *planes, size_t groups);
/// What an entry of four floats says for a colour's hue: added lightness, and chroma along and
/// across, in full from where the square of chroma times `nearness` is 1. Entries are `steps` for
/// each quarter, and two more.
void minilab_oklab_shift_hues(
    float *planes, size_t groups, const float *entries, int32_t steps, float nearness);
/// Chroma times a factor from straight pieces over its square times `scale`, from `least` to 1, by
/// the upper bits of that product.
void minilab_oklab_scale_chroma(
    float *planes, size_t groups, const float *pieces, float scale, float least, int32_t bits);
