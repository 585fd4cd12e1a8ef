#include "shared.h"

static int release_file(void *bytes, VipsArea *area) {
  (void)area;
  minilab_unmap_file(bytes);
  return 0;
}

minilab_source *minilab_source_from_descriptor(int descriptor, minilab_error *error) {
  VipsSource *source = vips_source_new_from_descriptor(descriptor);
  if (!source) minilab_fail(error);
  return (minilab_source *)source;
}

minilab_source *minilab_source_take(void *bytes, size_t length, minilab_error *error) {
  VipsBlob *blob = vips_blob_new((VipsCallbackFn)release_file, bytes, length);
  VipsSource *source = vips_source_new_from_blob(blob);
  vips_area_unref(VIPS_AREA(blob));
  if (!source) minilab_fail(error);
  return (minilab_source *)source;
}

void minilab_source_release(minilab_source *source) { g_object_unref(source); }

minilab_image *minilab_load(minilab_source *opaque, minilab_load_options options,
                            minilab_error *error) {
  VipsSource *source = (VipsSource *)opaque;
  VipsAccess access = options.sequential ? VIPS_ACCESS_SEQUENTIAL : VIPS_ACCESS_RANDOM;
  VipsFailOn fail = options.fail_on_truncated ? VIPS_FAIL_ON_TRUNCATED : VIPS_FAIL_ON_NONE;
  VipsImage *image = NULL;
  int status = -1;
  switch (options.codec) {
  case MINILAB_CODEC_JPEG:
    status = vips_jpegload_source(source, &image, "access", access, "fail_on", fail, "shrink",
                                  options.shrink > 1 ? options.shrink : 1, NULL);
    break;
  case MINILAB_CODEC_PNG:
    status = vips_pngload_source(source, &image, "access", access, "fail_on", fail, NULL);
    break;
  case MINILAB_CODEC_WEBP:
    status = vips_webpload_source(source, &image, "access", access, "fail_on", fail, NULL);
    break;
  case MINILAB_CODEC_TIFF:
    status = vips_tiffload_source(source, &image, "access", access, "fail_on", fail, "page",
                                  options.page, NULL);
    break;
  case MINILAB_CODEC_GIF:
    status = vips_gifload_source(source, &image, "access", access, "fail_on", fail, NULL);
    break;
  default:
    vips_error("minilab", "no such codec");
    break;
  }
  return minilab_result(status, image, error);
}

static int save_tiff(VipsImage *image, VipsTarget *target, const minilab_save_options *options) {
  static const VipsForeignTiffCompression compressions[] = {
      VIPS_FOREIGN_TIFF_COMPRESSION_NONE, VIPS_FOREIGN_TIFF_COMPRESSION_LZW,
      VIPS_FOREIGN_TIFF_COMPRESSION_DEFLATE, VIPS_FOREIGN_TIFF_COMPRESSION_ZSTD};
  VipsForeignTiffPredictor predictor = !options->predictor ? VIPS_FOREIGN_TIFF_PREDICTOR_NONE
                                       : options->bit_depth == 32
                                           ? VIPS_FOREIGN_TIFF_PREDICTOR_FLOAT
                                           : VIPS_FOREIGN_TIFF_PREDICTOR_HORIZONTAL;
  int side = options->tile > 0 ? options->tile : 256;
  return vips_tiffsave_target(image, target, "compression", compressions[options->compression],
                              "predictor", predictor, "tile", options->tile > 0, "tile_width", side,
                              "tile_height", side, "level", 9, "bigtiff",
                              VIPS_IMAGE_SIZEOF_IMAGE(image) > 4000000000u, NULL);
}

int minilab_save(minilab_image *opaque, int descriptor, minilab_save_options options,
                 minilab_error *error) {
  VipsImage *image = minilab_unwrap(opaque);
  VipsTarget *target = vips_target_new_to_descriptor(descriptor);
  int status = -1;
  if (target) {
    switch (options.codec) {
    case MINILAB_CODEC_JPEG:
      status = vips_jpegsave_target(
          image, target, "Q", options.quality, "optimize_coding", options.optimize_coding,
          "interlace", options.progressive, "subsample_mode",
          options.chroma == MINILAB_CHROMA_444 ? VIPS_FOREIGN_SUBSAMPLE_OFF
                                               : VIPS_FOREIGN_SUBSAMPLE_ON,
          NULL);
      break;
    case MINILAB_CODEC_PNG:
      status = vips_pngsave_target(image, target, "filter", VIPS_FOREIGN_PNG_FILTER_ALL,
                                   "compression", options.effort, "interlace",
                                   options.progressive, NULL);
      break;
    case MINILAB_CODEC_WEBP:
      status = vips_webpsave_target(image, target, "Q", options.quality, "lossless",
                                    options.lossless, "effort", options.effort, NULL);
      break;
    case MINILAB_CODEC_TIFF: status = save_tiff(image, target, &options); break;
    case MINILAB_CODEC_AVIF:
    case MINILAB_CODEC_HEIC:
      status = minilab_save_heif(image, target, &options) || vips_target_end(target) ? -1 : 0;
      break;
    case MINILAB_CODEC_JXL:
      status = minilab_save_jxl(image, target, &options) || vips_target_end(target) ? -1 : 0;
      break;
    default: vips_error("minilab", "no such codec"); break;
    }
    g_object_unref(target);
  }
  if (status) minilab_fail(error);
  return status;
}

int minilab_can_save(minilab_codec codec) {
  return codec == MINILAB_CODEC_AVIF || codec == MINILAB_CODEC_HEIC
             ? minilab_has_heif_encoder(codec)
             : 1;
}
