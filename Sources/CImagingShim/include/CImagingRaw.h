#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// RAW (raw.cpp, raw_exif.cpp): LibRaw, which is C++, and whose settings lie in one large structure.

typedef struct minilab_raw minilab_raw;

typedef enum {
  MINILAB_RAW_FINE = 0,
  MINILAB_RAW_UNSUPPORTED,
  MINILAB_RAW_DAMAGED,
  MINILAB_RAW_NO_MEMORY,
  MINILAB_RAW_TOO_BIG,
} minilab_raw_status;

// The record of a call, filled on success too where `errors` and `missing` count.
typedef struct {
  minilab_raw_status status;
  // Places where the data made no sense to the decoder.
  int errors;
  // Bytes that were asked for behind the end of the file.
  int64_t missing;
  char text[160];
} minilab_raw_failure;

typedef struct {
  // As decoded, before orientation.
  int width, height;
  int raw_width, raw_height;
  // 1 mirrors from left to right, 2 from top to bottom, 4 swaps the sides, in this order of doing.
  int flip;
  int colours;
  int frames;
  int is_dng;
  int has_camera_white;
  int has_camera_matrix;
  int has_xmp;
  int has_maker_note;
  // As EXIF writes it; empty when unknown.
  char captured[32];
  // After decoding: camera to linear sRGB, and what each colour was multiplied by, the largest being 1.
  float to_srgb[9];
  float multipliers[4];
} minilab_raw_info;

typedef struct {
  // LibRaw's `highlight`: 0 cuts all colours where the first is full, 1 keeps them.
  int keep_highlights;
  // LibRaw's `output_color`; not looked at when the camera's own colours are wanted.
  int output_colour;
  int camera_colours;
  // LibRaw's `adjust_maximum_thr`; 0 believes the white level of the file.
  float adjust_maximum;
  int raw_megabytes;
  // Goes on with zeros behind the end of a file that is cut off.
  int past_end;
} minilab_raw_options;

typedef struct {
  // 0 main, 2 EXIF, 3 GPS.
  uint16_t group, tag, type;
  uint32_t count;
  // In the order of this machine.
  const uint8_t *bytes;
  size_t length;
} minilab_raw_exif;

// Reads the header of a file in memory, which must stay there until the RAW is closed. NULL on failure.
minilab_raw *minilab_raw_open(const void *bytes, size_t length, minilab_raw_info *info,
                              minilab_raw_failure *failure);
void minilab_raw_close(minilab_raw *raw);
// Develops the sensor's data, once: 16 bits, linear, camera white balance or else daylight.
int minilab_raw_decode(minilab_raw *raw, minilab_raw_options options, minilab_raw_info *info,
                       minilab_raw_failure *failure);
// Four samples a pixel, rows without gaps, in the size that decoding told; of grey the first alone counts.
// Valid until the RAW is closed.
uint16_t *minilab_raw_samples(minilab_raw *raw);
// The largest embedded JPEG; NULL when there is none. Valid until the RAW is closed.
const void *minilab_raw_preview(minilab_raw *raw, size_t *length, minilab_raw_failure *failure);
// Calls back with what the file says of the photo; the bytes are valid during the call.
void minilab_raw_each_exif(minilab_raw *raw,
                           void (*body)(void *context, const minilab_raw_exif *entry),
                           void *context);
const char *minilab_raw_version(void);

#ifdef __cplusplus
}
#endif
