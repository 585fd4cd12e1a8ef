#pragma once

#include "CImagingError.h"
#include "CImagingMetadata.h"
#include "CImagingRaw.h"

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
  MINILAB_CODEC_AVIF,
  MINILAB_CODEC_HEIC,
  MINILAB_CODEC_JXL,
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
// The same with a copy of bytes that are in memory.
void *minilab_map_copy(const void *source, size_t count, size_t spare);
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
  // TIFF only: the directory that is read, from 0 on.
  int page;
} minilab_load_options;

// Reads the header; pixels are decoded when they are asked for.
minilab_image *minilab_load(minilab_source *source, minilab_load_options options,
                            minilab_error *error);

typedef enum {
  MINILAB_CHROMA_420 = 0,
  MINILAB_CHROMA_422,
  MINILAB_CHROMA_444,
} minilab_chroma;

typedef enum {
  MINILAB_COMPRESSION_NONE = 0,
  MINILAB_COMPRESSION_LZW,
  MINILAB_COMPRESSION_DEFLATE,
  MINILAB_COMPRESSION_ZSTD,
} minilab_compression;

// What a codec has no use for is not looked at.
typedef struct {
  minilab_codec codec;
  // 1 … 100.
  int quality;
  // 8 … 16, or 32 for float; the samples are of 8, 16 or 32 bits.
  int bit_depth;
  minilab_chroma chroma;
  int progressive;
  int optimize_coding;
  int lossless;
  // In the units of the codec.
  int effort;
  minilab_compression compression;
  int predictor;
  // The side of the tiles of a TIFF; 0 for strips.
  int tile;
  // JPEG XL: of Butteraugli.
  float distance;
  // AVIF and HEIC: as ITU-T H.273 numbers them.
  int primaries;
  int transfer;
} minilab_save_options;

// Whether there is an encoder for what can be lacking: AVIF, HEIC.
int minilab_can_save(minilab_codec codec);
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
// The same without a copy: the samples must stay where they are while the image lives.
minilab_image *minilab_image_over_memory(const void *samples, int width, int height, int bands,
                                         minilab_format format, minilab_error *error);
// Makes the fields `exif-ifd…` from the block `exif-data`, as loaders do; the resolution stays what it was.
// A block that makes no sense gives none.
void minilab_read_exif(minilab_image *image);
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

// Colour (colour.c)

typedef enum {
  MINILAB_COLOURS_GREY = 0,
  MINILAB_COLOURS_RGB,
  // 0 is no ink.
  MINILAB_COLOURS_CMYK,
  // Floats: L* 0…100, a* and b*; in 16 bits as ICC version 4 has it.
  MINILAB_COLOURS_LAB,
} minilab_colours;

// Samples side by side; an alpha comes last.
typedef struct {
  minilab_colours colours;
  minilab_format format;
  int alpha;
} minilab_pixels;

typedef enum {
  MINILAB_INTENT_PERCEPTUAL = 0,
  MINILAB_INTENT_RELATIVE,
  MINILAB_INTENT_SATURATION,
  MINILAB_INTENT_ABSOLUTE,
} minilab_intent;

// An ICC profile in memory. Without bytes: the working space, linear light with Rec. 2020 primaries and
// the white of D65, or for Lab that of the connection space.
typedef struct {
  const void *bytes;
  size_t length;
} minilab_profile;

typedef struct {
  minilab_profile from;
  minilab_pixels input;
  minilab_profile to;
  minilab_pixels output;
  minilab_intent intent;
  // Whether black point compensation is asked for.
  int black_point;
} minilab_conversion;

// Whether Little CMS can do it; else why not.
int minilab_conversion_works(const minilab_conversion *wanted, minilab_error *error);
// A new image whose samples Little CMS works out, unclamped where they are floats. The bytes of the
// profiles are needed during the call alone.
minilab_image *minilab_convert(minilab_image *image, const minilab_conversion *wanted,
                               minilab_error *error);
// Lab in any of libvips' forms as three bands of floats.
minilab_image *minilab_lab(minilab_image *image, minilab_error *error);

// Pipeline (pipeline.c)

minilab_image *minilab_crop(minilab_image *image, minilab_rect rect, minilab_error *error);
// The first bands of an image.
// Colours of the narrow range of video (16 to 235 of 8 bits) in the whole one; the bands after them stay.
minilab_image *minilab_widen(minilab_image *image, int colours, minilab_error *error);
minilab_image *minilab_first_bands(minilab_image *image, int count, minilab_error *error);
// EXIF orientation 2…8 applied to an image in memory.
minilab_image *minilab_orient(minilab_image *image, int orientation, minilab_error *error);
// Averages of blocks of pixels; sides are rounded up.
minilab_image *minilab_shrink(minilab_image *image, int across, int down, minilab_error *error);
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

// Decoders of our own (decoded.c)

typedef struct {
  int width, height, bands;
  minilab_format format;
  minilab_model model;
} minilab_form;

// Puts a text into an error record, whose array Swift sees as a tuple.
void minilab_error_set(minilab_error *error, const char *text);

// Fills all samples of a picture; `stride` counts bytes from row to row. 0, or -1 and a text.
typedef int (*minilab_decode_function)(const void *context, void *samples, int64_t stride,
                                       minilab_error *error);

// An image that is decoded into memory when its first pixels are asked for, once. `release` is called
// once with the context when the image is gone, or at once on failure.
minilab_image *minilab_image_decoded(minilab_form form, minilab_decode_function function,
                                     const void *context, minilab_release_function release,
                                     minilab_error *error);

// HEIF and AVIF by libheif (heif.c)

typedef struct minilab_heif minilab_heif;
typedef struct minilab_heif_planes minilab_heif_planes;

