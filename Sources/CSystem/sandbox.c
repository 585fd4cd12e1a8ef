#define _GNU_SOURCE
#include "CSystemSandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

_Static_assert(
    sizeof(struct minilab_sandbox_instruction) == sizeof(struct sock_filter)
        && offsetof(struct minilab_sandbox_instruction, k) == offsetof(struct sock_filter, k),
    "an instruction is the kernel's");

// Generic numbers, equal on every 64-bit machine since the tables were unified; older headers lack
// some of them.
#ifndef __NR_landlock_create_ruleset
#define __NR_landlock_create_ruleset 444
#define __NR_landlock_add_rule 445
#define __NR_landlock_restrict_self 446
#endif

long minilab_sandbox_call(
    long number, unsigned long a0, unsigned long a1, unsigned long a2, unsigned long a3,
    unsigned long a4, unsigned long a5) {
  long result = syscall(number, a0, a1, a2, a3, a4, a5);
  return result == -1 ? -errno : result;
}

// MARK: Numbers

#define CALL(name) {#name, __NR_##name},
static const struct {
  const char *name;
  int number;
} calls[] = {
    // Named by the policy.
    CALL(read) CALL(write) CALL(readv) CALL(writev) CALL(pread64) CALL(pwrite64) CALL(lseek)
    CALL(close) CALL(dup) CALL(fcntl) CALL(fstat) CALL(ftruncate) CALL(mmap) CALL(munmap)
    CALL(mremap) CALL(mprotect) CALL(madvise) CALL(brk) CALL(futex) CALL(set_robust_list) CALL(rseq)
    CALL(rt_sigaction) CALL(rt_sigprocmask) CALL(rt_sigreturn) CALL(sigaltstack)
    CALL(restart_syscall) CALL(exit) CALL(exit_group) CALL(clone) CALL(getpid)
    CALL(gettid) CALL(tgkill) CALL(prctl) CALL(prlimit64) CALL(sched_getaffinity)
    CALL(sched_setaffinity) CALL(sched_yield) CALL(sched_get_priority_max)
    CALL(sched_get_priority_min) CALL(sched_setscheduler) CALL(sched_getscheduler)
    CALL(sched_getparam) CALL(sched_setparam) CALL(getpriority) CALL(setpriority) CALL(sysinfo)
    CALL(getrandom) CALL(getrusage) CALL(times) CALL(clock_gettime) CALL(clock_getres)
    CALL(clock_nanosleep) CALL(nanosleep) CALL(gettimeofday) CALL(getcpu) CALL(getuid)
    CALL(geteuid) CALL(getgid) CALL(getegid) CALL(recvmsg) CALL(sendmsg) CALL(recvfrom)
    CALL(sendto) CALL(ppoll) CALL(fadvise64)
    CALL(openat) CALL(unlinkat) CALL(mkdirat) CALL(readlinkat) CALL(faccessat) CALL(newfstatat)
    CALL(statx) CALL(statfs) CALL(fstatfs) CALL(uname) CALL(umask) CALL(getcwd) CALL(ioctl)
    CALL(get_mempolicy) CALL(set_mempolicy) CALL(mbind) CALL(getpeername) CALL(socket)
    // Blocked, and worth a name when one of them is met.
    CALL(execve) CALL(execveat) CALL(ptrace) CALL(kill) CALL(tkill) CALL(rt_sigqueueinfo)
    CALL(rt_tgsigqueueinfo) CALL(memfd_create) CALL(pkey_mprotect) CALL(process_vm_readv)
    CALL(process_vm_writev) CALL(io_uring_setup) CALL(io_uring_enter) CALL(io_uring_register)
    CALL(unshare) CALL(setns) CALL(mount) CALL(umount2) CALL(chroot) CALL(pivot_root) CALL(chdir)
    CALL(fchdir) CALL(symlinkat) CALL(linkat) CALL(renameat2) CALL(truncate) CALL(fallocate)
    CALL(fchmod) CALL(fchmodat) CALL(fchown) CALL(fchownat) CALL(utimensat) CALL(fsetxattr)
    CALL(setxattr) CALL(socketpair) CALL(connect) CALL(bind) CALL(listen) CALL(accept)
    CALL(accept4) CALL(getsockname) CALL(setsockopt) CALL(getsockopt) CALL(shutdown)
    CALL(sendmmsg) CALL(recvmmsg) CALL(bpf) CALL(perf_event_open) CALL(userfaultfd) CALL(keyctl)
    CALL(add_key) CALL(request_key) CALL(seccomp) CALL(setuid) CALL(setresuid) CALL(setresgid)
    CALL(setgroups) CALL(capset) CALL(capget) CALL(personality) CALL(shmget) CALL(shmat)
    CALL(msgget) CALL(semget) CALL(mq_open) CALL(timer_create) CALL(setitimer) CALL(eventfd2)
    CALL(epoll_create1) CALL(epoll_ctl) CALL(epoll_pwait) CALL(pipe2) CALL(dup3) CALL(setsid)
    CALL(setpgid) CALL(getppid) CALL(wait4) CALL(waitid) CALL(splice) CALL(tee) CALL(vmsplice)
    CALL(sendfile) CALL(copy_file_range) CALL(fsync) CALL(fdatasync) CALL(flock) CALL(getdents64)
    CALL(membarrier) CALL(mlock) CALL(msync) CALL(mincore) CALL(pselect6) CALL(set_tid_address)
    CALL(name_to_handle_at) CALL(open_by_handle_at) CALL(kcmp) CALL(syslog) CALL(reboot)
    CALL(init_module) CALL(finit_module) CALL(kexec_load) CALL(settimeofday) CALL(clock_settime)
    CALL(inotify_init1) CALL(fanotify_init) CALL(quotactl) CALL(acct) CALL(swapon)
    // Newer than the unified tables' start: the same number on every machine.
    {"pidfd_send_signal", 424}, {"pidfd_open", 434}, {"clone3", 435}, {"close_range", 436},
    {"openat2", 437}, {"pidfd_getfd", 438}, {"faccessat2", 439}, {"process_madvise", 440},
    {"landlock_create_ruleset", 444}, {"landlock_add_rule", 445}, {"landlock_restrict_self", 446},
    {"memfd_secret", 447},
#ifdef __x86_64__
    // Only old machines have these; newer tables hold the *at forms alone.
    CALL(open) CALL(creat) CALL(stat) CALL(lstat) CALL(access) CALL(readlink) CALL(unlink)
    CALL(mkdir) CALL(rmdir) CALL(rename) CALL(renameat) CALL(symlink) CALL(link) CALL(chmod)
    CALL(chown) CALL(poll) CALL(select) CALL(time) CALL(fork) CALL(vfork) CALL(pipe) CALL(dup2)
    CALL(getdents) CALL(arch_prctl) CALL(alarm) CALL(pause) CALL(setrlimit) CALL(getrlimit)
    CALL(epoll_create) CALL(epoll_wait) CALL(eventfd) CALL(iopl) CALL(ioperm) CALL(modify_ldt)
    CALL(getpgrp) CALL(utime) CALL(mknod)
#endif
};
enum { call_count = sizeof calls / sizeof calls[0] };

