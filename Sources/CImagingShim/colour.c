#include "shared.h"

#include <lcms2.h>
#include <string.h>

// Formatters, intents and flags of Little CMS are macros, and its errors come through a callback, so
// they stay on this side.

typedef struct {
  cmsContext context;
  cmsHTRANSFORM transform;
} Conversion;

static void note_error(cmsContext context, cmsUInt32Number code, const char *text) {
  (void)code;
  minilab_error *error = cmsGetContextUserData(context);
  if (error && !error->text[0]) g_strlcpy(error->text, text, sizeof error->text);
}

static void say(minilab_error *error, const char *text) {
  if (!error->text[0]) g_strlcpy(error->text, text, sizeof error->text);
}

static cmsColorSpaceSignature signature(minilab_colours colours) {
  switch (colours) {
  case MINILAB_COLOURS_GREY: return cmsSigGrayData;
  case MINILAB_COLOURS_RGB: return cmsSigRgbData;
  case MINILAB_COLOURS_CMYK: return cmsSigCmykData;
  default: return cmsSigLabData;
  }
}

static cmsUInt32Number formatter(minilab_pixels pixels) {
  static const cmsUInt32Number models[] = {
      [MINILAB_COLOURS_GREY] = COLORSPACE_SH(PT_GRAY) | CHANNELS_SH(1),
      [MINILAB_COLOURS_RGB] = COLORSPACE_SH(PT_RGB) | CHANNELS_SH(3),
      [MINILAB_COLOURS_CMYK] = COLORSPACE_SH(PT_CMYK) | CHANNELS_SH(4),
      [MINILAB_COLOURS_LAB] = COLORSPACE_SH(PT_Lab) | CHANNELS_SH(3),
  };
  cmsUInt32Number bytes = pixels.format == MINILAB_FORMAT_UINT8    ? BYTES_SH(1)
                          : pixels.format == MINILAB_FORMAT_UINT16 ? BYTES_SH(2)
                                                                   : FLOAT_SH(1) | BYTES_SH(4);
  return models[pixels.colours] | bytes | EXTRA_SH(pixels.alpha ? 1 : 0);
}

static cmsHPROFILE working_space(cmsContext context) {
  const cmsCIExyY white = {0.3127, 0.3290, 1};
  const cmsCIExyYTRIPLE primaries = {{0.708, 0.292, 1}, {0.170, 0.797, 1}, {0.131, 0.046, 1}};
  cmsToneCurve *line = cmsBuildGamma(context, 1);
  cmsToneCurve *const lines[] = {line, line, line};
  cmsHPROFILE profile = line ? cmsCreateRGBProfileTHR(context, &white, &primaries, lines) : NULL;
  if (line) cmsFreeToneCurve(line);
  return profile;
}

static cmsHPROFILE open_profile(cmsContext context, minilab_profile given, minilab_colours colours,
                                minilab_error *error) {
  if (!given.bytes) {
    return colours == MINILAB_COLOURS_LAB ? cmsCreateLab4ProfileTHR(context, NULL)
                                          : working_space(context);
  }
  if (given.length > UINT32_MAX) return NULL;
  cmsHPROFILE profile = cmsOpenProfileFromMemTHR(context, given.bytes, (cmsUInt32Number)given.length);
  if (!profile) return NULL;
  cmsProfileClassSignature kind = cmsGetDeviceClass(profile);
  if (kind == cmsSigLinkClass || kind == cmsSigAbstractClass || kind == cmsSigNamedColorClass) {
    say(error, "it is a device link, an abstract or a named colour profile");
  } else if (cmsGetColorSpace(profile) != signature(colours)) {
    say(error, "it is for pictures of another colour model");
  } else {
    return profile;
  }
  cmsCloseProfile(profile);
  return NULL;
}

static void release_conversion(void *data) {
  Conversion *conversion = data;
  if (conversion->transform) cmsDeleteTransform(conversion->transform);
  if (conversion->context) cmsDeleteContext(conversion->context);
  g_free(conversion);
}

