#include "heif_parts.h"

#include <string.h>

// Straight to libheif: libvips neither keeps HEVC to one thread nor lets the chroma be halved in one
// direction, and it cuts samples of 16 bits off where they should be rounded.

static int failed(const char *step, struct heif_error error) {
  if (error.code == heif_error_Ok) return 0;
  vips_error("heif", "%s: %s", step, error.message);
  return 1;
}

// From slow and small to fast and large; effort 9 … 1.
static const char *const presets[] = {"placebo",  "veryslow",  "slower", "slow", "medium", "fast",
                                      "veryfast", "superfast", "ultrafast"};

static int set_up(struct heif_encoder *encoder, const minilab_save_options *options) {
  static const char *const chroma[] = {"420", "422", "444"};
  if (failed("quality", heif_encoder_set_lossy_quality(encoder, options->quality)) ||
      failed("chroma", heif_encoder_set_parameter_string(encoder, "chroma",
                                                         chroma[options->chroma]))) {
    return -1;
  }
  int effort = VIPS_CLIP(1, options->effort, 9);
  if (options->codec == MINILAB_CODEC_AVIF) {
    return failed("effort", heif_encoder_set_parameter_integer(encoder, "effort", effort));
  }
  // One thread whatever the machine has, or the bytes would depend on it.
  if (failed("preset",
             heif_encoder_set_parameter_string(encoder, "preset", presets[9 - effort])) ||
      failed("threads", heif_encoder_set_parameter_string(encoder, "x265:pools", "none")) ||
      failed("threads", heif_encoder_set_parameter_string(encoder, "x265:frame-threads", "1"))) {
    return -1;
  }
  return 0;
}

static void copy_row(uint8_t *to, const void *from, int count, int depth) {
  if (depth == 8) {
    memcpy(to, from, (size_t)count);
    return;
  }
  const uint16_t *samples = from;
  uint16_t *codes = (uint16_t *)to;
  const uint32_t top = (1u << depth) - 1;
  for (int i = 0; i < count; i++) codes[i] = (uint16_t)((samples[i] * top + 32767u) / 65535u);
}

static int fill(struct heif_image *picture, VipsImage *image, int depth) {
  int stride = 0;
  uint8_t *plane = heif_image_get_plane(picture, heif_channel_interleaved, &stride);
  VipsRegion *region = vips_image_pio_input(image) ? NULL : vips_region_new(image);
  int status = region && plane ? 0 : -1;
  const int strip = 16;
  for (int top = 0; status == 0 && top < image->Ysize; top += strip) {
    VipsRect rect = {0, top, image->Xsize, VIPS_MIN(strip, image->Ysize - top)};
    status = vips_region_prepare(region, &rect);
    for (int y = top; status == 0 && y < VIPS_RECT_BOTTOM(&rect); y++) {
      copy_row(plane + (size_t)y * stride, VIPS_REGION_ADDR(region, 0, y),
               image->Xsize * image->Bands, depth);
    }
  }
  if (region) g_object_unref(region);
  return status;
}

static struct heif_image *make_picture(VipsImage *image, const minilab_save_options *options) {
  int depth = options->bit_depth;
  int has_alpha = image->Bands == 4;
  enum heif_chroma chroma =
      depth == 8 ? (has_alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB)
                 : (has_alpha ? heif_chroma_interleaved_RRGGBBAA_LE
                              : heif_chroma_interleaved_RRGGBB_LE);
  if (image->Bands < 3 ||
      image->BandFmt != (depth == 8 ? VIPS_FORMAT_UCHAR : VIPS_FORMAT_USHORT)) {
    vips_error("heif", "samples of another kind than RGB of %d bits", depth);
    return NULL;
  }
  struct heif_image *picture = NULL;
  if (failed("picture", heif_image_create(image->Xsize, image->Ysize, heif_colorspace_RGB, chroma,
                                          &picture))) {
    return NULL;
  }
  if (failed("picture", heif_image_add_plane(picture, heif_channel_interleaved, image->Xsize,
                                             image->Ysize, depth)) ||
      fill(picture, image, depth)) {
    heif_image_release(picture);
    return NULL;
  }
  const void *profile = NULL;
  size_t length = 0;
  if (vips_image_get_typeof(image, VIPS_META_ICC_NAME) &&
      vips_image_get_blob(image, VIPS_META_ICC_NAME, &profile, &length) == 0) {
    heif_image_set_raw_color_profile(picture, "prof", profile, length);
  }
  struct heif_color_profile_nclx *colours = heif_nclx_color_profile_alloc();
  if (colours) {
    colours->color_primaries = options->primaries;
    colours->transfer_characteristics = options->transfer;
    colours->matrix_coefficients = heif_matrix_coefficients_ITU_R_BT_601_6;
    colours->full_range_flag = 1;
    heif_image_set_nclx_color_profile(picture, colours);
    heif_nclx_color_profile_free(colours);
  }
  return picture;
}

static struct heif_error write_out(struct heif_context *context, const void *data, size_t size,
                                   void *target) {
  (void)context;
  if (vips_target_write(target, data, size) == 0) {
    return (struct heif_error){heif_error_Ok, heif_suberror_Unspecified, "Success"};
  }
  return (struct heif_error){heif_error_Encoding_error, heif_suberror_Cannot_write_output_data,
                             "file too large or not writable"};
}

static struct heif_encoder *find_encoder(struct heif_context *context, minilab_codec codec) {
  const int is_avif = codec == MINILAB_CODEC_AVIF;
  const struct heif_encoder_descriptor *found = NULL;
  int count = heif_context_get_encoder_descriptors(
      context, is_avif ? heif_compression_AV1 : heif_compression_HEVC,
      is_avif ? MINILAB_AV1_ENCODER : NULL, &found, 1);
  struct heif_encoder *encoder = NULL;
  if (count < 1 || heif_context_get_encoder(context, found, &encoder).code != heif_error_Ok) {
    return NULL;
  }
  return encoder;
}

int minilab_has_heif_encoder(minilab_codec codec) {
  struct heif_context *context = heif_context_alloc();
  struct heif_encoder *encoder = find_encoder(context, codec);
  if (encoder) heif_encoder_release(encoder);
  heif_context_free(context);
  return encoder != NULL;
}

int minilab_save_heif(VipsImage *image, VipsTarget *target, const minilab_save_options *options) {
  struct heif_context *context = heif_context_alloc();
  struct heif_encoder *encoder = find_encoder(context, options->codec);
  struct heif_encoding_options *how = heif_encoding_options_alloc();
  struct heif_image *picture = NULL;
  struct heif_image_handle *handle = NULL;
  int status = -1;
  if (!encoder) {
    vips_error("heif", "there is no encoder for this type");
  } else if (how && !set_up(encoder, options) && (picture = make_picture(image, options))) {
    struct heif_writer writer = {1, write_out};
    status = failed("encoding",
                    heif_context_encode_image(context, picture, encoder, how, &handle)) ||
                     failed("writing", heif_context_write(context, &writer, target))
                 ? -1
                 : 0;
  }
  if (handle) heif_image_handle_release(handle);
  if (picture) heif_image_release(picture);
  if (how) heif_encoding_options_free(how);
  if (encoder) heif_encoder_release(encoder);
  heif_context_free(context);
  return status;
}
