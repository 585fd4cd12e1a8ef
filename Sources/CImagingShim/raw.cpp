#include "raw.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

// C++, since LibRaw tells only a stream of one's own how far it has read past the end of a file.

int minilab_raw_stream::read(void *target, size_t size, size_t count) {
  INT64 before = tell();
  int items = LibRaw_buffer_datastream::read(target, size, count);
  // A block that reaches over the end is how some decoders read the last of a whole file.
  if (tell() == before && size * count > 0) missing += size * count;
  return items;
}

int minilab_raw_stream::get_char() {
  int value = LibRaw_buffer_datastream::get_char();
  if (value < 0) missing++;
  return value;
}

int minilab_raw_stream::eof() { return hides_end ? 0 : LibRaw_buffer_datastream::eof(); }

// Without a handler LibRaw prints; what it found is counted, and known to be the end by the stream.
static void note_data_error(void *context, const char *, const int offset) {
  if (offset < 0) static_cast<minilab_raw *>(context)->stream.missing++;
}

static void note_exif(void *context, int tag, int type, int count, unsigned order, void *stream,
                      INT64) {
  static_cast<minilab_raw *>(context)->exif.add(
      tag, type, count, order, static_cast<LibRaw_abstract_datastream *>(stream));
}

static minilab_raw_status status_of(int code) {
  switch (code) {
  case LIBRAW_SUCCESS: return MINILAB_RAW_FINE;
  case LIBRAW_FILE_UNSUPPORTED:
  case LIBRAW_NOT_IMPLEMENTED:
  case LIBRAW_NO_THUMBNAIL:
  case LIBRAW_UNSUPPORTED_THUMBNAIL:
  case LIBRAW_REQUEST_FOR_NONEXISTENT_IMAGE: return MINILAB_RAW_UNSUPPORTED;
  case LIBRAW_UNSUFFICIENT_MEMORY: return MINILAB_RAW_NO_MEMORY;
  case LIBRAW_TOO_BIG: return MINILAB_RAW_TOO_BIG;
  default: return MINILAB_RAW_DAMAGED;
  }
}

static void report(minilab_raw *raw, int code, minilab_raw_failure *failure) {
  failure->status = status_of(code);
  snprintf(failure->text, sizeof failure->text, "%s", libraw_strerror(code));
  failure->missing = raw ? static_cast<int64_t>(raw->stream.missing) : 0;
  failure->errors = raw ? raw->error_count() : 0;
}

// What LibRaw's fuji_rotate() and stretch() will make of the size, in their arithmetic.
void minilab_raw::find_size(minilab_raw_info *info) {
  int width = imgdata.sizes.width;
  int height = imgdata.sizes.height;
  if (int fuji = is_fuji_rotated()) {
    double step = sqrt(0.5);
    width = static_cast<ushort>(fuji / step);
    height = static_cast<ushort>((height - fuji) / step);
  }
  double aspect = imgdata.sizes.pixel_aspect;
  if (aspect > 0 && aspect < 1) height = static_cast<ushort>(height / aspect + 0.5);
  if (aspect > 1) width = static_cast<ushort>(width * aspect + 0.5);
  info->width = width;
  info->height = height;
}

// Of linear DNGs LibRaw takes the black level off the white level when it reads the header, and once more
// when it takes it off the samples.
void minilab_raw::settle_white() {
  libraw_colordata_t *colour = &imgdata.rawdata.color;
  unsigned white = colour->dng_levels.dng_whitelevel[0];
  if (imgdata.idata.dng_version && imgdata.idata.filters == 0 && colour->black > 0 &&
      colour->maximum + colour->black == white) {
    colour->maximum = white;
  }
}

void minilab_raw::describe(minilab_raw_info *info) {
  memset(info, 0, sizeof *info);
  find_size(info);
  info->raw_width = imgdata.sizes.raw_width;
  info->raw_height = imgdata.sizes.raw_height;
  info->flip = imgdata.sizes.flip;
  info->colours = imgdata.idata.colors;
  info->frames = imgdata.idata.raw_count;
  info->is_dng = imgdata.idata.dng_version != 0;
  // As scale_colors() decides it.
  info->has_camera_white = imgdata.color.cam_mul[0] > 0.00001f && imgdata.color.cam_mul[2] > 0.00001f;
  info->has_camera_matrix = libraw_internal_data.internal_output_params.raw_color == 0;
  info->has_xmp = imgdata.idata.xmplen > 0;
  info->has_maker_note = exif.has_maker_note;
  struct tm moment;
  if (imgdata.other.timestamp > 0 && localtime_r(&imgdata.other.timestamp, &moment)) {
    strftime(info->captured, sizeof info->captured, "%Y:%m:%d %H:%M:%S", &moment);
  }
}

