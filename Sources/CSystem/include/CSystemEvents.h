#pragma once

#include <stdint.h>

/// An eventfd, non-blocking and close-on-exec; Swift's libc module leaves it out.
int32_t minilab_eventfd(void);

/// A CLOCK_BOOTTIME timerfd, non-blocking and close-on-exec; Swift's libc module leaves it out.
int32_t minilab_timerfd(void);

/// Arms at an absolute boot-clock time; 0 disarms.
int32_t minilab_timerfd_arm(int32_t fd, uint64_t nanoseconds);

/// CLOCK_BOOTTIME now, in nanoseconds; the constant is missing from Swift's libc module.
uint64_t minilab_boot_clock(void);

/// Blocks these signals for the calling thread; sigset_t is opaque in Swift.
int32_t minilab_signals_block(const int32_t *signals, int32_t count);

/// Default action for every signal, and none blocked; sigaction's handler is a union in C.
void minilab_signals_reset(void);

/// Ignores one signal; SIG_IGN is a cast macro.
int32_t minilab_signal_ignore(int32_t signal);

/// A signalfd, non-blocking and close-on-exec; Swift's libc module leaves it out.
int32_t minilab_signalfd(const int32_t *signals, int32_t count);

/// Next signal number, or -EAGAIN.
int32_t minilab_signalfd_read(int32_t fd);

enum { MINILAB_READABLE = 1, MINILAB_WRITABLE = 2, MINILAB_HANG_UP = 4 };

/// epoll; its event is a packed union, and Swift's libc module leaves the calls out.
int32_t minilab_epoll_create(void);
int32_t minilab_epoll_add(int32_t epoll, int32_t fd, uint32_t events, uint64_t token);
int32_t minilab_epoll_modify(int32_t epoll, int32_t fd, uint32_t events, uint64_t token);
int32_t minilab_epoll_remove(int32_t epoll, int32_t fd);

/// Number of events written to the two arrays; at most 64 in one call.
int32_t minilab_epoll_wait(
    int32_t epoll, uint64_t *tokens, uint32_t *events, int32_t capacity, int32_t milliseconds);
