#include <jxl/encode.h>
#include <libheif/heif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { W = 64, H = 48 };
static unsigned char px[W * H * 3];
static struct heif_error wr(struct heif_context *c, const void *d, size_t n, void *u) { (void)c; fwrite(d, 1, n, u); return (struct heif_error){0,0,"ok"}; }
// Three frames: the drawing for no time, a white square of 8 x 8 at its origin, and all of it reversed.
static void frame(JxlEncoder *e, const unsigned char *pixels, int side, int ticks) {
  JxlEncoderFrameSettings *s = JxlEncoderFrameSettingsCreate(e, NULL);
  JxlEncoderSetFrameLossless(s, 1);
  JxlFrameHeader h; JxlEncoderInitFrameHeader(&h);
  h.duration = ticks; h.layer_info.save_as_reference = 1;
  h.layer_info.blend_info.source = 1;
  if (side) { h.layer_info.have_crop = 1; h.layer_info.xsize = h.layer_info.ysize = side; }
  JxlEncoderSetFrameHeader(s, &h);
  JxlPixelFormat f = {3, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
  JxlEncoderAddImageFrame(s, &f, pixels, side ? side * side * 3 : W * H * 3);
}
static void animate(void) {
  static unsigned char other[W * H * 3], white[8 * 8 * 3], out[1 << 20];
  for (size_t i = 0; i < sizeof other; i++) other[i] = 255 - px[i];
  memset(white, 255, sizeof white);
  JxlEncoder *e = JxlEncoderCreate(NULL);
  JxlBasicInfo b; JxlEncoderInitBasicInfo(&b);
  b.xsize = W; b.ysize = H; b.bits_per_sample = 8; b.num_color_channels = 3; b.uses_original_profile = 1;
  b.have_animation = 1; b.animation.tps_numerator = 10; b.animation.tps_denominator = 1;
  JxlEncoderSetBasicInfo(e, &b);
  JxlColorEncoding c; JxlColorEncodingSetToSRGB(&c, 0); JxlEncoderSetColorEncoding(e, &c);
  frame(e, px, 0, 0); frame(e, white, 8, 5); frame(e, other, 0, 5);
  JxlEncoderCloseInput(e);
  unsigned char *n = out; size_t left = sizeof out;
  printf("animation %d\n", JxlEncoderProcessOutput(e, &n, &left));
  FILE *w = fopen("animation.jxl", "wb"); fwrite(out, 1, n - out, w); fclose(w);
}
int main(void) {
  for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) { unsigned char *p = px + (y * W + x) * 3; p[0] = 60 + 2 * x; p[1] = 60 + 3 * y; p[2] = 128; }
  animate();
  for (int o = 1; o <= 8; o++) {
    JxlEncoder *e = JxlEncoderCreate(NULL);
    JxlBasicInfo b; JxlEncoderInitBasicInfo(&b);
    b.xsize = W; b.ysize = H; b.bits_per_sample = 8; b.num_color_channels = 3; b.uses_original_profile = 1; b.orientation = o;
    JxlEncoderSetBasicInfo(e, &b);
    JxlColorEncoding c; JxlColorEncodingSetToSRGB(&c, 0); JxlEncoderSetColorEncoding(e, &c);
    JxlEncoderFrameSettings *s = JxlEncoderFrameSettingsCreate(e, NULL);
    JxlEncoderSetFrameLossless(s, 1);
    JxlPixelFormat f = {3, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
    JxlEncoderAddImageFrame(s, &f, px, sizeof px);
    JxlEncoderCloseInput(e);
    static unsigned char out[1 << 20]; unsigned char *n = out; size_t left = sizeof out;
    int r = JxlEncoderProcessOutput(e, &n, &left);
    char name[20]; sprintf(name, "o%d.jxl", o); FILE *w = fopen(name, "wb"); fwrite(out, 1, n - out, w); fclose(w);
    printf("%d %d %ld\n", o, r, (long)(n - out));
  }
  struct heif_context *ctx = heif_context_alloc(); struct heif_encoder *enc;
  heif_context_get_encoder_for_format(ctx, heif_compression_HEVC, &enc);
  heif_encoder_set_lossy_quality(enc, 85);
  struct heif_image *im; heif_image_create(W, H, heif_colorspace_RGB, heif_chroma_interleaved_RGB, &im);
  heif_image_add_plane(im, heif_channel_interleaved, W, H, 8); int st; unsigned char *p = heif_image_get_plane(im, heif_channel_interleaved, &st);
  for (int y = 0; y < H; y++) memcpy(p + st * y, px + W * 3 * y, W * 3);
  struct heif_image_handle *h; heif_context_encode_image(ctx, im, enc, NULL, &h);
  FILE *w = fopen("p.heic", "wb"); struct heif_writer writer = {1, wr}; heif_context_write(ctx, &writer, w); fclose(w);
}
