#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int32_t minilab_pipe(int32_t ends[2]) {
  return pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0 ? 0 : -errno;
}
