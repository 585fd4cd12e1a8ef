#include "shared.h"

minilab_image *minilab_crop(minilab_image *image, minilab_rect rect, minilab_error *error) {
  VipsImage *result = NULL;
  int status = vips_extract_area(minilab_unwrap(image), &result, rect.left, rect.top, rect.width,
                                 rect.height, NULL);
  return minilab_result(status, result, error);
}

minilab_image *minilab_widen(minilab_image *opaque, int colours, minilab_error *error) {
  VipsImage *image = minilab_unwrap(opaque);
  int is_deep = image->BandFmt == VIPS_FORMAT_USHORT;
  double unit = is_deep ? 256 : 1;
  double most = is_deep ? 65535 : 255;
  // Rounded by the half that is added: the cast cuts off.
  double slopes[4], offsets[4];
  int bands = MIN(image->Bands, 4);
  for (int band = 0; band < bands; band++) {
    int is_colour = band < colours;
    slopes[band] = is_colour ? most / (219 * unit) : 1;
    offsets[band] = is_colour ? -16 * most / 219 + 0.5 : 0;
  }
  VipsImage *lines = NULL;
  if (vips_linear(image, &lines, slopes, offsets, bands, NULL)) {
    return minilab_result(-1, NULL, error);
  }
  VipsImage *result = NULL;
  int status = vips_cast(lines, &result, image->BandFmt, NULL);
  g_object_unref(lines);
  return minilab_result(status, result, error);
}

minilab_image *minilab_first_bands(minilab_image *image, int count, minilab_error *error) {
  VipsImage *result = NULL;
  int status = vips_extract_band(minilab_unwrap(image), &result, 0, "n", count, NULL);
  return minilab_result(status, result, error);
}

static int turn(VipsImage *in, VipsImage **out, VipsAngle angle, int flip, VipsDirection direction) {
  VipsImage *turned = NULL;
  if (vips_rot(in, &turned, angle, NULL)) return -1;
  if (!flip) {
    *out = turned;
    return 0;
  }
  int status = vips_flip(turned, out, direction, NULL);
  g_object_unref(turned);
  return status;
}

minilab_image *minilab_orient(minilab_image *image, int orientation, minilab_error *error) {
  VipsImage *in = minilab_unwrap(image);
  VipsImage *result = NULL;
  int status = -1;
  switch (orientation) {
  case 2: status = turn(in, &result, VIPS_ANGLE_D0, 1, VIPS_DIRECTION_HORIZONTAL); break;
  case 3: status = turn(in, &result, VIPS_ANGLE_D180, 0, VIPS_DIRECTION_HORIZONTAL); break;
  case 4: status = turn(in, &result, VIPS_ANGLE_D0, 1, VIPS_DIRECTION_VERTICAL); break;
  case 5: status = turn(in, &result, VIPS_ANGLE_D90, 1, VIPS_DIRECTION_HORIZONTAL); break;
  case 6: status = turn(in, &result, VIPS_ANGLE_D90, 0, VIPS_DIRECTION_HORIZONTAL); break;
  case 7: status = turn(in, &result, VIPS_ANGLE_D90, 1, VIPS_DIRECTION_VERTICAL); break;
  case 8: status = turn(in, &result, VIPS_ANGLE_D270, 0, VIPS_DIRECTION_HORIZONTAL); break;
  default: vips_error("minilab", "no such orientation"); break;
  }
  return minilab_result(status, result, error);
}

minilab_image *minilab_shrink(minilab_image *image, int across, int down, minilab_error *error) {
  VipsImage *result = NULL;
  int status = vips_shrink(minilab_unwrap(image), &result, across, down, "ceil", TRUE, NULL);
  return minilab_result(status, result, error);
}

// Generate callbacks are C function types over GObject structures, so they stay on this side.

struct minilab_tap {
  gint references;
  gint failed;
  // The first row that nothing has asked for yet.
  gint bottom;
};

minilab_tap *minilab_tap_new(void) {
  minilab_tap *tap = g_new0(minilab_tap, 1);
  tap->references = 1;
  return tap;
}

void minilab_tap_release(minilab_tap *tap) {
  if (g_atomic_int_dec_and_test(&tap->references)) g_free(tap);
}

