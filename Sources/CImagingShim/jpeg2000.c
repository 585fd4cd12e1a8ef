#include <openjpeg.h>
#include <string.h>

#include "shared.h"

// OpenJPEG reads through callbacks, and says what went wrong through others.

struct minilab_jpeg2000 {
  const uint8_t *bytes;
  uint64_t length, position;
  opj_codec_t *codec;
  opj_stream_t *stream;
  opj_image_t *image;
  char message[256];
};

static void keep_message(const char *text, void *data) {
  minilab_jpeg2000 *file = data;
  if (!file->message[0]) g_strlcpy(file->message, text, sizeof file->message);
}

static void be_silent(const char *text, void *data) {
  (void)text;
  (void)data;
}

static OPJ_SIZE_T read_bytes(void *target, OPJ_SIZE_T wanted, void *data) {
  minilab_jpeg2000 *file = data;
  if (file->position >= file->length) return (OPJ_SIZE_T)-1;
  uint64_t count = MIN(wanted, file->length - file->position);
  memcpy(target, file->bytes + file->position, count);
  file->position += count;
  return count;
}

static OPJ_OFF_T skip(OPJ_OFF_T count, void *data) {
  minilab_jpeg2000 *file = data;
  if (count < 0) return -1;
  file->position += MIN((uint64_t)count, file->length - MIN(file->position, file->length));
  return count;
}

static OPJ_BOOL seek(OPJ_OFF_T offset, void *data) {
  minilab_jpeg2000 *file = data;
  if (offset < 0 || (uint64_t)offset > file->length) return OPJ_FALSE;
  file->position = (uint64_t)offset;
  return OPJ_TRUE;
}

static int failed(const minilab_jpeg2000 *file, minilab_error *error) {
  minilab_error_set(error, file->message[0] ? file->message : "its codestream is broken");
  g_strchomp(error->text);
  return -1;
}

static int start(minilab_jpeg2000 *file, int strict) {
  static const uint8_t codestream[] = {0xFF, 0x4F};
  int is_bare = file->length >= 2 && memcmp(file->bytes, codestream, 2) == 0;
  opj_dparameters_t parameters;
  opj_set_default_decoder_parameters(&parameters);
  // What channels mean is settled by whoever asks.
  parameters.flags |= OPJ_DPARAMETERS_IGNORE_PCLR_CMAP_CDEF_FLAG;
  file->codec = opj_create_decompress(is_bare ? OPJ_CODEC_J2K : OPJ_CODEC_JP2);
  file->stream = opj_stream_create(OPJ_J2K_STREAM_CHUNK_SIZE, OPJ_TRUE);
  if (!file->codec || !file->stream) {
    g_strlcpy(file->message, "OpenJPEG cannot be set up: out of memory", sizeof file->message);
    return -1;
  }
  opj_set_error_handler(file->codec, keep_message, file);
  opj_set_warning_handler(file->codec, be_silent, NULL);
  opj_set_info_handler(file->codec, be_silent, NULL);
  opj_stream_set_user_data(file->stream, file, NULL);
  opj_stream_set_user_data_length(file->stream, file->length);
  opj_stream_set_read_function(file->stream, read_bytes);
  opj_stream_set_skip_function(file->stream, skip);
  opj_stream_set_seek_function(file->stream, seek);
  if (!opj_setup_decoder(file->codec, &parameters)) return -1;
  if (!opj_decoder_set_strict_mode(file->codec, strict ? OPJ_TRUE : OPJ_FALSE)) return -1;
  return opj_read_header(file->stream, file->codec, &file->image) ? 0 : -1;
}

minilab_jpeg2000 *minilab_jpeg2000_open(const void *bytes, size_t length, int strict,
                                        minilab_error *error) {
  minilab_jpeg2000 *file = g_new0(minilab_jpeg2000, 1);
  file->bytes = bytes;
  file->length = length;
  if (start(file, strict) == 0) return file;
  failed(file, error);
  minilab_jpeg2000_release(file);
  return NULL;
}

void minilab_jpeg2000_release(minilab_jpeg2000 *file) {
  if (file->image) opj_image_destroy(file->image);
  if (file->codec) opj_destroy_codec(file->codec);
  if (file->stream) opj_stream_destroy(file->stream);
  g_free(file);
}

minilab_jpeg2000_grid minilab_jpeg2000_read(minilab_jpeg2000 *file) {
  const opj_image_t *image = file->image;
  return (minilab_jpeg2000_grid){image->x0, image->y0, image->x1, image->y1,
                                 (int)MIN(image->numcomps, 16384)};
}

minilab_jpeg2000_component minilab_jpeg2000_part(minilab_jpeg2000 *file, int index) {
  const opj_image_t *image = file->image;
  if (index < 0 || (uint32_t)index >= image->numcomps) return (minilab_jpeg2000_component){0};
  const opj_image_comp_t *part = &image->comps[index];
  return (minilab_jpeg2000_component){part->dx,        part->dy,        part->w,   part->h,
                                      (int)part->prec, (int)part->sgnd, part->data};
}

int minilab_jpeg2000_decode(minilab_jpeg2000 *file, minilab_error *error) {
  return opj_decode(file->codec, file->stream, file->image) ? 0 : failed(file, error);
}
