#define _GNU_SOURCE
#include "CSystemFiles.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

// Since Linux 6.3; absent from Debian 12's headers.
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

#define MINILAB_SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL)

const int32_t minilab_o_path = O_PATH;
const int32_t minilab_o_tmpfile = O_TMPFILE;

int32_t minilab_memfd_create(const char *name) {
  int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
  if (fd < 0 && errno == EINVAL) fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  return fd < 0 ? -errno : fd;
}

int32_t minilab_memfd_seal(int32_t fd) {
  return fcntl(fd, F_ADD_SEALS, MINILAB_SEALS) < 0 ? -errno : 0;
}

int32_t minilab_memfd_is_sealed(int32_t fd) {
  int seals = fcntl(fd, F_GET_SEALS);
  if (seals < 0) return -errno;
  return (seals & MINILAB_SEALS) == MINILAB_SEALS;
}

int32_t minilab_open_beneath(int32_t fd, const char *path, int32_t flags, uint32_t mode) {
  struct open_how how = {
      .flags = (uint32_t)flags,
      .mode = mode,
      .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
  };
  long result = syscall(SYS_openat2, fd, path, &how, sizeof how);
  return result < 0 ? -errno : (int32_t)result;
}

int32_t minilab_openat(int32_t fd, const char *path, int32_t flags, uint32_t mode) {
  int result = openat(fd, path, flags, (mode_t)mode);
  return result < 0 ? -errno : result;
}

int32_t minilab_duplicate(int32_t fd) {
  int result = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  return result < 0 ? -errno : result;
}

int32_t minilab_rename_no_replace(int32_t from, const char *name, int32_t to, const char *target) {
  return renameat2(from, name, to, target, RENAME_NOREPLACE) < 0 ? -errno : 0;
}

int32_t minilab_syncfs(int32_t fd) { return syncfs(fd) < 0 ? -errno : 0; }

int64_t minilab_sendfile(int32_t out, int32_t in, int64_t offset, uint64_t count) {
  off_t position = offset;
  ssize_t result = sendfile(out, in, &position, count);
  return result < 0 ? -errno : result;
}

int32_t minilab_directory_open(int32_t fd, void **directory) {
  // Not dup: duplicates share one reading position.
  int own = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (own < 0) return -errno;
  DIR *stream = fdopendir(own);
  if (!stream) {
    int error = errno;
    close(own);
    return -error;
  }
  *directory = stream;
  return 0;
}

int32_t minilab_directory_next(void *directory, char *name, int32_t *type) {
  for (;;) {
    errno = 0;
    struct dirent *entry = readdir(directory);
    if (!entry) return -errno;
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    memcpy(name, entry->d_name, strlen(entry->d_name) + 1);
    *type = entry->d_type;
    return 1;
  }
}

void minilab_directory_close(void *directory) { closedir(directory); }

int32_t minilab_file_system(int32_t fd, uint64_t *magic, int64_t *available) {
  struct statfs space;
  if (fstatfs(fd, &space) < 0) return -errno;
  *magic = (uint64_t)space.f_type & 0xFFFFFFFFU;
  if (__builtin_mul_overflow((int64_t)space.f_bavail, (int64_t)space.f_bsize, available))
    *available = INT64_MAX;
  return 0;
}
