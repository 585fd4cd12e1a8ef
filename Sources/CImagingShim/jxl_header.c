#include "shared.h"

#include <jxl/decode.h>

// What a JPEG XL says of itself, by libjxl and without decoding a pixel.

static int read_facts(JxlDecoder *decoder, minilab_jxl_facts *facts) {
  for (;;) {
    switch (JxlDecoderProcessInput(decoder)) {
    case JXL_DEC_BASIC_INFO: {
      JxlBasicInfo info;
      if (JxlDecoderGetBasicInfo(decoder, &info) != JXL_DEC_SUCCESS) return -1;
      facts->width = (int)info.xsize;
      facts->height = (int)info.ysize;
      facts->bit_depth = (int)info.bits_per_sample;
      facts->bands = (int)(info.num_color_channels + (info.alpha_bits > 0));
      break;
    }
    case JXL_DEC_COLOR_ENCODING: {
      JxlColorEncoding colours;
      size_t length = 0;
      int is_named = JxlDecoderGetColorAsEncodedProfile(decoder, NULL,
                                                        JXL_COLOR_PROFILE_TARGET_ORIGINAL,
                                                        &colours) == JXL_DEC_SUCCESS;
      int has_profile = JxlDecoderGetICCProfileSize(decoder, NULL,
                                                    JXL_COLOR_PROFILE_TARGET_ORIGINAL,
                                                    &length) == JXL_DEC_SUCCESS;
      facts->has_colours = is_named || (has_profile && length > 0);
      return 0;
    }
    default: return -1;
    }
  }
}

int minilab_read_jxl_facts(const void *bytes, size_t length, minilab_jxl_facts *facts) {
  *facts = (minilab_jxl_facts){0};
  JxlDecoder *decoder = JxlDecoderCreate(NULL);
  int status = -1;
  if (decoder &&
      JxlDecoderSubscribeEvents(decoder, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING) ==
          JXL_DEC_SUCCESS &&
      JxlDecoderSetInput(decoder, bytes, length) == JXL_DEC_SUCCESS) {
    JxlDecoderCloseInput(decoder);
    status = read_facts(decoder, facts);
  }
  if (decoder) JxlDecoderDestroy(decoder);
  return status;
}