typedef enum {
  MINILAB_HEIF_GREY,
  MINILAB_HEIF_RED,
  MINILAB_HEIF_GREEN,
  MINILAB_HEIF_BLUE,
  MINILAB_HEIF_ALPHA,
} minilab_heif_channel;

// Samples of one channel, one byte each up to 8 bits, else two in the order of this machine.
typedef struct {
  const void *samples;
  int64_t stride;
  int width, height, bits;
} minilab_plane;

// Sets the decoders up; before the first file, and before the process is sealed.
int minilab_heif_start(minilab_error *error);
// Reads the container; the bytes stay the caller's and must outlive this.
// `auxiliary`: another item that belongs to it, or 0.
minilab_heif *minilab_heif_open(const void *bytes, size_t length, uint32_t item, uint32_t auxiliary,
                                minilab_error *error);
void minilab_heif_release(minilab_heif *heif);
// Red, green and blue, without the transforms of the container. `strict`: a warning is a failure.
// Grey comes as it is coded, which may leave its range to the caller.
minilab_heif_planes *minilab_heif_decode(minilab_heif *heif, int is_grey, int strict,
                                         minilab_error *error);
void minilab_heif_planes_release(minilab_heif_planes *planes);
// 0 when there is no such channel.
int minilab_heif_plane(minilab_heif_planes *planes, minilab_heif_channel channel,
                       minilab_plane *plane);

// JPEG XL by libjxl (jxl.c)

typedef struct {
  uint8_t *bytes;
  size_t length;
} minilab_block;

typedef struct {
  // As shown: the codestream's orientation is applied.
  int width, height;
  int colours, bits;
  int is_float, has_alpha, has_black, has_depth, has_other, is_animated, has_gain_map;
  // Whether pixels are given in another space than the original's, which libjxl cannot name.
  int is_converted;
  // ITU-T H.273, where the space has a name; 0 where not.
  int primaries, transfer;
  // Of the pixels as decoded.
  minilab_block profile;
  minilab_block exif, xmp;
} minilab_jxl_header;

// 0, and what the header has allocated is to be freed by the other.
int minilab_jxl_read(const void *bytes, size_t length, minilab_jxl_header *header,
                     minilab_error *error);
void minilab_jxl_free(minilab_jxl_header *header);
// The first frame that is shown, its colour independent of alpha. Strict: the other frames must be there
// as well; else what is there of the first, over zeros.
int minilab_jxl_decode(const void *bytes, size_t length, int bands, minilab_format format,
                       int strict, void *samples, size_t size, minilab_error *error);

// Compressed blocks of PNG by zlib (inflate.c)

// -1 when the stream is broken, cut off or longer than the limit; what came of it, to be freed with free(),
// is given all the same, and is NULL when nothing did.
int minilab_inflate(const void *source, size_t length, size_t limit, void **bytes, size_t *count);

// JPEG 2000 by OpenJPEG (jpeg2000.c)

typedef struct minilab_jpeg2000 minilab_jpeg2000;

typedef struct {
  // The picture's corners on the reference grid.
  uint32_t left, top, right, bottom;
  int components;
} minilab_jpeg2000_grid;

typedef struct {
  // Points of the reference grid from one sample to the next.
  uint32_t step_x, step_y, width, height;
  int bits, is_signed;
  // Rows without gaps; NULL before decoding. Valid while the file is open.
  const int32_t *samples;
} minilab_jpeg2000_component;

// Reads the header. The bytes stay the caller's and must outlive this. Not strict: what is missing of a
// picture that is cut off is left empty.
minilab_jpeg2000 *minilab_jpeg2000_open(const void *bytes, size_t length, int strict,
                                        minilab_error *error);
void minilab_jpeg2000_release(minilab_jpeg2000 *file);
minilab_jpeg2000_grid minilab_jpeg2000_read(minilab_jpeg2000 *file);
// As coded: without the container's palette and order of channels.
minilab_jpeg2000_component minilab_jpeg2000_part(minilab_jpeg2000 *file, int index);
int minilab_jpeg2000_decode(minilab_jpeg2000 *file, minilab_error *error);

// TIFF by libtiff, for what libvips' loader does not read (tiff.c)

typedef struct minilab_tiff minilab_tiff;

typedef struct {
  int width, height, bits, samples, compression, photometric, kind, orientation;
  int is_planar, is_tiled;
  // Samples beyond the colours, and what the first is: 0 unspecified, 1 premultiplied alpha, 2 alpha.
  int extras, first_extra;
  // Of a tile, or of a strip.
  int block_width, block_height;
  uint64_t block_bytes, row_bytes;
  // The file's; valid while it is open.
  minilab_block profile;
} minilab_tiff_header;

// A picture by its place among the directories. The bytes stay the caller's and must outlive this.
minilab_tiff *minilab_tiff_open(const void *bytes, size_t length, int page, minilab_error *error);
void minilab_tiff_release(minilab_tiff *file);
int minilab_tiff_read(minilab_tiff *file, minilab_tiff_header *header, minilab_error *error);
// Two to the power of the bits entries each; 0 when there is none.
int minilab_tiff_colour_map(minilab_tiff *file, const uint16_t **red, const uint16_t **green,
                            const uint16_t **blue);
// Decodes the tile or strip that a pixel lies in; its last strip may be shorter than the others.
int minilab_tiff_block(minilab_tiff *file, int left, int top, int plane, void *target,
                       size_t capacity, minilab_error *error);
// Eight bits of red, green, blue and premultiplied alpha a pixel, from the low byte up, as stored.
int minilab_tiff_rgba(minilab_tiff *file, int strict, uint32_t *target, size_t pixels,
                      minilab_error *error);

#ifdef __cplusplus
}
#endif
