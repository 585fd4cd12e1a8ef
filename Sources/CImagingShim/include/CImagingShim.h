#pragma once

#include <stddef.h>
#include <stdint.h>

// Fixed-signature functions over libvips for Swift, which cannot call variadic functions, function-like
// macros, GObject casts and signals. No policy here.
//
// Every function that can fail takes an error record. On failure the text of libvips' one process-wide
// buffer is copied into it and the buffer is emptied; on success neither is touched.
// A function that gives an image or a source gives one reference, which the caller releases.

#ifdef __cplusplus
extern "C" {
#endif

typedef struct minilab_image minilab_image;
typedef struct minilab_source minilab_source;
typedef struct minilab_tap minilab_tap;

typedef struct {
  char text[480];
} minilab_error;

typedef struct {
  int left, top, width, height;
} minilab_rect;

typedef enum {
  MINILAB_FORMAT_OTHER = 0,
  MINILAB_FORMAT_UINT8,
  MINILAB_FORMAT_UINT16,
  MINILAB_FORMAT_FLOAT,
} minilab_format;

typedef enum {
  MINILAB_MODEL_OTHER = 0,
  MINILAB_MODEL_GREY,
  MINILAB_MODEL_RGB,
  MINILAB_MODEL_LINEAR_RGB,
  MINILAB_MODEL_CMYK,
  MINILAB_MODEL_LAB,
} minilab_model;

typedef enum {
  MINILAB_CODEC_JPEG = 1,
  MINILAB_CODEC_PNG,
  MINILAB_CODEC_WEBP,
  MINILAB_CODEC_TIFF,
  MINILAB_CODEC_GIF,
  MINILAB_CODEC_HEIF,
  MINILAB_CODEC_AVIF,
} minilab_codec;

// Runtime (runtime.c)

// Starts libvips with every loader blocked, caches and vector code off, one thread for each pipeline,
// and the messages of GLib collected instead of printed. Once a process; leaves one thread.
int minilab_start(const char *program, minilab_error *error);
// Lets a class of operations run.
void minilab_allow(const char *operation);
// Blocks all that libvips itself calls untrusted; after what is allowed.
void minilab_block_untrusted(void);
void minilab_set_concurrency(int threads);
// Rows that caches of sequential sources and buffers of encoders are sized by, and rows that are asked for
// at a time where whole strips are. For pipelines that are built from now on. -1 when this libvips has not
// got both, and keeps its own.
int minilab_set_buffer_rows(int tile, int strip);
// The version of a part: `libvips`, `libheif` … where it can be asked; 0 when it cannot.
int minilab_version(const char *part, char *text, size_t size);

// Empties the collected messages and libvips' error buffer.
void minilab_messages_clear(void);
// Messages seen since; those beyond the first 32 are only counted.
int minilab_messages_count(void);
// The text of one; empty when it was not kept. Valid until the next clear.
const char *minilab_message(int index);

// Sources and loading (codec.c)

// Reads from a descriptor, which is duplicated; the file offset is moved.
minilab_source *minilab_source_from_descriptor(int descriptor, minilab_error *error);
// Maps a file privately, with zeroed room behind its bytes; NULL when that cannot be had. MAP_FAILED and
// casts keep this in C.
void *minilab_map_file(int descriptor, size_t count, size_t spare);
void minilab_unmap_file(void *bytes);
// Takes over memory that minilab_map_file gave, also on failure.
minilab_source *minilab_source_take(void *bytes, size_t length, minilab_error *error);
void minilab_source_release(minilab_source *source);

typedef struct {
  minilab_codec codec;
  // Rows are asked for once, from the top.
  int sequential;
  int fail_on_truncated;
  // JPEG only: 1, 2, 4 or 8.
  int shrink;
} minilab_load_options;

// Reads the header; pixels are decoded when they are asked for.
minilab_image *minilab_load(minilab_source *source, minilab_load_options options,
                            minilab_error *error);

typedef struct {
  minilab_codec codec;
  int quality;
  int bit_depth;
} minilab_save_options;

// Encodes to a descriptor, which is duplicated and written from its offset.
int minilab_save(minilab_image *image, int descriptor, minilab_save_options options,
                 minilab_error *error);

// Images (image.c)

void minilab_image_release(minilab_image *image);
int minilab_width(minilab_image *image);
int minilab_height(minilab_image *image);
int minilab_bands(minilab_image *image);
minilab_format minilab_image_format(minilab_image *image);
minilab_model minilab_image_model(minilab_image *image);

// Copies samples, row after row without gaps, into a new image in memory.
minilab_image *minilab_image_from_memory(const void *samples, int width, int height, int bands,
                                         minilab_format format, minilab_error *error);
// Decodes the whole image into memory.
minilab_image *minilab_to_memory(minilab_image *image, minilab_error *error);
// Copies all samples out; `size` must be width * height * bands * bytes a sample.
int minilab_read_samples(minilab_image *image, void *samples, size_t size, minilab_error *error);

// Computes all rows, once each from the top, and calls with the samples of each; they are gone afterwards.
typedef void (*minilab_row_reader)(void *context, const void *samples, int row);
int minilab_each_row(minilab_image *image, minilab_row_reader reader, void *context,
                     minilab_error *error);

// A new handle on the same pixels, whose metadata can be changed.
minilab_image *minilab_copy(minilab_image *image, minilab_error *error);
int minilab_has(minilab_image *image, const char *name);
int minilab_get_int(minilab_image *image, const char *name, int *value);
void minilab_set_int(minilab_image *image, const char *name, int value);
// Valid while the image lives and the field is not changed; 0 when there is none.
const char *minilab_get_string(minilab_image *image, const char *name);
void minilab_set_string(minilab_image *image, const char *name, const char *value);
const void *minilab_get_blob(minilab_image *image, const char *name, size_t *length);
void minilab_set_blob(minilab_image *image, const char *name, const void *bytes, size_t length);
void minilab_remove(minilab_image *image, const char *name);
// Calls back with the name of every field.
void minilab_each_field(minilab_image *image, void (*body)(void *context, const char *name),
                        void *context);
// Pixels a millimetre.
void minilab_set_resolution(minilab_image *image, double x, double y);
// A profile that libvips carries, `srgb`, `p3` or `cmyk`; to be freed with free(). 0 when unknown.
void *minilab_builtin_profile(const char *name, size_t *length);

// Pipeline (pipeline.c)

minilab_image *minilab_crop(minilab_image *image, minilab_rect rect, minilab_error *error);
// The first bands of an image.
minilab_image *minilab_first_bands(minilab_image *image, int count, minilab_error *error);
// EXIF orientation 2…8 applied to an image in memory.
minilab_image *minilab_orient(minilab_image *image, int orientation, minilab_error *error);
// Averages of blocks of pixels; sides are rounded up.
minilab_image *minilab_shrink(minilab_image *image, int across, int down, minilab_error *error);
// Through Little CMS to 16-bit Display P3, relative colorimetric as ICC.1 has it, that is without
// black point compensation. The embedded profile is used when it fits, else `fallback`, a built-in one.
minilab_image *minilab_icc_to_p3(minilab_image *image, const char *fallback, minilab_error *error);
// From Lab as libvips holds it to 16-bit Display P3.
minilab_image *minilab_lab_to_p3(minilab_image *image, minilab_error *error);
// Whether Little CMS accepts a profile for this image.
int minilab_profile_fits(minilab_image *image, const void *profile, size_t length);

// Passes pixels on and notes whether asking for them failed.
minilab_tap *minilab_tap_new(void);
void minilab_tap_release(minilab_tap *tap);
int minilab_tap_failed(const minilab_tap *tap);
minilab_image *minilab_tap_image(minilab_image *image, minilab_tap *tap, minilab_error *error);

// Passes pixels on, and when the last of them have been asked for, each once, also decodes the rows
// that nothing has asked for of `origin`, which the tap gave. A failure to do so counts for the tap.
minilab_image *minilab_then_read_to_end(minilab_image *image, minilab_image *origin,
                                        minilab_tap *tap, minilab_error *error);

// A function of Swift's over a run of pixels of one row, the first of them at the given place.
typedef void (*minilab_row_function)(const void *context, const void *input, void *output,
                                     int64_t pixels, int32_t column, int32_t row);
typedef void (*minilab_release_function)(const void *context);

// A new image whose rows come from a function. `release` is called once with the context when the
// image is gone, or at once on failure.
minilab_image *minilab_map(minilab_image *image, int bands, minilab_format format,
                           minilab_row_function function, const void *context,
                           minilab_release_function release, minilab_error *error);

// Samples of a part of an image; `stride` counts bytes from row to row.
typedef struct {
  void *samples;
  int64_t stride;
  minilab_rect rect;
} minilab_window;

// Says which part of the input one part of the output needs; it is clipped to the image afterwards.
typedef minilab_rect (*minilab_need_function)(const void *context, minilab_rect output);
typedef void (*minilab_window_function)(const void *context, const minilab_window *input,
                                        const minilab_window *output);

// A new image of the same format whose parts come from a function that sees what it needs around
// them. With `tiles` it is asked for square parts, else for strips from the top.
minilab_image *minilab_window_map(minilab_image *image, int width, int height, int tiles,
                                  minilab_need_function need, minilab_window_function function,
                                  const void *context, minilab_release_function release,
                                  minilab_error *error);

// What works through the rows of an image from the top and remembers what the next row needs.
typedef struct {
  // Makes what one thread works with; NULL on failure. `stop` ends it.
  void *(*start)(const void *context);
  void (*stop)(void *worker);
  // Says which rows of the input to give next for a part of the output; 0 when none are missing.
  int (*next)(void *worker, minilab_rect output, minilab_rect *input);
  void (*work)(void *worker, const minilab_window *input, const minilab_window *output);
  minilab_release_function release;
} minilab_rows_functions;

// A new image of the same size and format that is worked through by rows, in strips from the top.
// `release` is called once with the context when the image is gone, or at once on failure.
minilab_image *minilab_rows_map(minilab_image *image, minilab_rows_functions functions,
                                const void *context, minilab_error *error);

#ifdef __cplusplus
}
#endif
