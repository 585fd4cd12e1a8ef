#define _GNU_SOURCE
#include "CSystemHost.h"

#include <errno.h>
#include <sched.h>

int32_t minilab_affinity_count(void) {
  // The kernel answers EINVAL when the set is smaller than its own.
  for (int processors = CPU_SETSIZE; processors <= 1 << 20; processors *= 2) {
    cpu_set_t *set = CPU_ALLOC(processors);
    if (!set) return -ENOMEM;
    size_t size = CPU_ALLOC_SIZE(processors);
    int count = sched_getaffinity(0, size, set) < 0 ? -errno : CPU_COUNT_S(size, set);
    CPU_FREE(set);
    if (count != -EINVAL) return count;
  }
  return -EINVAL;
}
