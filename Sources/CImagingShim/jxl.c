#include <jxl/decode.h>
#include <stdlib.h>
#include <string.h>

#include "shared.h"

enum { longest_block = 32 << 20 };

static JxlDecoder *start(const void *bytes, size_t length, int events, minilab_error *error) {
  JxlDecoder *decoder = JxlDecoderCreate(NULL);
  if (decoder && JxlDecoderSubscribeEvents(decoder, events) == JXL_DEC_SUCCESS &&
      JxlDecoderSetUnpremultiplyAlpha(decoder, JXL_TRUE) == JXL_DEC_SUCCESS &&
      JxlDecoderSetInput(decoder, bytes, length) == JXL_DEC_SUCCESS) {
    // The input is never closed: libjxl then says that a file is broken where it is cut off.
    return decoder;
  }
  if (decoder) JxlDecoderDestroy(decoder);
  minilab_error_set(error, "libjxl cannot be set up: out of memory");
  return NULL;
}

static int failed(JxlDecoderStatus status, minilab_error *error) {
  minilab_error_set(error, status == JXL_DEC_NEED_MORE_INPUT ? "unexpected end of file"
                                                             : "its codestream is broken");
  return -1;
}

// The space that libjxl is to give pixels in which have none that it can name: wide, with a curve.
static void prefer_wide(JxlDecoder *decoder, int is_grey) {
  JxlColorEncoding wide = {0};
  wide.color_space = is_grey ? JXL_COLOR_SPACE_GRAY : JXL_COLOR_SPACE_RGB;
  wide.white_point = JXL_WHITE_POINT_D65;
  wide.primaries = JXL_PRIMARIES_2100;
  wide.transfer_function = JXL_TRANSFER_FUNCTION_SRGB;
  wide.rendering_intent = JXL_RENDERING_INTENT_RELATIVE;
  JxlDecoderSetPreferredColorProfile(decoder, &wide);
}

static void settle_colour(JxlDecoder *decoder, const JxlBasicInfo *info) {
  JxlColorEncoding encoding;
  if (!info->uses_original_profile &&
      JxlDecoderGetColorAsEncodedProfile(decoder, NULL, JXL_COLOR_PROFILE_TARGET_ORIGINAL,
                                         &encoding) != JXL_DEC_SUCCESS) {
    prefer_wide(decoder, info->num_color_channels == 1);
  }
}

static void read_basic(JxlDecoder *decoder, const JxlBasicInfo *info, minilab_jxl_header *header) {
  header->width = (int)info->xsize;
  header->height = (int)info->ysize;
  header->colours = (int)info->num_color_channels;
  header->bits = (int)info->bits_per_sample;
  header->is_float = info->exponent_bits_per_sample > 0;
  header->has_alpha = info->alpha_bits > 0;
  header->is_animated = info->have_animation;
  for (uint32_t index = 0; index < info->num_extra_channels; index++) {
    JxlExtraChannelInfo extra;
    if (JxlDecoderGetExtraChannelInfo(decoder, index, &extra) != JXL_DEC_SUCCESS) continue;
    switch (extra.type) {
    case JXL_CHANNEL_ALPHA: break;
    case JXL_CHANNEL_BLACK: header->has_black = 1; break;
    case JXL_CHANNEL_DEPTH: header->has_depth = 1; break;
    default: header->has_other = 1; break;
    }
  }
}

static void read_colour(JxlDecoder *decoder, const JxlBasicInfo *info, minilab_jxl_header *header) {
  JxlColorEncoding encoding;
  settle_colour(decoder, info);
  header->is_converted =
      !info->uses_original_profile &&
      JxlDecoderGetColorAsEncodedProfile(decoder, NULL, JXL_COLOR_PROFILE_TARGET_ORIGINAL,
                                         &encoding) != JXL_DEC_SUCCESS;
  if (JxlDecoderGetColorAsEncodedProfile(decoder, NULL, JXL_COLOR_PROFILE_TARGET_DATA,
                                         &encoding) == JXL_DEC_SUCCESS &&
      encoding.white_point == JXL_WHITE_POINT_D65) {
    header->primaries = encoding.color_space == JXL_COLOR_SPACE_GRAY ? 1 : (int)encoding.primaries;
    header->transfer = (int)encoding.transfer_function;
  }
  size_t size = 0;
  if (JxlDecoderGetICCProfileSize(decoder, NULL, JXL_COLOR_PROFILE_TARGET_DATA, &size) !=
          JXL_DEC_SUCCESS ||
      size == 0 || size > longest_block) {
    return;
  }
  header->profile.bytes = malloc(size);
  if (header->profile.bytes &&
      JxlDecoderGetColorAsICCProfile(decoder, NULL, JXL_COLOR_PROFILE_TARGET_DATA,
                                     header->profile.bytes, size) == JXL_DEC_SUCCESS) {
    header->profile.length = size;
  }
}

