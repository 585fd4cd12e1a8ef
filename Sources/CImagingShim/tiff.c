#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

#include "shared.h"

// TIFFGetField is variadic, and a file in memory is read through callbacks.

struct minilab_tiff {
  TIFF *tiff;
  const uint8_t *bytes;
  uint64_t length, position;
};

static tmsize_t read_bytes(thandle_t handle, void *target, tmsize_t wanted) {
  minilab_tiff *file = handle;
  if (wanted <= 0 || file->position >= file->length) return 0;
  uint64_t count = MIN((uint64_t)wanted, file->length - file->position);
  memcpy(target, file->bytes + file->position, count);
  file->position += count;
  return (tmsize_t)count;
}

static tmsize_t write_bytes(thandle_t handle, void *source, tmsize_t count) {
  (void)handle;
  (void)source;
  (void)count;
  return -1;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence) {
  minilab_tiff *file = handle;
  switch (whence) {
  case SEEK_SET: file->position = offset; break;
  case SEEK_CUR: file->position += offset; break;
  default: file->position = file->length + offset; break;
  }
  return file->position;
}

static int close_nothing(thandle_t handle) {
  (void)handle;
  return 0;
}

static toff_t size(thandle_t handle) { return ((minilab_tiff *)handle)->length; }

minilab_tiff *minilab_tiff_open(const void *bytes, size_t length, int page, minilab_error *error) {
  minilab_tiff *file = g_new0(minilab_tiff, 1);
  file->bytes = bytes;
  file->length = length;
  file->tiff = TIFFClientOpen("", "rm", file, read_bytes, write_bytes, seek, close_nothing, size,
                              NULL, NULL);
  if (file->tiff && (page == 0 || TIFFSetDirectory(file->tiff, (tdir_t)page))) return file;
  minilab_fail(error);
  if (file->tiff) TIFFClose(file->tiff);
  g_free(file);
  return NULL;
}

void minilab_tiff_release(minilab_tiff *file) {
  TIFFClose(file->tiff);
  g_free(file);
}

static int short_field(TIFF *tiff, uint32_t tag, int fallback) {
  uint16_t value = 0;
  return TIFFGetFieldDefaulted(tiff, tag, &value) ? value : fallback;
}

static minilab_block profile(TIFF *tiff) {
  uint32_t count = 0;
  void *bytes = NULL;
  minilab_block block = {NULL, 0};
  if (TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &count, &bytes) && bytes && count > 0) {
    block.bytes = bytes;
    block.length = count;
  }
  return block;
}

static void read_extras(TIFF *tiff, minilab_tiff_header *header) {
  uint16_t count = 0;
  uint16_t *kinds = NULL;
  if (!TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds) || !kinds) return;
  header->extras = count;
  if (count > 0) header->first_extra = kinds[0];
}

int minilab_tiff_read(minilab_tiff *file, minilab_tiff_header *header, minilab_error *error) {
  TIFF *tiff = file->tiff;
  uint32_t width = 0, height = 0;
  memset(header, 0, sizeof *header);
  if (!TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width) ||
      !TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height) || width == 0 || height == 0 ||
      width > INT32_MAX || height > INT32_MAX) {
    minilab_error_set(error, "its picture has no size");
    return -1;
  }
  header->width = (int)width;
  header->height = (int)height;
  header->bits = short_field(tiff, TIFFTAG_BITSPERSAMPLE, 1);
  header->samples = short_field(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
  header->compression = short_field(tiff, TIFFTAG_COMPRESSION, 1);
  header->is_planar = short_field(tiff, TIFFTAG_PLANARCONFIG, 1) == PLANARCONFIG_SEPARATE;
  header->kind = short_field(tiff, TIFFTAG_SAMPLEFORMAT, 1);
  header->orientation = short_field(tiff, TIFFTAG_ORIENTATION, 1);
  uint16_t photometric = 0;
  if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric)) {
    photometric = header->samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
  }
  header->photometric = photometric;
  read_extras(tiff, header);
  header->is_tiled = TIFFIsTiled(tiff);
  if (header->is_tiled) {
    uint32_t tile_width = 0, tile_height = 0;
    TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &tile_width);
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &tile_height);
    header->block_width = (int)MIN(tile_width, INT32_MAX);
    header->block_height = (int)MIN(tile_height, INT32_MAX);
    header->block_bytes = TIFFTileSize64(tiff);
    header->row_bytes = TIFFTileRowSize64(tiff);
  } else {
    uint32_t rows = 0;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &rows);
    header->block_width = (int)width;
    header->block_height = (int)MIN(rows, height);
    header->block_bytes = TIFFStripSize64(tiff);
    header->row_bytes = TIFFScanlineSize64(tiff);
  }
  header->profile = profile(tiff);
  return 0;
}

int minilab_tiff_colour_map(minilab_tiff *file, const uint16_t **red, const uint16_t **green,
                            const uint16_t **blue) {
  uint16_t *r = NULL, *g = NULL, *b = NULL;
  if (!TIFFGetField(file->tiff, TIFFTAG_COLORMAP, &r, &g, &b) || !r || !g || !b) return 0;
  *red = r;
  *green = g;
  *blue = b;
  return 1;
}

int minilab_tiff_block(minilab_tiff *file, int left, int top, int plane, void *target,
                       size_t capacity, minilab_error *error) {
  TIFF *tiff = file->tiff;
  tmsize_t got;
  if (TIFFIsTiled(tiff)) {
    uint32_t number = TIFFComputeTile(tiff, (uint32_t)left, (uint32_t)top, 0, (uint16_t)plane);
    got = TIFFReadEncodedTile(tiff, number, target, (tmsize_t)capacity);
  } else {
    uint32_t number = TIFFComputeStrip(tiff, (uint32_t)top, (uint16_t)plane);
    got = TIFFReadEncodedStrip(tiff, number, target, (tmsize_t)capacity);
  }
  if (got >= 0) return 0;
  minilab_fail(error);
  return -1;
}

int minilab_tiff_rgba(minilab_tiff *file, int strict, uint32_t *target, size_t pixels,
                      minilab_error *error) {
  TIFFRGBAImage image;
  char text[1024] = "";
  if (!TIFFRGBAImageBegin(&image, file->tiff, strict != 0, text)) {
    minilab_error_set(error, text);
    vips_error_clear();
    return -1;
  }
  // As stored: the orientation is applied later, once.
  image.req_orientation = image.orientation;
  int status = -1;
  if ((size_t)image.width * image.height == pixels) {
    status = TIFFRGBAImageGet(&image, target, image.width, image.height) ? 0 : -1;
  }
  TIFFRGBAImageEnd(&image);
  if (status == 0) return 0;
  minilab_fail(error);
  return -1;
}
