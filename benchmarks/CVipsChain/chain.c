#include "CVipsChain.h"

#include <vips/vips.h>

static int replace(VipsImage **image, VipsImage *next) {
  g_object_unref(*image);
  *image = next;
  return 0;
}

static int to_space(VipsImage **image, VipsInterpretation space) {
  if ((*image)->Type == space) return 0;
  VipsImage *next = NULL;
  if (vips_colourspace(*image, &next, space, NULL)) return -1;
  return replace(image, next);
}

static int apply(VipsImage **image, const chain_step *step) {
  VipsImage *next = NULL;
  VipsImage *side = NULL;
  int status = -1;
  switch (step->kind) {
  case CHAIN_LINEAR:
    if (to_space(image, VIPS_INTERPRETATION_scRGB)) return -1;
    status = vips_linear1(*image, &next, step->values[0], 0, NULL);
    break;
  case CHAIN_MATRIX:
    if (to_space(image, VIPS_INTERPRETATION_scRGB)) return -1;
    side = vips_image_new_matrix_from_array(3, 3, step->values, 9);
    status = side ? vips_recomb(*image, &next, side, NULL) : -1;
    break;
  case CHAIN_TABLE:
    if (to_space(image, VIPS_INTERPRETATION_RGB16)) return -1;
    side = vips_image_new_from_memory(step->table, 65536 * sizeof(uint16_t), 65536, 1, 1,
                                      VIPS_FORMAT_USHORT);
    status = side ? vips_maplut(*image, &next, side, NULL) : -1;
    break;
  }
  if (side) g_object_unref(side);
  return status ? -1 : replace(image, next);
}

int chain_run(const char *input, const char *output, const chain_step *steps, int count, char *error,
              size_t length) {
  VipsImage *image = NULL;
  vips_operation_block_set("VipsForeignLoad", FALSE);
  vips_concurrency_set(1);
  int status = vips_jpegload(input, &image, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
  for (int index = 0; status == 0 && index < count; index++) status = apply(&image, &steps[index]);
  if (status == 0) status = to_space(&image, VIPS_INTERPRETATION_sRGB);
  if (status == 0) status = vips_jpegsave(image, output, "Q", 92, NULL);
  if (image) g_object_unref(image);
  if (status) g_strlcpy(error, vips_error_buffer(), length);
  return status;
}
