#include "shared.h"

// Generate callbacks are C function types over GObject structures, so they stay on this side.

typedef struct {
  minilab_rows_functions functions;
  const void *context;
  VipsImage *input;
} RowsOperation;

typedef struct {
  VipsRegion *region;
  void *worker;
  const RowsOperation *operation;
} RowsSequence;

static void release_rows_operation(void *data) {
  RowsOperation *operation = data;
  operation->functions.release(operation->context);
  g_object_unref(operation->input);
  g_free(operation);
}

static int stop_rows(void *data, void *a, void *b) {
  (void)a;
  (void)b;
  RowsSequence *sequence = data;
  if (sequence->worker) sequence->operation->functions.stop(sequence->worker);
  if (sequence->region) g_object_unref(sequence->region);
  g_free(sequence);
  return 0;
}

static void *start_rows(VipsImage *out, void *a, void *b) {
  (void)out;
  RowsSequence *sequence = g_new0(RowsSequence, 1);
  sequence->operation = b;
  sequence->region = vips_region_new(a);
  sequence->worker = sequence->operation->functions.start(sequence->operation->context);
  if (!sequence->region || !sequence->worker) {
    stop_rows(sequence, NULL, NULL);
    return NULL;
  }
  return sequence;
}

static minilab_window rows_window(VipsRegion *region, const VipsRect *rect) {
  minilab_window window = {
      VIPS_REGION_ADDR(region, rect->left, rect->top),
      (int64_t)VIPS_REGION_LSKIP(region),
      {rect->left, rect->top, rect->width, rect->height},
  };
  return window;
}

static int rows_generate(VipsRegion *out, void *data, void *a, void *b, gboolean *stop) {
  (void)a;
  (void)stop;
  RowsSequence *sequence = data;
  const RowsOperation *operation = b;
  VipsRect *rect = &out->valid;
  minilab_rect part = {rect->left, rect->top, rect->width, rect->height};
  minilab_window output = rows_window(out, rect);
  minilab_rect wanted;
  while (operation->functions.next(sequence->worker, part, &wanted)) {
    VipsRect need = {wanted.left, wanted.top, wanted.width, wanted.height};
    VipsRect whole = {0, 0, operation->input->Xsize, operation->input->Ysize};
    vips_rect_intersectrect(&need, &whole, &need);
    if (vips_rect_isempty(&need)) {
      vips_error("minilab", "a filter asked for nothing");
      return -1;
    }
    if (vips_region_prepare(sequence->region, &need)) return -1;
    minilab_window input = rows_window(sequence->region, &need);
    operation->functions.work(sequence->worker, &input, &output);
  }
  return 0;
}

minilab_image *minilab_rows_map(minilab_image *image, minilab_rows_functions functions,
                                const void *context, minilab_error *error) {
  VipsImage *in = minilab_unwrap(image);
  VipsImage *out = vips_image_new();
  RowsOperation *operation = g_new0(RowsOperation, 1);
  operation->functions = functions;
  operation->context = context;
  operation->input = g_object_ref(in);
  g_object_set_data_full(G_OBJECT(out), "minilab-operation", operation, release_rows_operation);
  if (vips_image_pipelinev(out, VIPS_DEMAND_STYLE_FATSTRIP, in, NULL) ||
      vips_image_generate(out, start_rows, rows_generate, stop_rows, in, operation)) {
    g_object_unref(out);
    return minilab_result(-1, NULL, error);
  }
  // A hint of tiles from further up would have every tile worked out with all the rows around it.
  out->dhint = VIPS_DEMAND_STYLE_FATSTRIP;
  return minilab_wrap(out);
}
