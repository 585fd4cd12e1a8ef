#include "shared.h"

#include <stdlib.h>
#include <string.h>

void minilab_image_release(minilab_image *image) { g_object_unref(image); }
int minilab_width(minilab_image *image) { return minilab_unwrap(image)->Xsize; }
int minilab_height(minilab_image *image) { return minilab_unwrap(image)->Ysize; }
int minilab_bands(minilab_image *image) { return minilab_unwrap(image)->Bands; }

minilab_format minilab_image_format(minilab_image *image) {
  if (minilab_unwrap(image)->Coding != VIPS_CODING_NONE) return MINILAB_FORMAT_OTHER;
  switch (minilab_unwrap(image)->BandFmt) {
  case VIPS_FORMAT_UCHAR: return MINILAB_FORMAT_UINT8;
  case VIPS_FORMAT_USHORT: return MINILAB_FORMAT_UINT16;
  case VIPS_FORMAT_FLOAT: return MINILAB_FORMAT_FLOAT;
  default: return MINILAB_FORMAT_OTHER;
  }
}

VipsBandFormat minilab_band_format(minilab_format format) {
  switch (format) {
  case MINILAB_FORMAT_UINT8: return VIPS_FORMAT_UCHAR;
  case MINILAB_FORMAT_UINT16: return VIPS_FORMAT_USHORT;
  case MINILAB_FORMAT_FLOAT: return VIPS_FORMAT_FLOAT;
  default: return VIPS_FORMAT_NOTSET;
  }
}

minilab_model minilab_image_model(minilab_image *image) {
  switch (minilab_unwrap(image)->Type) {
  case VIPS_INTERPRETATION_B_W:
  case VIPS_INTERPRETATION_GREY16: return MINILAB_MODEL_GREY;
  case VIPS_INTERPRETATION_sRGB:
  case VIPS_INTERPRETATION_RGB:
  case VIPS_INTERPRETATION_RGB16: return MINILAB_MODEL_RGB;
  case VIPS_INTERPRETATION_scRGB: return MINILAB_MODEL_LINEAR_RGB;
  case VIPS_INTERPRETATION_CMYK: return MINILAB_MODEL_CMYK;
  case VIPS_INTERPRETATION_LAB:
  case VIPS_INTERPRETATION_LABQ:
  case VIPS_INTERPRETATION_LABS: return MINILAB_MODEL_LAB;
  default: return MINILAB_MODEL_OTHER;
  }
}

static minilab_image *interpret(VipsImage *image, int bands, minilab_format format,
                                minilab_error *error) {
  if (image) {
    image->Type = bands < 3 ? (format == MINILAB_FORMAT_UINT16 ? VIPS_INTERPRETATION_GREY16
                                                                : VIPS_INTERPRETATION_B_W)
                            : (format == MINILAB_FORMAT_UINT16 ? VIPS_INTERPRETATION_RGB16
                                                                : VIPS_INTERPRETATION_sRGB);
  }
  return minilab_result(image ? 0 : -1, image, error);
}

minilab_image *minilab_image_from_memory(const void *samples, int width, int height, int bands,
                                         minilab_format format, minilab_error *error) {
  VipsBandFormat band_format = minilab_band_format(format);
  size_t size = (size_t)width * height * bands * vips_format_sizeof(band_format);
  VipsImage *image = vips_image_new_from_memory_copy(samples, size, width, height, bands, band_format);
  return interpret(image, bands, format, error);
}

minilab_image *minilab_image_over_memory(const void *samples, int width, int height, int bands,
                                         minilab_format format, minilab_error *error) {
  VipsBandFormat band_format = minilab_band_format(format);
  size_t size = (size_t)width * height * bands * vips_format_sizeof(band_format);
  VipsImage *image = vips_image_new_from_memory(samples, size, width, height, bands, band_format);
  return interpret(image, bands, format, error);
}

// Libvips has it for its loaders, and exports it, but its headers do not show it.
int vips__exif_parse(VipsImage *image);

void minilab_read_exif(minilab_image *opaque) {
  VipsImage *image = minilab_unwrap(opaque);
  const double x = image->Xres, y = image->Yres;
  if (vips__exif_parse(image)) vips_error_clear();
  image->Xres = x;
  image->Yres = y;
  vips_image_remove(image, VIPS_META_RESOLUTION_UNIT);
}

minilab_image *minilab_to_memory(minilab_image *image, minilab_error *error) {
  VipsImage *result = vips_image_copy_memory(minilab_unwrap(image));
  return minilab_result(result ? 0 : -1, result, error);
}