int minilab_tap_failed(const minilab_tap *tap) {
  return g_atomic_int_get((gint *)&tap->failed);
}

static int tap_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a;
  (void)stop;
  VipsRegion *in = sequence;
  minilab_tap *tap = b;
  VipsRect *rect = &out->valid;
  if (vips_region_prepare(in, rect)) {
    g_atomic_int_set(&tap->failed, 1);
    return -1;
  }
  gint bottom = g_atomic_int_get(&tap->bottom);
  while (bottom < VIPS_RECT_BOTTOM(rect) &&
         !g_atomic_int_compare_and_exchange(&tap->bottom, bottom, VIPS_RECT_BOTTOM(rect))) {
    bottom = g_atomic_int_get(&tap->bottom);
  }
  return vips_region_region(out, in, rect, rect->left, rect->top);
}

static void release_tap(void *tap) { minilab_tap_release(tap); }

minilab_image *minilab_tap_image(minilab_image *image, minilab_tap *tap, minilab_error *error) {
  VipsImage *in = minilab_unwrap(image);
  VipsImage *out = vips_image_new();
  g_atomic_int_inc(&tap->references);
  g_object_set_data_full(G_OBJECT(out), "minilab-tap", tap, release_tap);
  if (vips_image_pipelinev(out, VIPS_DEMAND_STYLE_THINSTRIP, in, NULL) ||
      vips_image_generate(out, vips_start_one, tap_generate, vips_stop_one, in, tap)) {
    g_object_unref(out);
    return minilab_result(-1, NULL, error);
  }
  // vips_start_one keeps a region on the input only while it runs.
  g_object_ref(in);
  g_object_set_data_full(G_OBJECT(out), "minilab-input", in, g_object_unref);
  return minilab_wrap(out);
}

typedef struct {
  VipsImage *input;
  VipsImage *origin;
  minilab_tap *tap;
  GMutex lock;
  guint64 left;
} Remainder;

static void release_remainder(void *data) {
  Remainder *remainder = data;
  g_object_unref(remainder->input);
  g_object_unref(remainder->origin);
  minilab_tap_release(remainder->tap);
  g_mutex_clear(&remainder->lock);
  g_free(remainder);
}

static int read_last_row(VipsImage *image) {
  VipsRegion *region = vips_region_new(image);
  VipsRect last = {0, image->Ysize - 1, image->Xsize, 1};
  int status = region ? vips_region_prepare(region, &last) : -1;
  if (region) g_object_unref(region);
  return status;
}

static int remainder_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a;
  (void)stop;
  VipsRegion *in = sequence;
  Remainder *remainder = b;
  VipsRect *rect = &out->valid;
  if (vips_region_prepare(in, rect) ||
      vips_region_region(out, in, rect, rect->left, rect->top)) {
    return -1;
  }
  guint64 pixels = (guint64)rect->width * rect->height;
  g_mutex_lock(&remainder->lock);
  int is_last = remainder->left > 0 && remainder->left <= pixels;
  remainder->left -= MIN(remainder->left, pixels);
  g_mutex_unlock(&remainder->lock);
  int is_short = g_atomic_int_get(&remainder->tap->bottom) < remainder->origin->Ysize;
  return is_last && is_short ? read_last_row(remainder->origin) : 0;
}

minilab_image *minilab_then_read_to_end(minilab_image *image, minilab_image *origin,
                                        minilab_tap *tap, minilab_error *error) {
  VipsImage *in = minilab_unwrap(image);
  VipsImage *out = vips_image_new();
  Remainder *remainder = g_new0(Remainder, 1);
  remainder->input = g_object_ref(in);
  remainder->origin = g_object_ref(minilab_unwrap(origin));
  remainder->tap = tap;
  g_atomic_int_inc(&tap->references);
  g_mutex_init(&remainder->lock);
  remainder->left = (guint64)in->Xsize * in->Ysize;
  g_object_set_data_full(G_OBJECT(out), "minilab-remainder", remainder, release_remainder);
  if (vips_image_pipelinev(out, VIPS_DEMAND_STYLE_THINSTRIP, in, NULL) ||
      vips_image_generate(out, vips_start_one, remainder_generate, vips_stop_one, in, remainder)) {
    g_object_unref(out);
    return minilab_result(-1, NULL, error);
  }
  return minilab_wrap(out);
}

