#include "shared.h"

#include <string.h>

// An image whose pixels come from a decoder of ours, all at once and when the first of them are asked for.
// The generate callback and the signal are C function types over GObject structures.

void minilab_error_set(minilab_error *error, const char *text) {
  g_strlcpy(error->text, text, sizeof error->text);
}

typedef struct {
  minilab_decode_function decode;
  minilab_release_function release;
  const void *context;
  GMutex lock;
  enum { is_waiting, is_decoded, is_broken } state;
  size_t stride;
  char *samples;
} Decoded;

static void release_decoded(void *data) {
  Decoded *decoded = data;
  decoded->release(decoded->context);
  if (decoded->samples) vips_tracked_free(decoded->samples);
  g_mutex_clear(&decoded->lock);
  g_free(decoded);
}

static int decode(Decoded *decoded, const VipsImage *image) {
  decoded->samples = vips_tracked_malloc(decoded->stride * (size_t)image->Ysize);
  if (!decoded->samples) return -1;
  minilab_error error = {{0}};
  if (decoded->decode(decoded->context, decoded->samples, (int64_t)decoded->stride, &error) == 0) {
    return 0;
  }
  vips_error("minilab", "%s", error.text);
  return -1;
}

static int decoded_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)sequence;
  (void)b;
  (void)stop;
  Decoded *decoded = a;
  g_mutex_lock(&decoded->lock);
  if (decoded->state == is_waiting) {
    decoded->state = decode(decoded, out->im) == 0 ? is_decoded : is_broken;
  }
  int is_usable = decoded->state == is_decoded;
  g_mutex_unlock(&decoded->lock);
  if (!is_usable) return -1;
  const VipsRect *rect = &out->valid;
  size_t pixel = VIPS_IMAGE_SIZEOF_PEL(out->im);
  for (int y = rect->top; y < VIPS_RECT_BOTTOM(rect); y++) {
    memcpy(VIPS_REGION_ADDR(out, rect->left, y),
           decoded->samples + decoded->stride * (size_t)y + pixel * (size_t)rect->left,
           pixel * (size_t)rect->width);
  }
  return 0;
}

static VipsInterpretation interpretation(minilab_form form) {
  int is_deep = form.format == MINILAB_FORMAT_UINT16;
  switch (form.model) {
  case MINILAB_MODEL_GREY: return is_deep ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W;
  case MINILAB_MODEL_RGB: return is_deep ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB;
  case MINILAB_MODEL_LINEAR_RGB: return VIPS_INTERPRETATION_scRGB;
  case MINILAB_MODEL_CMYK: return VIPS_INTERPRETATION_CMYK;
  case MINILAB_MODEL_LAB: return VIPS_INTERPRETATION_LAB;
  default: return VIPS_INTERPRETATION_MULTIBAND;
  }
}

minilab_image *minilab_image_decoded(minilab_form form, minilab_decode_function function,
                                     const void *context, minilab_release_function release,
                                     minilab_error *error) {
  VipsImage *out = vips_image_new();
  Decoded *decoded = g_new0(Decoded, 1);
  decoded->decode = function;
  decoded->release = release;
  decoded->context = context;
  g_mutex_init(&decoded->lock);
  g_object_set_data_full(G_OBJECT(out), "minilab-decoded", decoded, release_decoded);
  vips_image_init_fields(out, form.width, form.height, form.bands,
                         minilab_band_format(form.format), VIPS_CODING_NONE, interpretation(form),
                         1.0, 1.0);
  // Sizes that the library does not allow it leaves out with no more than a warning.
  if (out->Xsize != form.width || out->Ysize != form.height || out->Bands != form.bands) {
    g_object_unref(out);
    minilab_error_set(error, "a picture of this size is not supported");
    return NULL;
  }
  decoded->stride = VIPS_IMAGE_SIZEOF_LINE(out);
  if (vips_image_pipelinev(out, VIPS_DEMAND_STYLE_ANY, NULL) ||
      vips_image_generate(out, NULL, decoded_generate, NULL, decoded, NULL)) {
    g_object_unref(out);
    return minilab_result(-1, NULL, error);
  }
  return minilab_wrap(out);
}
