#include "heif_parts.h"

#include <aom/aom_encoder.h>
#include <aom/aomcx.h>
#include <libheif/heif_plugin.h>
#include <stdlib.h>
#include <string.h>

// An encoder of AV1 for libheif, which is plugged into it. The one that libheif 1.15 brings along takes
// the room that a sample has for its depth: with 10 bits it chooses a profile that libaom aborts at. It
// also makes as many threads as there are processors.

typedef struct {
  int quality;
  int effort;
  enum heif_chroma chroma;
  aom_codec_ctx_t codec;
  int is_open;
  // The packet of the one frame, which the codec owns.
  uint8_t *packet;
  int packet_size;
} Encoder;

static struct heif_error good(void) {
  return (struct heif_error){heif_error_Ok, heif_suberror_Unspecified, "Success"};
}

static struct heif_error bad(const char *text) {
  return (struct heif_error){heif_error_Encoder_plugin_error, heif_suberror_Unspecified, text};
}

static const char *plugin_name(void) { return "AV1 of minilab"; }

static struct heif_error new_encoder(void **encoder) {
  Encoder *new = calloc(1, sizeof(Encoder));
  *encoder = new;
  if (!new) return bad("out of memory");
  new->quality = 50;
  new->effort = 2;
  new->chroma = heif_chroma_420;
  return good();
}

static void close_codec(Encoder *encoder) {
  if (encoder->is_open) aom_codec_destroy(&encoder->codec);
  encoder->is_open = 0;
  encoder->packet = NULL;
}

static void free_encoder(void *encoder) {
  close_codec(encoder);
  free(encoder);
}

static struct heif_error set_quality(void *encoder, int quality) {
  ((Encoder *)encoder)->quality = quality;
  return good();
}

static struct heif_error get_quality(void *encoder, int *quality) {
  *quality = ((Encoder *)encoder)->quality;
  return good();
}

static struct heif_error set_ignored(void *encoder, int value) {
  (void)encoder;
  (void)value;
  return good();
}

static struct heif_error get_ignored(void *encoder, int *value) {
  (void)encoder;
  *value = 0;
  return good();
}

static const struct heif_encoder_parameter **list_parameters(void *encoder) {
  static const struct heif_encoder_parameter *none[] = {NULL};
  (void)encoder;
  return none;
}

static struct heif_error set_integer(void *encoder, const char *name, int value) {
  if (strcmp(name, "effort") != 0) return bad("no such parameter");
  ((Encoder *)encoder)->effort = value;
  return good();
}

static struct heif_error get_integer(void *encoder, const char *name, int *value) {
  (void)encoder;
  (void)name;
  *value = 0;
  return bad("no such parameter");
}

static struct heif_error set_string(void *encoder, const char *name, const char *value) {
  if (strcmp(name, "chroma") != 0) return bad("no such parameter");
  ((Encoder *)encoder)->chroma = strcmp(value, "444") == 0   ? heif_chroma_444
                                 : strcmp(value, "422") == 0 ? heif_chroma_422
                                                             : heif_chroma_420;
  return good();
}

static struct heif_error get_string(void *encoder, const char *name, char *value, int size) {
  (void)encoder;
  (void)name;
  if (size > 0) value[0] = 0;
  return bad("no such parameter");
}

static void query_colours(void *encoder, enum heif_colorspace *space, enum heif_chroma *chroma) {
  if (*space == heif_colorspace_monochrome) {
    *chroma = heif_chroma_monochrome;
    return;
  }
  *space = heif_colorspace_YCbCr;
  *chroma = encoder ? ((Encoder *)encoder)->chroma : heif_chroma_420;
}

static void query_colours_once(enum heif_colorspace *space, enum heif_chroma *chroma) {
  query_colours(NULL, space, chroma);
}

static aom_img_fmt_t layout_of(enum heif_chroma chroma, int depth) {
  aom_img_fmt_t format = chroma == heif_chroma_444   ? AOM_IMG_FMT_I444
                         : chroma == heif_chroma_422 ? AOM_IMG_FMT_I422
                                                     : AOM_IMG_FMT_I420;
  return depth > 8 ? format | AOM_IMG_FMT_HIGHBITDEPTH : format;
}

// The profile that holds a layout, AV1 specification 6.4.1.
static unsigned profile_of(enum heif_chroma chroma, int depth) {
  if (depth > 10 || chroma == heif_chroma_422) return 2;
  return chroma == heif_chroma_444 ? 1 : 0;
}

static void copy_planes(const struct heif_image *from, aom_image_t *to, int bytes) {
  static const enum heif_channel channels[] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
  for (int plane = 0; plane < (to->monochrome ? 1 : 3); plane++) {
    int stride = 0;
    const uint8_t *samples = heif_image_get_plane_readonly(from, channels[plane], &stride);
    int width = heif_image_get_width(from, channels[plane]);
    int height = heif_image_get_height(from, channels[plane]);
    for (int y = 0; y < height; y++) {
      memcpy(to->planes[plane] + (size_t)y * to->stride[plane], samples + (size_t)y * stride,
             (size_t)width * bytes);
    }
  }
}