typedef struct {
  minilab_row_function row;
  minilab_need_function need;
  minilab_window_function window;
  const void *context;
  minilab_release_function release;
  VipsImage *input;
  int tiles;
} Operation;

static void release_operation(void *data) {
  Operation *operation = data;
  if (operation->release) operation->release(operation->context);
  if (operation->input) g_object_unref(operation->input);
  g_free(operation);
}

static Operation *attach_operation(VipsImage *out, VipsImage *in, const void *context,
                                   minilab_release_function release) {
  Operation *operation = g_new0(Operation, 1);
  operation->context = context;
  operation->release = release;
  operation->input = in;
  g_object_ref(in);
  g_object_set_data_full(G_OBJECT(out), "minilab-operation", operation, release_operation);
  return operation;
}

static int map_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a;
  (void)stop;
  VipsRegion *in = sequence;
  const Operation *operation = b;
  VipsRect *rect = &out->valid;
  if (vips_region_prepare(in, rect)) return -1;
  for (int y = rect->top; y < VIPS_RECT_BOTTOM(rect); y++) {
    operation->row(operation->context, VIPS_REGION_ADDR(in, rect->left, y),
                   VIPS_REGION_ADDR(out, rect->left, y), rect->width, rect->left, y);
  }
  return 0;
}

VipsInterpretation minilab_interpretation(int bands, minilab_format format) {
  switch (format) {
  case MINILAB_FORMAT_UINT16: return bands < 3 ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_RGB16;
  case MINILAB_FORMAT_UINT8: return bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
  default: return VIPS_INTERPRETATION_MULTIBAND;
  }
}

minilab_image *minilab_map(minilab_image *image, int bands, minilab_format format,
                           minilab_row_function function, const void *context,
                           minilab_release_function release, minilab_error *error) {
  VipsImage *in = minilab_unwrap(image);
  VipsImage *out = vips_image_new();
  Operation *operation = attach_operation(out, in, context, release);
  operation->row = function;
  int status = vips_image_pipelinev(out, VIPS_DEMAND_STYLE_THINSTRIP, in, NULL);
  out->Bands = bands;
  out->BandFmt = minilab_band_format(format);
  out->Coding = VIPS_CODING_NONE;
  out->Type = minilab_interpretation(bands, format);
  if (status ||
      vips_image_generate(out, vips_start_one, map_generate, vips_stop_one, in, operation)) {
    g_object_unref(out);
    return minilab_result(-1, NULL, error);
  }
  return minilab_wrap(out);
}

static minilab_window region_window(VipsRegion *region, const VipsRect *rect) {
  minilab_window window = {
      VIPS_REGION_ADDR(region, rect->left, rect->top),
      (int64_t)VIPS_REGION_LSKIP(region),
      {rect->left, rect->top, rect->width, rect->height},
  };
  return window;
}

// What one thread reads of the input. Strips overlap, so that rows are kept for the next one.
typedef struct {
  VipsRegion *region;
  char *rows;
  size_t capacity;
  VipsRect held;
} WindowSequence;

static int stop_window(void *data, void *a, void *b) {
  (void)a;
  (void)b;
  WindowSequence *sequence = data;
  if (sequence->region) g_object_unref(sequence->region);
  g_free(sequence->rows);
  g_free(sequence);
  return 0;
}

static void *start_window(VipsImage *out, void *a, void *b) {
  (void)out;
  (void)b;
  WindowSequence *sequence = g_new0(WindowSequence, 1);
  sequence->region = vips_region_new(a);
  if (sequence->region) return sequence;
  stop_window(sequence, NULL, NULL);
  return NULL;
}

// Rows that upstream is asked for at a time: as many as libvips' JPEG loader decodes together.
enum { ROWS_AT_A_TIME = 8 };

