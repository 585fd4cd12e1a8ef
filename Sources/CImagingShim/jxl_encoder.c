#include "shared.h"

#include <jxl/encode.h>

// Straight to libjxl: libvips 8.14 knows no depths between 8 and 16 bits, and brings a pool of threads.

static int failed(const char *step, JxlEncoderStatus status) {
  if (status == JXL_ENC_SUCCESS) return 0;
  vips_error("jxl", "%s failed", step);
  return 1;
}

static int describe(JxlEncoder *encoder, VipsImage *image, const minilab_save_options *options) {
  JxlBasicInfo info;
  JxlEncoderInitBasicInfo(&info);
  info.xsize = (uint32_t)image->Xsize;
  info.ysize = (uint32_t)image->Ysize;
  info.bits_per_sample = (uint32_t)options->bit_depth;
  info.exponent_bits_per_sample = options->bit_depth == 32 ? 8 : 0;
  info.num_color_channels = 3;
  info.uses_original_profile = options->lossless;
  if (image->Bands == 4) {
    info.num_extra_channels = 1;
    info.alpha_bits = info.bits_per_sample;
    info.alpha_exponent_bits = info.exponent_bits_per_sample;
  }
  if (failed("describing the picture", JxlEncoderSetBasicInfo(encoder, &info))) return -1;
  // Level 5 where that is enough, and where it is not the level that says so.
  int level = JxlEncoderGetRequiredCodestreamLevel(encoder);
  if (level > 5 && failed("the level", JxlEncoderSetCodestreamLevel(encoder, level))) return -1;

  const void *profile = NULL;
  size_t length = 0;
  if (vips_image_get_typeof(image, VIPS_META_ICC_NAME) &&
      vips_image_get_blob(image, VIPS_META_ICC_NAME, &profile, &length) == 0) {
    return failed("embedding the profile", JxlEncoderSetICCProfile(encoder, profile, length));
  }
  JxlColorEncoding colours;
  JxlColorEncodingSetToSRGB(&colours, JXL_FALSE);
  return failed("naming the colour space", JxlEncoderSetColorEncoding(encoder, &colours));
}

static int add_frame(JxlEncoder *encoder, VipsImage *image, const minilab_save_options *options) {
  JxlEncoderFrameSettings *settings = JxlEncoderFrameSettingsCreate(encoder, NULL);
  if (failed("the effort", JxlEncoderFrameSettingsSetOption(
                               settings, JXL_ENC_FRAME_SETTING_EFFORT, options->effort)) ||
      failed("the distance", JxlEncoderSetFrameDistance(settings, options->distance)) ||
      (options->lossless &&
       failed("lossless coding", JxlEncoderSetFrameLossless(settings, JXL_TRUE)))) {
    return -1;
  }
  JxlPixelFormat format = {(uint32_t)image->Bands,
                           image->BandFmt == VIPS_FORMAT_UCHAR    ? JXL_TYPE_UINT8
                           : image->BandFmt == VIPS_FORMAT_USHORT ? JXL_TYPE_UINT16
                                                                  : JXL_TYPE_FLOAT,
                           JXL_LITTLE_ENDIAN, 0};
  size_t size = 0;
  void *samples = vips_image_write_to_memory(image, &size);
  if (!samples) return -1;
  int status = failed("encoding", JxlEncoderAddImageFrame(settings, &format, samples, size));
  g_free(samples);
  return status;
}

static int write_out(JxlEncoder *encoder, VipsTarget *target) {
  uint8_t bytes[65536];
  JxlEncoderStatus status;
  do {
    uint8_t *next = bytes;
    size_t left = sizeof bytes;
    status = JxlEncoderProcessOutput(encoder, &next, &left);
    if (status == JXL_ENC_ERROR) return failed("encoding", status);
    if (vips_target_write(target, bytes, sizeof bytes - left)) return -1;
  } while (status == JXL_ENC_NEED_MORE_OUTPUT);
  return 0;
}

int minilab_save_jxl(VipsImage *image, VipsTarget *target, const minilab_save_options *options) {
  // Without a runner everything happens on this thread.
  JxlEncoder *encoder = JxlEncoderCreate(NULL);
  if (!encoder) {
    vips_error("jxl", "out of memory");
    return -1;
  }
  int status = describe(encoder, image, options) || add_frame(encoder, image, options) ? -1 : 0;
  JxlEncoderCloseInput(encoder);
  if (status == 0) status = write_out(encoder, target);
  JxlEncoderDestroy(encoder);
  return status;
}
