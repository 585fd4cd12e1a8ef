#pragma once

#include "shared.h"

#include <libheif/heif.h>

// What encoding to HEIF and AVIF is made of.

#define MINILAB_AV1_ENCODER "minilab-av1"

// Plugs the encoder of av1_encoder.c into libheif.
void minilab_register_av1(void);