static int read_rows(WindowSequence *sequence, const VipsRect *need, minilab_window *window) {
  VipsRegion *in = sequence->region;
  const VipsRect *held = &sequence->held;
  size_t stride = (size_t)need->width * VIPS_IMAGE_SIZEOF_PEL(in->im);
  int kept = 0;
  if (need->left == held->left && need->width == held->width && need->top >= held->top) {
    kept = VIPS_CLIP(0, VIPS_RECT_BOTTOM(held) - need->top, need->height);
  }
  size_t size = stride * (size_t)need->height;
  if (size > sequence->capacity) {
    char *rows = g_try_realloc(sequence->rows, size);
    if (!rows) {
      vips_error("minilab", "out of memory for %zu bytes of rows", size);
      return -1;
    }
    sequence->rows = rows;
    sequence->capacity = size;
  }
  if (kept > 0) {
    memmove(sequence->rows, sequence->rows + stride * (size_t)(need->top - held->top),
            stride * (size_t)kept);
  }
  sequence->held.height = 0;
  for (int y = need->top + kept; y < VIPS_RECT_BOTTOM(need); y += ROWS_AT_A_TIME) {
    VipsRect part = {need->left, y, need->width,
                     VIPS_MIN(ROWS_AT_A_TIME, VIPS_RECT_BOTTOM(need) - y)};
    if (vips_region_prepare(in, &part)) return -1;
    for (int row = 0; row < part.height; row++) {
      memcpy(sequence->rows + stride * (size_t)(y + row - need->top),
             VIPS_REGION_ADDR(in, part.left, y + row), stride);
    }
  }
  sequence->held = *need;
  window->samples = sequence->rows;
  window->stride = (int64_t)stride;
  window->rect = (minilab_rect){need->left, need->top, need->width, need->height};
  return 0;
}

static int fill_window(VipsRegion *out, WindowSequence *sequence, VipsImage *input,
                       const Operation *operation, const VipsRect *rect) {
  minilab_rect part = {rect->left, rect->top, rect->width, rect->height};
  minilab_rect wanted = operation->need(operation->context, part);
  VipsRect need = {wanted.left, wanted.top, wanted.width, wanted.height};
  VipsRect whole = {0, 0, input->Xsize, input->Ysize};
  vips_rect_intersectrect(&need, &whole, &need);
  if (vips_rect_isempty(&need)) {
    vips_error("minilab", "a filter asked for nothing");
    return -1;
  }
  minilab_window input_window;
  if (operation->tiles) {
    if (vips_region_prepare(sequence->region, &need)) return -1;
    input_window = region_window(sequence->region, &need);
  } else if (read_rows(sequence, &need, &input_window)) {
    return -1;
  }
  minilab_window output_window = region_window(out, rect);
  operation->window(operation->context, &input_window, &output_window);
  return 0;
}

// What a whole row of a turned picture needs reaches far up and down; that of a tile does not.
enum { TILE_SIDE = 128 };

static int window_generate(VipsRegion *out, void *data, void *a, void *b, gboolean *stop) {
  (void)stop;
  const Operation *operation = b;
  const VipsRect *rect = &out->valid;
  int step = operation->tiles ? TILE_SIDE : rect->width;
  for (int left = rect->left; left < VIPS_RECT_RIGHT(rect); left += step) {
    VipsRect part = {left, rect->top, MIN(step, VIPS_RECT_RIGHT(rect) - left), rect->height};
    if (fill_window(out, data, a, operation, &part)) return -1;
  }
  return 0;
}

minilab_image *minilab_window_map(minilab_image *image, int width, int height, int tiles,
                                  minilab_need_function need, minilab_window_function function,
                                  const void *context, minilab_release_function release,
                                  minilab_error *error) {
  VipsImage *in = minilab_unwrap(image);
  VipsImage *out = vips_image_new();
  Operation *operation = attach_operation(out, in, context, release);
  operation->need = need;
  operation->window = function;
  operation->tiles = tiles;
  VipsDemandStyle style = tiles ? VIPS_DEMAND_STYLE_SMALLTILE : VIPS_DEMAND_STYLE_FATSTRIP;
  int status = vips_image_pipelinev(out, style, in, NULL);
  out->Xsize = width;
  out->Ysize = height;
  if (status ||
      vips_image_generate(out, start_window, window_generate, stop_window, in, operation)) {
    g_object_unref(out);
    return minilab_result(-1, NULL, error);
  }
  return minilab_wrap(out);
}
