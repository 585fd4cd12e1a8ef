#include <stdbool.h>

#include "CPixelKernels.h"
#include "lanes.h"

typedef struct {
  floats first, last, before, after;
} Ends;

/// `shift` and `holds` are known where this is called, so that a loop has no question in it.
static inline __attribute__((always_inline)) void look_up(
    floats *values, size_t groups, const float *pieces, const MinilabPieces *at, int32_t shift,
    bool holds, const Ends *ends) {
  integers first = at->first, lowest = at->lowest, highest = at->highest;
  for (size_t start = 0; start < groups; start += batch) {
    size_t here = groups - start < batch ? groups - start : batch;
    floats *value = values + start;
    integers places[batch];
    for (size_t group = 0; group < here; group++) {
      integers bits = bits_of(value[group]);
      integers size = most_of(((bits & 0x7FFFFFFF) >> shift) - first, 0);
      places[group] = least_of(most_of(size ^ (bits >> 31), lowest), highest);
    }
    for (size_t group = 0; group < here; group++) {
      floats intercepts, slopes;
      pieces_at(pieces, (const int32_t *)&places[group], &intercepts, &slopes);
      floats before = value[group];
      floats result = intercepts + slopes * before;
      if (holds) {
        result = before <= ends->first ? ends->before : result;
        result = before >= ends->last ? ends->after : result;
      }
      value[group] = result;
    }
  }
}

static inline __attribute__((always_inline)) void look_up_known(
    float *values, size_t groups, const float *pieces, const MinilabPieces *at, bool holds,
    const Ends *ends) {
  floats *all = (floats *)values;
  switch (at->bits) {
  case 16: look_up(all, groups, pieces, at, 16, holds, ends); break;
  case 15: look_up(all, groups, pieces, at, 15, holds, ends); break;
  default: look_up(all, groups, pieces, at, at->bits, holds, ends);
  }
}

void minilab_values_look_up(
    float *values, size_t groups, const float *pieces, const MinilabPieces *at) {
  look_up_known(values, groups, pieces, at, false, NULL);
}

void minilab_values_look_up_held(
    float *values, size_t groups, const float *pieces, const MinilabPieces *at, const float *e) {
  Ends ends = {e[0], e[1], e[2], e[3]};
  look_up_known(values, groups, pieces, at, true, &ends);
}

void minilab_values_interpolate(
    float *values, size_t groups, const float *pieces, const MinilabSamples *samples) {
  float lowest = samples->lowest, highest = samples->highest, scale = samples->scale;
  floats last = samples->count - 2;
  floats *all = (floats *)values;
  for (size_t start = 0; start < groups; start += batch) {
    size_t here = groups - start < batch ? groups - start : batch;
    integers places[batch];
    floats rests[batch];
    for (size_t group = 0; group < here; group++) {
      floats held = lesser(greater(all[start + group], lowest), highest);
      floats position = (held - lowest) * scale;
      floats whole = lesser(__builtin_elementwise_trunc(position), last);
      places[group] = __builtin_convertvector(whole, integers);
      rests[group] = position - whole;
    }
    for (size_t group = 0; group < here; group++) {
      floats samples_there, steps;
      pieces_at(pieces, (const int32_t *)&places[group], &samples_there, &steps);
      all[start + group] = samples_there + steps * rests[group];
    }
  }
}
