#include "include/CImagingShim.h"

#include <stdlib.h>
#include <zlib.h>

// A stream of zlib's begins with macros and ends with a structure that must not move.

int minilab_inflate(const void *source, size_t length, size_t limit, void **bytes,
                    size_t *count) {
  *bytes = NULL;
  *count = 0;
  z_stream stream = {0};
  if (length > UINT32_MAX || inflateInit(&stream) != Z_OK) return -1;
  stream.next_in = (Bytef *)source;
  stream.avail_in = (uInt)length;
  size_t capacity = 0;
  int status = Z_OK;
  while (status == Z_OK && *count < limit) {
    if (*count == capacity) {
      capacity = capacity ? 2 * capacity : 1 << 14;
      if (capacity > limit) capacity = limit;
      void *larger = realloc(*bytes, capacity);
      if (!larger) break;
      *bytes = larger;
    }
    stream.next_out = (Bytef *)*bytes + *count;
    stream.avail_out = (uInt)(capacity - *count);
    status = inflate(&stream, Z_NO_FLUSH);
    *count = capacity - stream.avail_out;
  }
  inflateEnd(&stream);
  return status == Z_STREAM_END ? 0 : -1;
}
