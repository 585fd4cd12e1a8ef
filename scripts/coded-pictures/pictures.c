// Codes the drawing of CodedDrawing.swift by encoders that are not part of the tests: red 60 + 2x,
// green 60 + 3y and blue 128 on 64 x 48 pixels, as lossless JPEG XL in each of the eight orientations
// (1.jxl ... 8.jxl) by libjxl, and as HEVC of quality 85 (drawing.heic) by x265 through libheif.
//
// The files are written into the current folder. What the tests keep of them, in base64: the JPEG XL
// as they are, and of the HEIC the box hvcC and what follows the head of the box mdat.
//
//   cc -Wall -Wextra -o pictures pictures.c -ljxl -lheif && ./pictures

#include <jxl/encode.h>
#include <libheif/heif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { width = 64, height = 48 };

static unsigned char samples[width * height * 3];

static void draw(void) {
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      unsigned char *pixel = samples + (y * width + x) * 3;
      pixel[0] = (unsigned char)(60 + 2 * x);
      pixel[1] = (unsigned char)(60 + 3 * y);
      pixel[2] = 128;
    }
  }
}

static void require(int is_fine, const char *step) {
  if (is_fine) return;
  fprintf(stderr, "%s failed\n", step);
  exit(1);
}

static void require_jxl(JxlEncoderStatus status, const char *step) {
  require(status == JXL_ENC_SUCCESS, step);
}

static void require_heif(struct heif_error error, const char *step) {
  if (error.code != heif_error_Ok) fprintf(stderr, "libheif: %s\n", error.message);
  require(error.code == heif_error_Ok, step);
}

static FILE *create(const char *name) {
  FILE *file = fopen(name, "wb");
  require(file != NULL, name);
  return file;
}

static void write_jxl(int orientation) {
  JxlEncoder *encoder = JxlEncoderCreate(NULL);
  require(encoder != NULL, "starting libjxl");
  JxlBasicInfo info;
  JxlEncoderInitBasicInfo(&info);
  info.xsize = width;
  info.ysize = height;
  info.bits_per_sample = 8;
  info.num_color_channels = 3;
  info.uses_original_profile = 1;
  info.orientation = (JxlOrientation)orientation;
  require_jxl(JxlEncoderSetBasicInfo(encoder, &info), "describing the picture");
  JxlColorEncoding colours;
  JxlColorEncodingSetToSRGB(&colours, JXL_FALSE);
  require_jxl(JxlEncoderSetColorEncoding(encoder, &colours), "naming the colours");
  JxlEncoderFrameSettings *settings = JxlEncoderFrameSettingsCreate(encoder, NULL);
  require(settings != NULL, "making a frame");
  require_jxl(JxlEncoderSetFrameLossless(settings, JXL_TRUE), "lossless coding");
  JxlPixelFormat format = {3, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
  require_jxl(JxlEncoderAddImageFrame(settings, &format, samples, sizeof samples), "encoding");
  JxlEncoderCloseInput(encoder);

  static unsigned char coded[1 << 20];
  unsigned char *next = coded;
  size_t left = sizeof coded;
  require_jxl(JxlEncoderProcessOutput(encoder, &next, &left), "encoding");
  JxlEncoderDestroy(encoder);
  char name[16];
  snprintf(name, sizeof name, "%d.jxl", orientation);
  FILE *file = create(name);
  size_t count = (size_t)(next - coded);
  require(fwrite(coded, 1, count, file) == count && fclose(file) == 0, name);
}

static struct heif_error write_part(struct heif_context *context, const void *data, size_t size,
                                    void *file) {
  (void)context;
  if (fwrite(data, 1, size, file) == size) {
    return (struct heif_error){heif_error_Ok, heif_suberror_Unspecified, "Success"};
  }
  return (struct heif_error){heif_error_Encoding_error, heif_suberror_Cannot_write_output_data,
                             "the file cannot be written"};
}

static void write_heic(const char *name) {
  struct heif_context *context = heif_context_alloc();
  require(context != NULL, "starting libheif");
  struct heif_encoder *encoder = NULL;
  require_heif(heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder),
               "finding an encoder of HEVC");
  require_heif(heif_encoder_set_lossy_quality(encoder, 85), "the quality");
  struct heif_image *image = NULL;
  require_heif(heif_image_create(width, height, heif_colorspace_RGB, heif_chroma_interleaved_RGB,
                                 &image),
               "making a picture");
  require_heif(heif_image_add_plane(image, heif_channel_interleaved, width, height, 8),
               "making a picture");
  int stride = 0;
  unsigned char *plane = heif_image_get_plane(image, heif_channel_interleaved, &stride);
  require(plane != NULL, "making a picture");
  for (int y = 0; y < height; y++) memcpy(plane + stride * y, samples + width * 3 * y, width * 3);
  struct heif_image_handle *handle = NULL;
  require_heif(heif_context_encode_image(context, image, encoder, NULL, &handle), "encoding");
  FILE *file = create(name);
  struct heif_writer writer = {1, write_part};
  require_heif(heif_context_write(context, &writer, file), "writing");
  require(fclose(file) == 0, name);
  heif_image_handle_release(handle);
  heif_image_release(image);
  heif_encoder_release(encoder);
  heif_context_free(context);
}

int main(void) {
  draw();
  for (int orientation = 1; orientation <= 8; orientation++) write_jxl(orientation);
  write_heic("drawing.heic");
  return 0;
}
