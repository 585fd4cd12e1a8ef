#pragma once

#include <stddef.h>
#include <stdint.h>

/// memfd_create; Swift's libc module leaves it out. Close-on-exec, sealable, never executable
/// where the kernel knows that flag.
int32_t minilab_memfd_create(const char *name);

/// F_ADD_SEALS with shrink, grow, write and seal; fcntl is variadic.
int32_t minilab_memfd_seal(int32_t fd);

/// 1 when all four seals are set, else 0; fcntl is variadic.
int32_t minilab_memfd_is_sealed(int32_t fd);

/// openat2 beneath fd, no symbolic or magic links; the C library has no wrapper.
int32_t minilab_open_beneath(int32_t fd, const char *path, int32_t flags, uint32_t mode);

/// O_PATH; Swift's libc module leaves it out.
extern const int32_t minilab_o_path;

/// O_TMPFILE; Swift's libc module leaves it out.
extern const int32_t minilab_o_tmpfile;

/// openat; variadic in C.
int32_t minilab_openat(int32_t fd, const char *path, int32_t flags, uint32_t mode);

/// F_DUPFD_CLOEXEC; fcntl is variadic.
int32_t minilab_duplicate(int32_t fd);

/// renameat2 with RENAME_NOREPLACE; Swift's libc module leaves it out.
int32_t minilab_rename_no_replace(int32_t from, const char *name, int32_t to, const char *target);

/// syncfs; Swift's libc module leaves it out.
int32_t minilab_syncfs(int32_t fd);

/// sendfile at an explicit source offset; Swift's libc module leaves it out.
int64_t minilab_sendfile(int32_t out, int32_t in, int64_t offset, uint64_t count);

/// Opens a reading position of its own on a directory: DIR has no type in Swift.
int32_t minilab_directory_open(int32_t fd, void **directory);

/// Next name but "." and ".."; dirent holds its name in an array that Swift sees as a 256-tuple.
/// 1 with name (at least 256 bytes) and d_type filled, 0 at the end.
int32_t minilab_directory_next(void *directory, char *name, int32_t *type);

void minilab_directory_close(void *directory);

/// File system magic and free bytes for ordinary users; Swift's libc module leaves statfs out.
int32_t minilab_file_system(int32_t fd, uint64_t *magic, int64_t *available);

/// pipe2 with close-on-exec, neither end blocking; Swift's libc module leaves it out.
int32_t minilab_pipe(int32_t ends[2]);
