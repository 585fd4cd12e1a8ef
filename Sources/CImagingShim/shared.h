#pragma once

#include <vips/vips.h>

#include "include/CImagingShim.h"

// GObject's casts are macros; the opaque types of the public header hide them from Swift.
static inline VipsImage *minilab_unwrap(minilab_image *image) { return (VipsImage *)image; }
static inline minilab_image *minilab_wrap(VipsImage *image) { return (minilab_image *)image; }

void minilab_fail(minilab_error *error);
minilab_image *minilab_result(int status, VipsImage *image, minilab_error *error);
VipsInterpretation minilab_interpretation(int bands, minilab_format format);
VipsBandFormat minilab_band_format(minilab_format format);

// Encoders that go past libvips; called by minilab_save alone.
int minilab_save_heif(VipsImage *image, VipsTarget *target, const minilab_save_options *options);
int minilab_save_jxl(VipsImage *image, VipsTarget *target, const minilab_save_options *options);
int minilab_has_heif_encoder(minilab_codec codec);
