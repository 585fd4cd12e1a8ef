#define _GNU_SOURCE
#include "CSystemEvents.h"

#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { nanoseconds_per_second = 1000000000 };

int32_t minilab_eventfd(void) {
  int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return fd < 0 ? -errno : fd;
}

int32_t minilab_timerfd(void) {
  int fd = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  return fd < 0 ? -errno : fd;
}

int32_t minilab_timerfd_arm(int32_t fd, uint64_t nanoseconds) {
  struct itimerspec when = {
      .it_value = {
          .tv_sec = (time_t)(nanoseconds / nanoseconds_per_second),
          .tv_nsec = (long)(nanoseconds % nanoseconds_per_second),
      }};
  return timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL) < 0 ? -errno : 0;
}

uint64_t minilab_boot_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (uint64_t)now.tv_sec * nanoseconds_per_second + (uint64_t)now.tv_nsec;
}

static int fill(sigset_t *set, const int32_t *signals, int32_t count) {
  sigemptyset(set);
  for (int32_t index = 0; index < count; index++)
    if (sigaddset(set, signals[index]) < 0) return -errno;
  return 0;
}

int32_t minilab_signals_block(const int32_t *signals, int32_t count) {
  sigset_t set;
  int error = fill(&set, signals, count);
  return error ? error : -pthread_sigmask(SIG_BLOCK, &set, NULL);
}

void minilab_signals_reset(void) {
  struct sigaction standard = {.sa_handler = SIG_DFL};
  // Fails for SIGKILL, SIGSTOP and the two the C library keeps: none of them needs it.
  for (int signal = 1; signal < NSIG; signal++) sigaction(signal, &standard, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

int32_t minilab_signal_ignore(int32_t signal) {
  struct sigaction ignored = {.sa_handler = SIG_IGN};
  return sigaction(signal, &ignored, NULL) < 0 ? -errno : 0;
}

int32_t minilab_signalfd(const int32_t *signals, int32_t count) {
  sigset_t set;
  int error = fill(&set, signals, count);
  if (error) return error;
  int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  return fd < 0 ? -errno : fd;
}

int32_t minilab_signalfd_read(int32_t fd) {
  struct signalfd_siginfo information;
  ssize_t count;
  do {
    count = read(fd, &information, sizeof information);
  } while (count < 0 && errno == EINTR);
  if (count < 0) return -errno;
  return count == sizeof information ? (int32_t)information.ssi_signo : -EIO;
}

int32_t minilab_epoll_create(void) {
  int fd = epoll_create1(EPOLL_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

static int32_t control(int32_t epoll, int operation, int32_t fd, uint32_t events, uint64_t token) {
  struct epoll_event event = {.data.u64 = token};
  if (events & MINILAB_READABLE) event.events |= EPOLLIN;
  if (events & MINILAB_WRITABLE) event.events |= EPOLLOUT;
  if (events & MINILAB_HANG_UP) event.events |= EPOLLRDHUP;
  return epoll_ctl(epoll, operation, fd, &event) < 0 ? -errno : 0;
}

int32_t minilab_epoll_add(int32_t epoll, int32_t fd, uint32_t events, uint64_t token) {
  return control(epoll, EPOLL_CTL_ADD, fd, events, token);
}

int32_t minilab_epoll_modify(int32_t epoll, int32_t fd, uint32_t events, uint64_t token) {
  return control(epoll, EPOLL_CTL_MOD, fd, events, token);
}

int32_t minilab_epoll_remove(int32_t epoll, int32_t fd) {
  return control(epoll, EPOLL_CTL_DEL, fd, 0, 0);
}

int32_t minilab_epoll_wait(
    int32_t epoll, uint64_t *tokens, uint32_t *events, int32_t capacity, int32_t milliseconds) {
  struct epoll_event found[64];
  int count = epoll_wait(epoll, found, capacity < 64 ? capacity : 64, milliseconds);
  if (count < 0) return -errno;
  for (int index = 0; index < count; index++) {
    uint32_t raw = found[index].events;
    tokens[index] = found[index].data.u64;
    events[index] = (raw & EPOLLIN ? MINILAB_READABLE : 0U) |
                    (raw & EPOLLOUT ? MINILAB_WRITABLE : 0U) |
                    (raw & (EPOLLHUP | EPOLLRDHUP | EPOLLERR) ? MINILAB_HANG_UP : 0U);
  }
  return count;
}