typedef struct {
  minilab_block *target;
  size_t capacity;
} Box;

// Called when a box begins: ends the one before.
static void end_box(JxlDecoder *decoder, Box *box) {
  if (!box->target) return;
  size_t unused = JxlDecoderReleaseBoxBuffer(decoder);
  box->target->length = box->capacity - unused;
  box->target = NULL;
}

static void begin_box(JxlDecoder *decoder, Box *box, minilab_jxl_header *header) {
  JxlBoxType type;
  if (JxlDecoderGetBoxType(decoder, type, JXL_TRUE) != JXL_DEC_SUCCESS) return;
  if (memcmp(type, "jhgm", 4) == 0) header->has_gain_map = 1;
  minilab_block *target = memcmp(type, "Exif", 4) == 0  ? &header->exif
                          : memcmp(type, "xml ", 4) == 0 ? &header->xmp
                                                         : NULL;
  if (!target || target->bytes) return;
  box->capacity = 1 << 16;
  target->bytes = malloc(box->capacity);
  if (!target->bytes) return;
  box->target = target;
  JxlDecoderSetBoxBuffer(decoder, target->bytes, box->capacity);
}

static int grow_box(JxlDecoder *decoder, Box *box) {
  if (!box->target || box->capacity >= longest_block) return -1;
  size_t unused = JxlDecoderReleaseBoxBuffer(decoder);
  size_t used = box->capacity - unused;
  uint8_t *larger = realloc(box->target->bytes, box->capacity * 2);
  if (!larger) return -1;
  box->target->bytes = larger;
  box->capacity *= 2;
  JxlDecoderSetBoxBuffer(decoder, larger + used, box->capacity - used);
  return 0;
}

int minilab_jxl_read(const void *bytes, size_t length, minilab_jxl_header *header,
                     minilab_error *error) {
  memset(header, 0, sizeof *header);
  JxlDecoder *decoder =
      start(bytes, length, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_BOX, error);
  if (!decoder) return -1;
  JxlDecoderSetDecompressBoxes(decoder, JXL_TRUE);
  JxlBasicInfo info = {0};
  Box box = {NULL, 0};
  JxlDecoderStatus status;
  do {
    status = JxlDecoderProcessInput(decoder);
    switch (status) {
    case JXL_DEC_BASIC_INFO:
      if (JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS) {
        read_basic(decoder, &info, header);
      }
      break;
    case JXL_DEC_COLOR_ENCODING: read_colour(decoder, &info, header); break;
    case JXL_DEC_BOX:
      end_box(decoder, &box);
      begin_box(decoder, &box, header);
      break;
    case JXL_DEC_BOX_NEED_MORE_OUTPUT:
      if (grow_box(decoder, &box)) status = JXL_DEC_ERROR;
      break;
    default: break;
    }
  } while (status != JXL_DEC_SUCCESS && status != JXL_DEC_ERROR &&
           status != JXL_DEC_NEED_MORE_INPUT);
  end_box(decoder, &box);
  JxlDecoderDestroy(decoder);
  // What the pixels need may be there although the rest is not; decoding tells.
  if (header->width > 0 && header->height > 0) return 0;
  minilab_jxl_free(header);
  return failed(status, error);
}

void minilab_jxl_free(minilab_jxl_header *header) {
  free(header->profile.bytes);
  free(header->exif.bytes);
  free(header->xmp.bytes);
  memset(header, 0, sizeof *header);
}