static void set_controls(Encoder *encoder, const struct heif_image *image, int is_alpha) {
  aom_codec_ctx_t *codec = &encoder->codec;
  aom_codec_control(codec, AOME_SET_CPUUSED, 9 - encoder->effort);
  aom_codec_control(codec, AV1E_SET_ROW_MT, 0);
  aom_codec_control(codec, AV1E_SET_COLOR_RANGE, 1);
  aom_codec_control(codec, AOME_SET_TUNING, AOM_TUNE_SSIM);
  if (is_alpha) {
    // The border of what is cut out must not fray.
    aom_codec_control(codec, AV1E_SET_LOSSLESS, 1);
    return;
  }
  aom_codec_control(codec, AOME_SET_CQ_LEVEL, ((100 - encoder->quality) * 63 + 50) / 100);
  struct heif_color_profile_nclx *colours = NULL;
  if (heif_image_get_nclx_color_profile(image, &colours).code != heif_error_Ok) return;
  aom_codec_control(codec, AV1E_SET_COLOR_PRIMARIES, (int)colours->color_primaries);
  aom_codec_control(codec, AV1E_SET_TRANSFER_CHARACTERISTICS,
                    (int)colours->transfer_characteristics);
  aom_codec_control(codec, AV1E_SET_MATRIX_COEFFICIENTS, (int)colours->matrix_coefficients);
  heif_nclx_color_profile_free(colours);
}

static int take_packet(Encoder *encoder) {
  aom_codec_iter_t next = NULL;
  const aom_codec_cx_pkt_t *packet;
  while ((packet = aom_codec_get_cx_data(&encoder->codec, &next))) {
    if (packet->kind != AOM_CODEC_CX_FRAME_PKT) continue;
    encoder->packet = packet->data.frame.buf;
    encoder->packet_size = (int)packet->data.frame.sz;
    return 1;
  }
  return 0;
}

static struct heif_error encode_image(void *opaque, const struct heif_image *image,
                                      enum heif_image_input_class class) {
  Encoder *encoder = opaque;
  close_codec(encoder);
  enum heif_chroma chroma = heif_image_get_chroma_format(image);
  int depth = heif_image_get_bits_per_pixel_range(image, heif_channel_Y);
  int width = heif_image_get_width(image, heif_channel_Y);
  int height = heif_image_get_height(image, heif_channel_Y);

  aom_codec_iface_t *codec = aom_codec_av1_cx();
  aom_codec_enc_cfg_t settings;
  if (aom_codec_enc_config_default(codec, &settings, AOM_USAGE_ALL_INTRA)) {
    return bad("AV1 has no settings for single pictures");
  }
  settings.g_w = (unsigned)width;
  settings.g_h = (unsigned)height;
  settings.g_threads = 1;
  settings.g_limit = 1;
  settings.g_lag_in_frames = 0;
  settings.g_bit_depth = (aom_bit_depth_t)depth;
  settings.g_input_bit_depth = (unsigned)depth;
  settings.g_profile = profile_of(chroma, depth);
  settings.monochrome = chroma == heif_chroma_monochrome;
  settings.rc_end_usage = AOM_Q;
  settings.rc_min_quantizer = 0;
  settings.rc_max_quantizer = 63;
  aom_codec_flags_t flags = depth > 8 ? AOM_CODEC_USE_HIGHBITDEPTH : 0;
  if (aom_codec_enc_init(&encoder->codec, codec, &settings, flags)) {
    return bad("the AV1 encoder does not start");
  }
  encoder->is_open = 1;
  set_controls(encoder, image, class == heif_image_input_class_alpha);

  aom_image_t *frame = aom_img_alloc(NULL, layout_of(chroma, depth), (unsigned)width,
                                     (unsigned)height, 16);
  if (!frame) return bad("out of memory");
  frame->range = AOM_CR_FULL_RANGE;
  frame->monochrome = chroma == heif_chroma_monochrome;
  copy_planes(image, frame, depth > 8 ? 2 : 1);
  int status = aom_codec_encode(&encoder->codec, frame, 0, 1, 0);
  if (!status && !take_packet(encoder)) {
    status = aom_codec_encode(&encoder->codec, NULL, 0, 1, 0);
    if (!status && !take_packet(encoder)) status = -1;
  }
  aom_img_free(frame);
  return status ? bad("the AV1 encoder failed") : good();
}

static struct heif_error next_data(void *opaque, uint8_t **data, int *size,
                                   enum heif_encoded_data_type *type) {
  Encoder *encoder = opaque;
  (void)type;
  *data = encoder->packet;
  *size = encoder->packet ? encoder->packet_size : 0;
  encoder->packet = NULL;
  return good();
}

static const struct heif_encoder_plugin plugin = {
    .plugin_api_version = 2,
    .compression_format = heif_compression_AV1,
    .id_name = MINILAB_AV1_ENCODER,
    .priority = 1,
    .supports_lossy_compression = 1,
    .supports_lossless_compression = 0,
    .get_plugin_name = plugin_name,
    .new_encoder = new_encoder,
    .free_encoder = free_encoder,
    .set_parameter_quality = set_quality,
    .get_parameter_quality = get_quality,
    .set_parameter_lossless = set_ignored,
    .get_parameter_lossless = get_ignored,
    .set_parameter_logging_level = set_ignored,
    .get_parameter_logging_level = get_ignored,
    .list_parameters = list_parameters,
    .set_parameter_integer = set_integer,
    .get_parameter_integer = get_integer,
    .set_parameter_boolean = set_integer,
    .get_parameter_boolean = get_integer,
    .set_parameter_string = set_string,
    .get_parameter_string = get_string,
    .query_input_colorspace = query_colours_once,
    .encode_image = encode_image,
    .get_compressed_data = next_data,
    .query_input_colorspace2 = query_colours,
};

void minilab_register_av1(void) { heif_register_encoder_plugin(&plugin); }