static Conversion *conversion_new(const minilab_conversion *wanted, minilab_error *error) {
  static const cmsUInt32Number intents[] = {
      [MINILAB_INTENT_PERCEPTUAL] = INTENT_PERCEPTUAL,
      [MINILAB_INTENT_RELATIVE] = INTENT_RELATIVE_COLORIMETRIC,
      [MINILAB_INTENT_SATURATION] = INTENT_SATURATION,
      [MINILAB_INTENT_ABSOLUTE] = INTENT_ABSOLUTE_COLORIMETRIC,
  };
  error->text[0] = 0;
  Conversion *conversion = g_new0(Conversion, 1);
  conversion->context = cmsCreateContext(NULL, error);
  if (conversion->context) {
    cmsSetLogErrorHandlerTHR(conversion->context, note_error);
    cmsHPROFILE from =
        open_profile(conversion->context, wanted->from, wanted->input.colours, error);
    cmsHPROFILE to =
        from ? open_profile(conversion->context, wanted->to, wanted->output.colours, error) : NULL;
    cmsUInt32Number flags =
        (wanted->output.colours == MINILAB_COLOURS_LAB ? cmsFLAGS_HIGHRESPRECALC : 0) |
        (wanted->black_point ? cmsFLAGS_BLACKPOINTCOMPENSATION : 0) |
        (wanted->input.alpha && wanted->output.alpha ? cmsFLAGS_COPY_ALPHA : 0);
    if (from && to) {
      conversion->transform =
          cmsCreateTransformTHR(conversion->context, from, formatter(wanted->input), to,
                                formatter(wanted->output), intents[wanted->intent], flags);
      // What Little CMS says of it, that profiles cannot be linked, helps nobody.
      g_strlcpy(error->text, "it has no table for this way, or is damaged", sizeof error->text);
    }
    if (from) cmsCloseProfile(from);
    if (to) cmsCloseProfile(to);
    // The record is the caller's and is gone when pixels are computed.
    cmsSetLogErrorHandlerTHR(conversion->context, NULL);
  }
  if (conversion->transform) return conversion;
  say(error, "it is damaged or incomplete");
  release_conversion(conversion);
  return NULL;
}

int minilab_conversion_works(const minilab_conversion *wanted, minilab_error *error) {
  Conversion *conversion = conversion_new(wanted, error);
  if (conversion) release_conversion(conversion);
  return conversion != NULL;
}

static int convert_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a;
  (void)stop;
  VipsRegion *in = sequence;
  const Conversion *conversion = b;
  VipsRect *rect = &out->valid;
  if (vips_region_prepare(in, rect)) return -1;
  for (int y = rect->top; y < VIPS_RECT_BOTTOM(rect); y++) {
    cmsDoTransform(conversion->transform, VIPS_REGION_ADDR(in, rect->left, y),
                   VIPS_REGION_ADDR(out, rect->left, y), (cmsUInt32Number)rect->width);
  }
  return 0;
}

static int bands_of(minilab_pixels pixels) {
  int colours = pixels.colours == MINILAB_COLOURS_GREY   ? 1
                : pixels.colours == MINILAB_COLOURS_CMYK ? 4
                                                         : 3;
  return colours + (pixels.alpha ? 1 : 0);
}

minilab_image *minilab_convert(minilab_image *image, const minilab_conversion *wanted,
                               minilab_error *error) {
  VipsImage *in = minilab_unwrap(image);
  // Anything else would be read out of bounds.
  if (in->Coding != VIPS_CODING_NONE || in->Bands != bands_of(wanted->input) ||
      in->BandFmt != minilab_band_format(wanted->input.format)) {
    g_strlcpy(error->text, "the samples are not laid out as said", sizeof error->text);
    return NULL;
  }
  Conversion *conversion = conversion_new(wanted, error);
  if (!conversion) return NULL;
  VipsImage *out = vips_image_new();
  g_object_set_data_full(G_OBJECT(out), "minilab-conversion", conversion, release_conversion);
  g_object_ref(in);
  g_object_set_data_full(G_OBJECT(out), "minilab-input", in, g_object_unref);
  int status = vips_image_pipelinev(out, VIPS_DEMAND_STYLE_THINSTRIP, in, NULL);
  out->Bands = bands_of(wanted->output);
  out->BandFmt = minilab_band_format(wanted->output.format);
  out->Coding = VIPS_CODING_NONE;
  out->Type = wanted->output.colours == MINILAB_COLOURS_CMYK
                  ? VIPS_INTERPRETATION_CMYK
                  : minilab_interpretation(out->Bands, wanted->output.format);
  if (status ||
      vips_image_generate(out, vips_start_one, convert_generate, vips_stop_one, in, conversion)) {
    g_object_unref(out);
    return minilab_result(-1, NULL, error);
  }
  return minilab_wrap(out);
}

minilab_image *minilab_lab(minilab_image *image, minilab_error *error) {
  VipsImage *lab = NULL;
  VipsImage *three = NULL;
  int status = vips_colourspace(minilab_unwrap(image), &lab, VIPS_INTERPRETATION_LAB, NULL);
  if (status == 0) {
    status = vips_extract_band(lab, &three, 0, "n", 3, NULL);
    g_object_unref(lab);
  }
  return minilab_result(status, three, error);
}