int minilab_sandbox_call_number(const char *name) {
  for (int i = 0; i < call_count; i++)
    if (strcmp(calls[i].name, name) == 0) return calls[i].number;
  return -1;
}

const char *minilab_sandbox_call_name(long number) {
  for (int i = 0; i < call_count; i++)
    if (calls[i].number == number) return calls[i].name;
  return NULL;
}

uint32_t minilab_sandbox_architecture(void) {
#if defined(__x86_64__) && !defined(__ILP32__)
  return AUDIT_ARCH_X86_64;
#elif defined(__aarch64__) && defined(__AARCH64EL__)
  return AUDIT_ARCH_AARCH64;
#else
  return 0;
#endif
}

// MARK: Layers

// Debian 12's header has neither the net rights (ABI 4) nor the scopes (ABI 6). Older kernels take
// the longer form as long as the fields they do not know are zero.
struct ruleset_attributes {
  uint64_t handled_access_fs;
  uint64_t handled_access_net;
  uint64_t scoped;
};

long minilab_sandbox_landlock_abi(void) {
  return minilab_sandbox_call(__NR_landlock_create_ruleset, 0, 0, 1, 0, 0, 0);
}

long minilab_sandbox_landlock_restrict(uint64_t file_rights, uint64_t net_rights, uint64_t scopes) {
  struct ruleset_attributes attributes = {file_rights, net_rights, scopes};
  long ruleset = minilab_sandbox_call(
      __NR_landlock_create_ruleset, (unsigned long)&attributes, sizeof attributes, 0, 0, 0, 0);
  if (ruleset < 0) return ruleset;
  long result =
      minilab_sandbox_call(__NR_landlock_restrict_self, (unsigned long)ruleset, 0, 0, 0, 0, 0);
  close((int)ruleset);
  return result;
}

