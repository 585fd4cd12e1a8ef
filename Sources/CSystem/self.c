#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>

int32_t minilab_thread_count(void) {
  struct stat status;
  if (stat("/proc/self/task", &status) != 0) return -errno;
  return (int32_t)status.st_nlink - 2;
}

void minilab_signals_reset_ignoring(const int32_t *ignored, int32_t count) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  for (int signal = 1; signal < NSIG; signal++) sigaction(signal, &action, NULL);
  action.sa_handler = SIG_IGN;
  for (int32_t index = 0; index < count; index++) sigaction(ignored[index], &action, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}
