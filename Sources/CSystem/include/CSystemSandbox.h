#pragma once
// What sealing a process needs and Swift cannot call: variadic syscall(2), the call numbers of the
// machine, a signal handler, fork. Policy lives in the Swift target Sandbox; there is none here.
#include <stdint.h>

/// One BPF instruction, laid out as the kernel's struct sock_filter.
struct minilab_sandbox_instruction {
  uint16_t code;
  uint8_t jump_true;
  uint8_t jump_false;
  uint32_t k;
};

/// syscall(2) is variadic. Gives the result, or the negated errno.
long minilab_sandbox_call(
    long number, unsigned long a0, unsigned long a1, unsigned long a2, unsigned long a3,
    unsigned long a4, unsigned long a5);

/// The number of a call on this machine, or -1 when it has none. The __NR_ macros differ by machine.
int minilab_sandbox_call_number(const char *name);

/// The name for a number, or NULL for one that the table does not hold. Safe in a signal handler.
const char *minilab_sandbox_call_name(long number);

/// The AUDIT_ARCH value that a filter on this machine must see, or 0 for a machine not supported.
uint32_t minilab_sandbox_architecture(void);

/// Landlock's ABI, or the negated errno that says why there is none.
long minilab_sandbox_landlock_abi(void);

/// Restricts the calling thread for good, with no rule added. 0 or the negated errno.
long minilab_sandbox_landlock_restrict(uint64_t file_rights, uint64_t net_rights, uint64_t scopes);

/// 0 when the kernel knows this filter action, else the negated errno.
long minilab_sandbox_seccomp_knows(uint32_t action);

/// Loads a filter for the calling thread. 0 or the negated errno.
long minilab_sandbox_seccomp_load(
    const struct minilab_sandbox_instruction *instructions, unsigned short count);

/// 0 or the negated errno.
long minilab_sandbox_no_new_privileges(void);

/// Gives up every capability, also as root. 0 or the negated errno.
long minilab_sandbox_drop_capabilities(void);

/// 1 for one thread, 0 for several, -1 when the kernel does not tell.
int minilab_sandbox_has_one_thread(void);

/// The signals of a crash end the process again, whoever had put a handler on them.
void minilab_sandbox_default_crash_signals(void);

/// From now on SIGSYS writes the blocked call to descriptor 2 and exits with 128 + SIGSYS.
/// A handler reads siginfo_t's union, which Swift does not import. 0 or the negated errno.
long minilab_sandbox_report_traps(void);

/// Forks; the child gets no core dump and `seconds` to live (SIGALRM), runs `body`, and exits with
/// what it returns. Swift marks fork unavailable. Gives the child's pid, or the negated errno.
long minilab_sandbox_fork(int (*body)(void *context), void *context, unsigned seconds);

/// Waits for a child. Gives its exit status, or 1000 + the signal that ended it, or the negated
/// errno. The wait macros are not imported.
long minilab_sandbox_wait(long pid);

/// Attempts that need C: each returns twice, or uses an instruction of its own.
/// 0 when it succeeded, else the negated errno.
long minilab_sandbox_try_fork(void);
long minilab_sandbox_try_vfork(void);
/// clone(2) with the given flags and no stack of its own; the child ends at once.
long minilab_sandbox_try_clone(unsigned long flags);
long minilab_sandbox_try_execute(void);
/// The 32-bit entry of x86-64; -ENOSYS elsewhere.
long minilab_sandbox_try_foreign_entry(void);
/// Starts a thread and joins it; the error that pthread_create gave, negated.
long minilab_sandbox_try_thread(void);
