#pragma once

#include <stdint.h>

/// fork; Swift marks it unavailable. Only from a process with one thread.
int32_t minilab_fork(void);

/// Keeps a loaded library out of all processes that minilab_fork makes from now on, but for what the
/// dynamic linker reads. `name` is that of its file without `.so` and what follows.
void minilab_leave_behind(const char *name);

/// A descriptor of this process and the number it gets in a new program.
struct minilab_mapping {
  int32_t source;
  int32_t target;
};

/// Starts a program: between fork and exec nothing but async-signal-safe C may run.
///
/// The child has default signals, none blocked, a session of its own when asked, and dies when the
/// calling *thread* ends. It holds the mapped descriptors only; 0, 1 and 2 are the null device when
/// not mapped. An exec that fails is reported here, as its errno.
int32_t minilab_spawn(
    const char *path, char *const *arguments, char *const *environment,
    const struct minilab_mapping *mappings, int32_t mapping_count, int32_t new_session,
    int32_t *pid, int32_t *pidfd);

/// pidfd_open; Swift's libc module leaves it out.
int32_t minilab_pidfd_open(int32_t pid);

/// pidfd_send_signal; Swift's libc module leaves it out.
int32_t minilab_pidfd_send_signal(int32_t pidfd, int32_t signal);

/// How a process ended; the wait-status macros don't exist in Swift.
struct minilab_exit {
  int32_t signalled;
  /// Exit status, or signal number when signalled.
  int32_t code;
  int64_t user_microseconds;
  int64_t system_microseconds;
  int64_t peak_resident_bytes;
};

/// wait4 with the status decoded. Returns the pid, or 0 when no_hang and none has ended.
int32_t minilab_wait(int32_t pid, int32_t no_hang, struct minilab_exit *result);

/// prlimit on this process; glibc's resource type is an enum in C.
int32_t minilab_set_limit(int32_t resource, uint64_t soft, uint64_t hard);

/// close_range; Swift's libc module leaves it out. Closes one by one on kernels without it.
int32_t minilab_close_range(uint32_t first, uint32_t last);

/// prctl is variadic.
int32_t minilab_set_parent_death_signal(int32_t signal);
int32_t minilab_set_dumpable(int32_t dumpable);
int32_t minilab_get_dumpable(void);
int32_t minilab_set_thread_name(const char *name);

/// Threads of this process, from the link count of /proc/self/task.
int32_t minilab_thread_count(void);

/// The default action for every signal and none blocked, but those of the list are ignored.
void minilab_signals_reset_ignoring(const int32_t *ignored, int32_t count);