static JxlDataType data_type(minilab_format format) {
  switch (format) {
  case MINILAB_FORMAT_UINT8: return JXL_TYPE_UINT8;
  case MINILAB_FORMAT_UINT16: return JXL_TYPE_UINT16;
  default: return JXL_TYPE_FLOAT;
  }
}

static void discard(void *context, size_t x, size_t y, size_t count, const void *pixels) {
  (void)context;
  (void)x;
  (void)y;
  (void)count;
  (void)pixels;
}

// The frames that are shown, from their headers; 0 when the last of them is not there.
static size_t count_frames(JxlDecoder *decoder) {
  JxlFrameHeader header = {0};
  size_t count = 0;
  while (!header.is_last) {
    if (JxlDecoderProcessInput(decoder) != JXL_DEC_FRAME ||
        JxlDecoderGetFrameHeader(decoder, &header) != JXL_DEC_SUCCESS) {
      return 0;
    }
    count++;
  }
  return count;
}

// Whether the frames after the first are there to the end of the last one, which is decoded for that,
// with what it is drawn upon.
static JxlDecoderStatus read_frames(const void *bytes, size_t length, const JxlPixelFormat *pixels,
                                    minilab_error *error) {
  JxlDecoder *decoder = start(bytes, length, JXL_DEC_FRAME, error);
  if (!decoder) return JXL_DEC_ERROR;
  size_t count = count_frames(decoder);
  JxlDecoderStatus status = JXL_DEC_NEED_MORE_INPUT;
  if (count > 0) {
    JxlDecoderRewind(decoder);
    JxlDecoderSubscribeEvents(decoder, JXL_DEC_FULL_IMAGE);
    JxlDecoderSetInput(decoder, bytes, length);
    JxlDecoderSkipFrames(decoder, count - 1);
    while ((status = JxlDecoderProcessInput(decoder)) == JXL_DEC_NEED_IMAGE_OUT_BUFFER) {
      if (JxlDecoderSetImageOutCallback(decoder, pixels, discard, NULL) != JXL_DEC_SUCCESS) break;
    }
  }
  JxlDecoderDestroy(decoder);
  return status;
}

int minilab_jxl_decode(const void *bytes, size_t length, int bands, minilab_format format,
                       int strict, void *samples, size_t size, minilab_error *error) {
  JxlDecoder *decoder = start(
      bytes, length, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE, error);
  if (!decoder) return -1;
  JxlPixelFormat pixels = {(uint32_t)bands, data_type(format), JXL_NATIVE_ENDIAN, 0};
  JxlBasicInfo info = {0};
  int is_shown = 0;
  JxlDecoderStatus status;
  do {
    status = JxlDecoderProcessInput(decoder);
    switch (status) {
    case JXL_DEC_BASIC_INFO:
      if (JxlDecoderGetBasicInfo(decoder, &info) != JXL_DEC_SUCCESS) status = JXL_DEC_ERROR;
      break;
    case JXL_DEC_COLOR_ENCODING: settle_colour(decoder, &info); break;
    case JXL_DEC_NEED_IMAGE_OUT_BUFFER: {
      size_t needed = 0;
      if (JxlDecoderImageOutBufferSize(decoder, &pixels, &needed) != JXL_DEC_SUCCESS ||
          needed != size ||
          JxlDecoderSetImageOutBuffer(decoder, &pixels, samples, size) != JXL_DEC_SUCCESS) {
        status = JXL_DEC_ERROR;
      }
      memset(samples, 0, size);
      break;
    }
    // The first frame that is shown; the buffer would be filled with the next one too.
    case JXL_DEC_FULL_IMAGE: is_shown = 1; break;
    case JXL_DEC_NEED_MORE_INPUT:
      if (!strict) is_shown = JxlDecoderFlushImage(decoder) == JXL_DEC_SUCCESS;
      break;
    default: break;
    }
  } while (!is_shown && status != JXL_DEC_SUCCESS && status != JXL_DEC_ERROR &&
           status != JXL_DEC_NEED_MORE_INPUT);
  JxlDecoderDestroy(decoder);
  if (is_shown && strict && info.have_animation) {
    status = read_frames(bytes, length, &pixels, error);
  }
  if (is_shown && (status == JXL_DEC_FULL_IMAGE || !strict)) return 0;
  return failed(status, error);
}