int minilab_read_samples(minilab_image *opaque, void *samples, size_t size, minilab_error *error) {
  size_t length = 0;
  void *bytes = vips_image_write_to_memory(minilab_unwrap(opaque), &length);
  if (bytes && length == size) {
    memcpy(samples, bytes, size);
    g_free(bytes);
    return 0;
  }
  if (bytes) {
    g_free(bytes);
    vips_error("minilab", "the image has another size than asked for");
  }
  minilab_fail(error);
  return -1;
}

int minilab_each_row(minilab_image *opaque, minilab_row_reader reader, void *context,
                     minilab_error *error) {
  VipsImage *image = minilab_unwrap(opaque);
  // The rows of two blocks of a JPEG, so that no decoder's cache has to hold more than it does anyway.
  const int strip = 16;
  VipsRegion *region = vips_image_pio_input(image) ? NULL : vips_region_new(image);
  int status = region ? 0 : -1;
  for (int top = 0; status == 0 && top < image->Ysize; top += strip) {
    VipsRect rect = {0, top, image->Xsize, VIPS_MIN(strip, image->Ysize - top)};
    status = vips_region_prepare(region, &rect);
    for (int y = top; status == 0 && y < VIPS_RECT_BOTTOM(&rect); y++) {
      reader(context, VIPS_REGION_ADDR(region, 0, y), y);
    }
  }
  if (region) g_object_unref(region);
  if (status) minilab_fail(error);
  return status;
}

minilab_image *minilab_copy(minilab_image *image, minilab_error *error) {
  VipsImage *result = NULL;
  return minilab_result(vips_copy(minilab_unwrap(image), &result, NULL), result, error);
}

int minilab_has(minilab_image *image, const char *name) {
  return vips_image_get_typeof(minilab_unwrap(image), name) != 0;
}

int minilab_get_int(minilab_image *image, const char *name, int *value) {
  return vips_image_get_typeof(minilab_unwrap(image), name) == G_TYPE_INT &&
         vips_image_get_int(minilab_unwrap(image), name, value) == 0;
}

void minilab_set_int(minilab_image *image, const char *name, int value) {
  vips_image_set_int(minilab_unwrap(image), name, value);
}

const char *minilab_get_string(minilab_image *image, const char *name) {
  GType type = vips_image_get_typeof(minilab_unwrap(image), name);
  const char *value = NULL;
  if (type != G_TYPE_STRING && type != VIPS_TYPE_REF_STRING) return NULL;
  return vips_image_get_string(minilab_unwrap(image), name, &value) ? NULL : value;
}

void minilab_set_string(minilab_image *image, const char *name, const char *value) {
  vips_image_set_string(minilab_unwrap(image), name, value);
}

const void *minilab_get_blob(minilab_image *image, const char *name, size_t *length) {
  const void *bytes = NULL;
  if (vips_image_get_typeof(minilab_unwrap(image), name) != VIPS_TYPE_BLOB) return NULL;
  return vips_image_get_blob(minilab_unwrap(image), name, &bytes, length) ? NULL : bytes;
}

void minilab_set_blob(minilab_image *image, const char *name, const void *bytes, size_t length) {
  vips_image_set_blob_copy(minilab_unwrap(image), name, bytes, length);
}

void minilab_remove(minilab_image *image, const char *name) {
  (void)vips_image_remove(minilab_unwrap(image), name);
}

void minilab_each_field(minilab_image *image, void (*body)(void *context, const char *name),
                        void *context) {
  gchar **fields = vips_image_get_fields(minilab_unwrap(image));
  for (gchar **field = fields; *field; field++) body(context, *field);
  g_strfreev(fields);
}

void minilab_set_resolution(minilab_image *image, double x, double y) {
  minilab_unwrap(image)->Xres = x;
  minilab_unwrap(image)->Yres = y;
}

void *minilab_builtin_profile(const char *name, size_t *length) {
  VipsBlob *blob = NULL;
  void *copy = NULL;
  if (vips_profile_load(name, &blob, NULL) == 0 && blob) {
    const void *bytes = vips_blob_get(blob, length);
    copy = malloc(*length);
    if (copy) memcpy(copy, bytes, *length);
    vips_area_unref(VIPS_AREA(blob));
  } else {
    vips_error_clear();
  }
  return copy;
}

minilab_checksum *minilab_checksum_new(int is_md5) {
  return (minilab_checksum *)g_checksum_new(is_md5 ? G_CHECKSUM_MD5 : G_CHECKSUM_SHA256);
}

void minilab_checksum_add(minilab_checksum *checksum, const void *bytes, size_t length) {
  g_checksum_update((GChecksum *)checksum, bytes, (gssize)length);
}

const char *minilab_checksum_text(minilab_checksum *checksum) {
  return g_checksum_get_string((GChecksum *)checksum);
}

void minilab_checksum_free(minilab_checksum *checksum) { g_checksum_free((GChecksum *)checksum); }
