#define _GNU_SOURCE
#include "CSystemProcess.h"

#include <errno.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int32_t minilab_fork(void) {
  // Not fork: handlers that libraries have for it are for their own threads and connections, which a
  // process of one thread has not got, and they would touch libraries that are left behind.
  pid_t pid = _Fork();
  return pid < 0 ? -errno : pid;
}

int32_t minilab_pidfd_open(int32_t pid) {
  // Always close-on-exec.
  int fd = pidfd_open(pid, 0);
  return fd < 0 ? -errno : fd;
}

int32_t minilab_pidfd_send_signal(int32_t pidfd, int32_t signal) {
  return pidfd_send_signal(pidfd, signal, NULL, 0) < 0 ? -errno : 0;
}

static int64_t microseconds(struct timeval time) {
  return (int64_t)time.tv_sec * 1000000 + time.tv_usec;
}

int32_t minilab_wait(int32_t pid, int32_t no_hang, struct minilab_exit *result) {
  int status;
  struct rusage usage;
  pid_t ended;
  do {
    ended = wait4(pid, &status, no_hang ? WNOHANG : 0, &usage);
  } while (ended < 0 && errno == EINTR);
  if (ended < 0) return -errno;
  if (ended == 0) return 0;
  result->signalled = WIFSIGNALED(status);
  result->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  result->user_microseconds = microseconds(usage.ru_utime);
  result->system_microseconds = microseconds(usage.ru_stime);
  result->peak_resident_bytes = (int64_t)usage.ru_maxrss * 1024;
  return ended;
}

int32_t minilab_set_limit(int32_t resource, uint64_t soft, uint64_t hard) {
  struct rlimit limit = {.rlim_cur = soft, .rlim_max = hard};
  return setrlimit((__rlimit_resource_t)resource, &limit) < 0 ? -errno : 0;
}

int32_t minilab_close_range(uint32_t first, uint32_t last) {
  if (close_range(first, last, 0) == 0) return 0;
  if (errno != ENOSYS && errno != EPERM) return -errno;
  long limit = sysconf(_SC_OPEN_MAX);
  for (long fd = first; fd <= (long)last && fd < limit; fd++) close((int)fd);
  return 0;
}

int32_t minilab_set_parent_death_signal(int32_t signal) {
  return prctl(PR_SET_PDEATHSIG, (unsigned long)signal) < 0 ? -errno : 0;
}

int32_t minilab_set_dumpable(int32_t dumpable) {
  return prctl(PR_SET_DUMPABLE, (unsigned long)dumpable) < 0 ? -errno : 0;
}

int32_t minilab_get_dumpable(void) {
  int result = prctl(PR_GET_DUMPABLE);
  return result < 0 ? -errno : result;
}

int32_t minilab_set_thread_name(const char *name) {
  return prctl(PR_SET_NAME, name) < 0 ? -errno : 0;
}
