#ifndef CVIPSCHAIN_H
#define CVIPSCHAIN_H

#include <stddef.h>
#include <stdint.h>

// The same adjustments as someone would chain them with libvips' own operations, to measure against.

typedef enum {
  // values[0] times linear light.
  CHAIN_LINEAR,
  // A 3x3 matrix on linear sRGB, row by row.
  CHAIN_MATRIX,
  // 65,536 encoded 16-bit values for each encoded 16-bit value.
  CHAIN_TABLE,
} chain_kind;

typedef struct {
  chain_kind kind;
  double values[9];
  const uint16_t *table;
} chain_step;

// JPEG to JPEG of quality 92, one thread; 0, or -1 and the reason.
int chain_run(const char *input, const char *output, const chain_step *steps, int count, char *error,
              size_t length);

#endif