long minilab_sandbox_seccomp_knows(uint32_t action) {
  return minilab_sandbox_call(
      __NR_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, (unsigned long)&action, 0, 0, 0);
}

long minilab_sandbox_seccomp_load(
    const struct minilab_sandbox_instruction *instructions, unsigned short count) {
  struct sock_fprog program = {count, (struct sock_filter *)instructions};
  return minilab_sandbox_call(
      __NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, (unsigned long)&program, 0, 0, 0);
}

long minilab_sandbox_no_new_privileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : -errno;
}

long minilab_sandbox_drop_capabilities(void) {
  // glibc has no function for this; the ambient set follows the permitted one.
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
  return minilab_sandbox_call(
      __NR_capset, (unsigned long)&header, (unsigned long)none, 0, 0, 0, 0);
}

int minilab_sandbox_has_one_thread(void) {
  // unshare(2) of the thread group does nothing for one thread and answers EINVAL for several.
  // It needs no /proc and no privilege; a container's filter may refuse it.
  if (unshare(CLONE_THREAD) == 0) return 1;
  return errno == EINVAL ? 0 : -1;
}

void minilab_sandbox_default_crash_signals(void) {
  static const int crashes[] = {SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
  for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) signal(crashes[i], SIG_DFL);
}

// MARK: The trap

static size_t append(char *line, size_t at, const char *text) {
  while (*text != '\0') line[at++] = *text++;
  return at;
}

static void report_and_exit(int signal, siginfo_t *information, void *context) {
  (void)context;
  char line[128];
  char digits[12];
  int number = information->si_syscall;
  const char *name = minilab_sandbox_call_name(number);
  size_t at = append(line, 0, "sandbox: blocked call ");
  at = append(line, at, name != NULL ? name : "?");
  at = append(line, at, " (");
  size_t first = sizeof digits - 1;
  digits[first] = '\0';
  unsigned rest = (unsigned)number;
  do {
    digits[--first] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  at = append(line, at, digits + first);
  at = append(line, at, ")\n");
  if (write(2, line, at) < 0) { /* nobody listens */ }
  _exit(128 + signal);
}

long minilab_sandbox_report_traps(void) {
  struct sigaction action = {0};
  action.sa_sigaction = report_and_exit;
  action.sa_flags = SA_SIGINFO;
  return sigaction(SIGSYS, &action, NULL) == 0 ? 0 : -errno;
}

// MARK: Children

long minilab_sandbox_fork(int (*body)(void *context), void *context, unsigned seconds) {
  pid_t pid = fork();
  if (pid < 0) return -errno;
  if (pid > 0) return pid;
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  alarm(seconds);
  _exit(body(context));
}

long minilab_sandbox_wait(long pid) {
  int status = 0;
  pid_t ended;
  do {
    ended = waitpid((pid_t)pid, &status, 0);
  } while (ended < 0 && errno == EINTR);
  if (ended < 0) return -errno;
  return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

// MARK: Attempts

static long reap(long pid) {
  if (pid < 0) return pid;
  long status = minilab_sandbox_wait(pid);
  return status < 0 ? status : 0;
}

long minilab_sandbox_try_fork(void) {
  pid_t pid = fork();
  if (pid == 0) _exit(0);
  return reap(pid < 0 ? -errno : pid);
}

long minilab_sandbox_try_vfork(void) {
  pid_t pid = vfork();
  if (pid == 0) _exit(0);
  return reap(pid < 0 ? -errno : pid);
}

long minilab_sandbox_try_clone(unsigned long flags) {
  long pid = minilab_sandbox_call(__NR_clone, flags, 0, 0, 0, 0, 0);
  if (pid == 0) _exit(0);
  return reap(pid);
}

long minilab_sandbox_try_execute(void) {
  char *const arguments[] = {"true", NULL};
  char *const environment[] = {NULL};
  execve("/bin/true", arguments, environment);
  return -errno;
}

long minilab_sandbox_try_foreign_entry(void) {
#ifdef __x86_64__
  long result = 20;  // getpid in the 32-bit table
  __asm__ volatile("int $0x80" : "+a"(result) : : "r8", "r9", "r10", "r11", "memory");
  return result < 0 ? result : 0;
#else
  return -ENOSYS;
#endif
}

static void *nothing(void *argument) { return argument; }

long minilab_sandbox_try_thread(void) {
  pthread_t thread;
  int error = pthread_create(&thread, NULL, nothing, NULL);
  return error != 0 ? -error : -pthread_join(thread, NULL);
}
