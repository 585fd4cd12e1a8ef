#include "shared.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// A page before the bytes holds how much is mapped, since what frees them is told their start alone.

static size_t page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static uint8_t *map_room(size_t count, size_t spare) {
  size_t page = page_size();
  if (count > SIZE_MAX / 2 || spare > page) return NULL;
  size_t total = page + (count + spare + page - 1) / page * page;
  uint8_t *room = mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return NULL;
  ((size_t *)(room + page))[-1] = total;
  return room + page;
}

void *minilab_map_file(int descriptor, size_t count, size_t spare) {
  uint8_t *bytes = map_room(count, spare);
  if (bytes && count > 0 &&
      mmap(bytes, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, descriptor, 0) ==
          MAP_FAILED) {
    minilab_unmap_file(bytes);
    return NULL;
  }
  return bytes;
}

void *minilab_map_copy(const void *source, size_t count, size_t spare) {
  uint8_t *bytes = map_room(count, spare);
  if (bytes) memcpy(bytes, source, count);
  return bytes;
}

void minilab_unmap_file(void *bytes) {
  munmap((uint8_t *)bytes - page_size(), ((size_t *)bytes)[-1]);
}