minilab_raw *minilab_raw_open(const void *bytes, size_t length, minilab_raw_info *info,
                              minilab_raw_failure *failure) {
  minilab_raw *raw = nullptr;
  int code = LIBRAW_UNSUFFICIENT_MEMORY;
  try {
    raw = new minilab_raw(bytes, length);
    raw->set_exifparser_handler(note_exif, raw);
    raw->set_dataerror_handler(note_data_error, raw);
    code = raw->open_datastream(&raw->stream);
    if (code == LIBRAW_SUCCESS) {
      raw->describe(info);
      raw->stream.missing = 0;
      return raw;
    }
  } catch (...) {
  }
  report(nullptr, code, failure);
  delete raw;
  return nullptr;
}

void minilab_raw_close(minilab_raw *raw) { delete raw; }

int minilab_raw_decode(minilab_raw *raw, minilab_raw_options options, minilab_raw_info *info,
                       minilab_raw_failure *failure) {
  libraw_output_params_t *params = &raw->imgdata.params;
  params->use_camera_wb = 1;
  params->raw_processing_options |= LIBRAW_PROCESSING_CAMERAWB_FALLBACK_TO_DAYLIGHT;
  params->gamm[0] = params->gamm[1] = 1;
  params->no_auto_bright = 1;
  params->output_bps = 16;
  params->user_qual = 3;
  params->highlight = options.keep_highlights;
  params->output_color = options.output_colour;
  params->adjust_maximum_thr = options.adjust_maximum;
  params->max_raw_memory_mb = options.raw_megabytes;
  raw->stream.hides_end = options.past_end != 0;
  int code = LIBRAW_UNSUFFICIENT_MEMORY;
  try {
    code = raw->unpack();
    if (code == LIBRAW_SUCCESS) {
      raw->settle_white();
      // Its way to leave the camera's own colours as they are, before it takes up the work.
      if (options.camera_colours) raw->imgdata.rawdata.ioparams.raw_color = 1;
      code = raw->dcraw_process();
    }
  } catch (...) {
  }
  report(raw, code, failure);
  if (code != LIBRAW_SUCCESS || !raw->imgdata.image) {
    if (code == LIBRAW_SUCCESS) failure->status = MINILAB_RAW_DAMAGED;
    return -1;
  }
  raw->describe(info);
  info->width = raw->imgdata.sizes.width;
  info->height = raw->imgdata.sizes.height;
  for (int row = 0; row < 3; row++) {
    for (int column = 0; column < 3; column++) {
      info->to_srgb[row * 3 + column] = raw->imgdata.color.rgb_cam[row][column];
    }
  }
  for (int index = 0; index < 4; index++) {
    info->multipliers[index] = raw->imgdata.color.pre_mul[index];
  }
  return 0;
}

uint16_t *minilab_raw_samples(minilab_raw *raw) {
  return raw->imgdata.image ? raw->imgdata.image[0] : nullptr;
}

const void *minilab_raw_preview(minilab_raw *raw, size_t *length, minilab_raw_failure *failure) {
  int code = LIBRAW_UNSUFFICIENT_MEMORY;
  try {
    code = raw->unpack_thumb();
  } catch (...) {
  }
  if (code == LIBRAW_SUCCESS && raw->imgdata.thumbnail.tformat != LIBRAW_THUMBNAIL_JPEG) {
    code = LIBRAW_UNSUPPORTED_THUMBNAIL;
  }
  if (code != LIBRAW_SUCCESS) {
    report(raw, code, failure);
    return nullptr;
  }
  *length = raw->imgdata.thumbnail.tlength;
  return raw->imgdata.thumbnail.thumb;
}

void minilab_raw_each_exif(minilab_raw *raw,
                           void (*body)(void *context, const minilab_raw_exif *entry),
                           void *context) {
  raw->exif.each(body, context);
}

const char *minilab_raw_version(void) { return libraw_version(); }
