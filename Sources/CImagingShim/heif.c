#include <libheif/heif.h>
#include <stdint.h>
#include <string.h>

#include "shared.h"

struct minilab_heif {
  struct heif_context *context;
  struct heif_image_handle *handle;
};

struct minilab_heif_planes {
  struct heif_image *image;
};

static int check(struct heif_error result, minilab_error *error) {
  if (result.code == heif_error_Ok) return 0;
  g_strlcpy(error->text, result.message ? result.message : "libheif gives no reason",
            sizeof error->text);
  return -1;
}

int minilab_heif_start(minilab_error *error) { return check(heif_init(NULL), error); }

// An auxiliary picture is reached through the one that it belongs to.
static int open_item(minilab_heif *heif, uint32_t item, uint32_t auxiliary, minilab_error *error) {
  if (check(heif_context_get_image_handle(heif->context, item, &heif->handle), error)) return -1;
  if (auxiliary == 0) return 0;
  struct heif_image_handle *main = heif->handle;
  heif->handle = NULL;
  int status = check(heif_image_handle_get_auxiliary_image_handle(main, auxiliary, &heif->handle),
                     error);
  heif_image_handle_release(main);
  return status;
}

minilab_heif *minilab_heif_open(const void *bytes, size_t length, uint32_t item, uint32_t auxiliary,
                                minilab_error *error) {
  minilab_heif *heif = g_new0(minilab_heif, 1);
  heif->context = heif_context_alloc();
  if (!heif->context) {
    g_strlcpy(error->text, "out of memory", sizeof error->text);
    g_free(heif);
    return NULL;
  }
  // 0: decode in the thread that asks.
  heif_context_set_max_decoding_threads(heif->context, 0);
  if (check(heif_context_read_from_memory_without_copy(heif->context, bytes, length, NULL), error) ||
      open_item(heif, item, auxiliary, error)) {
    minilab_heif_release(heif);
    return NULL;
  }
  return heif;
}

void minilab_heif_release(minilab_heif *heif) {
  if (heif->handle) heif_image_handle_release(heif->handle);
  heif_context_free(heif->context);
  g_free(heif);
}

minilab_heif_planes *minilab_heif_decode(minilab_heif *heif, int is_grey, int strict,
                                         minilab_error *error) {
  struct heif_decoding_options *options = heif_decoding_options_alloc();
  struct heif_image *image = NULL;
  if (options) {
    options->ignore_transformations = 1;
    if (options->version >= 3) options->strict_decoding = strict != 0;
  }
  int status = check(heif_decode_image(heif->handle, &image,
                                       is_grey ? heif_colorspace_undefined : heif_colorspace_RGB,
                                       is_grey ? heif_chroma_undefined : heif_chroma_444, options),
                     error);
  if (options) heif_decoding_options_free(options);
  if (status) return NULL;
  struct heif_error warning;
  if (strict && heif_image_get_decoding_warnings(image, 0, &warning, 1) > 0) {
    check(warning, error);
    heif_image_release(image);
    return NULL;
  }
  minilab_heif_planes *planes = g_new0(minilab_heif_planes, 1);
  planes->image = image;
  return planes;
}

void minilab_heif_planes_release(minilab_heif_planes *planes) {
  heif_image_release(planes->image);
  g_free(planes);
}

static enum heif_channel channel(minilab_heif_channel name) {
  switch (name) {
  case MINILAB_HEIF_GREY: return heif_channel_Y;
  case MINILAB_HEIF_RED: return heif_channel_R;
  case MINILAB_HEIF_GREEN: return heif_channel_G;
  case MINILAB_HEIF_BLUE: return heif_channel_B;
  default: return heif_channel_Alpha;
  }
}

int minilab_heif_plane(minilab_heif_planes *planes, minilab_heif_channel name,
                       minilab_plane *plane) {
  enum heif_channel wanted = channel(name);
  int stride = 0;
  if (!heif_image_has_channel(planes->image, wanted)) return 0;
  plane->samples = heif_image_get_plane_readonly(planes->image, wanted, &stride);
  plane->stride = stride;
  plane->width = heif_image_get_width(planes->image, wanted);
  plane->height = heif_image_get_height(planes->image, wanted);
  plane->bits = heif_image_get_bits_per_pixel_range(planes->image, wanted);
  int bytes = plane->bits > 8 ? 2 : 1;
  return plane->samples != NULL && plane->bits >= 1 && plane->bits <= 16 && plane->width > 0 &&
         plane->height > 0 && stride >= plane->width * bytes;
}
