#include "CPixelKernels.h"
#include "lanes.h"

/// The cube root with the sign of what it is of; relative error below 1e-6, 0 stays 0.
///
/// x · y² with y ≈ |x|^(−⅓) from a third of the bits is within 7 %; the rest is a power series in
/// h = 1 − |x|·y³, for ∛x = x·y²·(1 − h)^(−⅔).
static inline floats cube_root(floats x) {
  // In units of 512 the sum fits a mantissa: adding 2²³ rounds it to an integer in the low bits.
  floats third = __builtin_convertvector(bits_of(magnitude(x)), floats) * (-1.0F / 1536);
  floats guess = float_of(bits_of(third + (8388608 + 2773238.375F)) << 9);
  floats rough = x * (guess * guess);
  floats h = 1 - magnitude(rough) * guess;
  floats high = h * 0.45973662F + 0.49948665F;
  return rough * (((high * h + 0.55552602F) * h + 0.6666516F) * h + 1);
}

// The matrices are B. Ottosson's of 2021-01-25.

void minilab_planes_to_oklab(float *planes, size_t groups) {
  floats *lightness = plane(planes, groups, 0);
  floats *a = plane(planes, groups, 1);
  floats *b = plane(planes, groups, 2);
  for (size_t group = 0; group < 3 * groups; group++) {
    lightness[group] = cube_root(lightness[group]);
  }
  for (size_t group = 0; group < groups; group++) {
    floats l = lightness[group], m = a[group], s = b[group];
    lightness[group] = l * 0.2104542553F + m * 0.7936177850F - s * 0.0040720468F;
    a[group] = l * 1.9779984951F - m * 2.4285922050F + s * 0.4505937099F;
    b[group] = l * 0.0259040371F + m * 0.7827717662F - s * 0.8086757660F;
  }
}

void minilab_planes_from_oklab(float *planes, size_t groups) {
  floats *lightness = plane(planes, groups, 0);
  floats *as = plane(planes, groups, 1);
  floats *bs = plane(planes, groups, 2);
  for (size_t group = 0; group < groups; group++) {
    floats light = lightness[group], a = as[group], b = bs[group];
    floats l = light + a * 0.3963377774F + b * 0.2158037573F;
    floats m = light - a * 0.1055613458F - b * 0.0638541728F;
    floats s = light - a * 0.0894841775F - b * 1.2914855480F;
    lightness[group] = l * l * l;
    as[group] = m * m * m;
    bs[group] = s * s * s;
  }
}

void minilab_oklab_shift_hues(
    float *planes, size_t groups, const float *entries, int32_t steps, float nearness) {
  for (size_t start = 0; start < groups; start += batch) {
    size_t here = groups - start < batch ? groups - start : batch;
    floats *lightness = plane(planes, groups, 0) + start;
    floats *as = plane(planes, groups, 1) + start;
    floats *bs = plane(planes, groups, 2) + start;
    integers places[batch];
    floats rests[batch];
    for (size_t group = 0; group < here; group++) {
      floats a = as[group], b = bs[group];
      floats slope = b / greater(magnitude(a) + magnitude(b), 1e-30F);
      floats turn = a < 0 ? 3 - slope : slope + 1;
      // What is not a number must not lead out of the table.
      floats position = lesser(greater(turn * (float)steps, 0), (float)(4 * steps));
      floats whole = __builtin_elementwise_trunc(position);
      places[group] = __builtin_convertvector(whole, integers);
      rests[group] = position - whole;
    }
    const int32_t *place = (const int32_t *)places;
    const float *rest = (const float *)rests;
    for (size_t group = 0; group < here; group++) {
      pixel shifts[lanes];
      for (int lane = 0; lane < lanes; lane++) {
        size_t index = lanes * group + lane;
        pixel one, other;
        memcpy(&one, entries + 4 * (size_t)place[index], sizeof one);
        memcpy(&other, entries + 4 * (size_t)place[index] + 4, sizeof other);
        shifts[lane] = one + (other - one) * rest[index];
      }
      floats light, along, over;
      spread(shifts, &light, &along, &over);
      floats a = as[group], b = bs[group];
      floats near = lesser((a * a + b * b) * nearness, 1);
      floats strength = near * (2 - near);
      lightness[group] += lightness[group] * (light * strength);
      as[group] = a + (a * along - b * over) * strength;
      bs[group] = b + (b * along + a * over) * strength;
    }
  }
}

void minilab_oklab_scale_chroma(
    float *planes, size_t groups, const float *pieces, float scale, float least, int32_t bits) {
  int32_t first;
  memcpy(&first, &least, sizeof first);
  first >>= bits;
  for (size_t start = 0; start < groups; start += batch) {
    size_t here = groups - start < batch ? groups - start : batch;
    floats *as = plane(planes, groups, 1) + start;
    floats *bs = plane(planes, groups, 2) + start;
    integers places[batch];
    floats squares[batch];
    for (size_t group = 0; group < here; group++) {
      floats a = as[group], b = bs[group];
      // What is not a number must not lead out of the table.
      squares[group] = greater(lesser((a * a + b * b) * scale, 1), least);
      places[group] = (bits_of(squares[group]) >> bits) - first;
    }
    for (size_t group = 0; group < here; group++) {
      floats intercepts, slopes;
      pieces_at(pieces, (const int32_t *)&places[group], &intercepts, &slopes);
      floats factor = intercepts + slopes * squares[group];
      as[group] *= factor;
      bs[group] *= factor;
    }
  }
}
