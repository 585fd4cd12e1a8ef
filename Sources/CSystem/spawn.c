#define _GNU_SOURCE
#include "CSystemEvents.h"
#include "CSystemProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct plan {
  const char *path;
  char *const *arguments;
  char *const *environment;
  const struct minilab_mapping *mappings;
  int32_t mapping_count;
  int32_t new_session;
  pid_t parent;
  int report;
};

static void mark_all_close_on_exec(void) {
  if (close_range(0, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
  long limit = sysconf(_SC_OPEN_MAX);
  for (int fd = 0; fd < limit; fd++) fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static int is_target(const struct plan *plan, int fd) {
  for (int32_t index = 0; index < plan->mapping_count; index++)
    if (plan->mappings[index].target == fd) return 1;
  return 0;
}

/// Puts every mapped descriptor under its number, also when sources and targets overlap.
static int place_descriptors(struct plan *plan) {
  int first_free = 3;
  for (int32_t index = 0; index < plan->mapping_count; index++)
    if (plan->mappings[index].target >= first_free) first_free = plan->mappings[index].target + 1;

  int report = fcntl(plan->report, F_DUPFD_CLOEXEC, first_free);
  if (report < 0) return -errno;
  plan->report = report;
  int copies[64];
  for (int32_t index = 0; index < plan->mapping_count; index++) {
    copies[index] = fcntl(plan->mappings[index].source, F_DUPFD_CLOEXEC, first_free);
    if (copies[index] < 0) return -errno;
  }
  mark_all_close_on_exec();
  for (int32_t index = 0; index < plan->mapping_count; index++)
    if (dup2(copies[index], plan->mappings[index].target) < 0) return -errno;

  for (int fd = 0; fd <= 2; fd++) {
    if (is_target(plan, fd)) continue;
    // dup2 onto itself would keep the close-on-exec flag.
    int null_device = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null_device < 0) return -errno;
    int high = fcntl(null_device, F_DUPFD_CLOEXEC, first_free);
    if (high < 0 || dup2(high, fd) < 0) return -errno;
  }
  return 0;
}

static int run(struct plan *plan) {
  minilab_signals_reset();
  if (plan->new_session && setsid() < 0) return -errno;
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) return -errno;
  // The parent may have ended before the line above.
  if (getppid() != plan->parent) _exit(127);
  int error = place_descriptors(plan);
  if (error) return error;
  execve(plan->path, plan->arguments, plan->environment);
  return -errno;
}

static int32_t read_report(int fd) {
  int32_t error = 0;
  ssize_t count;
  do {
    count = read(fd, &error, sizeof error);
  } while (count < 0 && errno == EINTR);
  return count == sizeof error ? error : 0;
}

static pid_t fork_with_signals_masked(struct plan *plan) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = fork();
  if (child == 0) {
    int32_t error = run(plan);
    // Nothing to be done when this fails: the parent then sees an exit status of 127.
    ssize_t ignored = write(plan->report, &error, sizeof error);
    (void)ignored;
    _exit(127);
  }
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return child < 0 ? -error : child;
}

static void reap(pid_t child) {
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
  }
}

int32_t minilab_spawn(
    const char *path, char *const *arguments, char *const *environment,
    const struct minilab_mapping *mappings, int32_t mapping_count, int32_t new_session,
    int32_t *pid, int32_t *pidfd) {
  if (mapping_count < 0 || mapping_count > 64) return -EINVAL;
  for (int32_t index = 0; index < mapping_count; index++)
    if (mappings[index].target < 0) return -EBADF;
  int report[2];
  if (pipe2(report, O_CLOEXEC) < 0) return -errno;
  struct plan plan = {
      .path = path,
      .arguments = arguments,
      .environment = environment,
      .mappings = mappings,
      .mapping_count = mapping_count,
      .new_session = new_session,
      .parent = getpid(),
      .report = report[1],
  };
  pid_t child = fork_with_signals_masked(&plan);
  close(report[1]);
  if (child < 0) {
    close(report[0]);
    return child;
  }
  int descriptor = minilab_pidfd_open(child);
  int32_t error = descriptor < 0 ? descriptor : read_report(report[0]);
  close(report[0]);
  if (error) {
    if (descriptor >= 0) close(descriptor);
    kill(child, SIGKILL);
    reap(child);
    return error;
  }
  *pid = child;
  *pidfd = descriptor;
  return 0;
}
