// dl_iterate_phdr and MADV_DONTFORK are extensions of the C library.
#define _GNU_SOURCE

#include "CSystemProcess.h"

#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int is_called(const char *path, const char *name) {
  const char *slash = strrchr(path, '/');
  const char *file = slash ? slash + 1 : path;
  size_t length = strlen(name);
  return strncmp(file, name, length) == 0 && strncmp(file + length, ".so", 3) == 0;
}

// Every new thread copies the first values of thread-local variables out of the library that has them.
static int has_thread_local_values(const struct dl_phdr_info *library) {
  for (int index = 0; index < library->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &library->dlpi_phdr[index];
    if (segment->p_type == PT_TLS && segment->p_filesz > 0) return 1;
  }
  return 0;
}

typedef struct {
  uintptr_t start, end;
} Pages;

static Pages pages(const struct dl_phdr_info *library, const ElfW(Phdr) *segment) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t start = library->dlpi_addr + segment->p_vaddr;
  return (Pages){start / page * page, (start + segment->p_memsz + page - 1) / page * page};
}

static int forget(uintptr_t start, uintptr_t end) {
  return end > start && madvise((void *)start, end - start, MADV_DONTFORK);
}

// What the dynamic linker reads when it looks for a symbol, as dav1d has it do, stays: the headers and
// tables of names, which are in the first segment, and the dynamic section.
static int leave_behind(struct dl_phdr_info *library, size_t size, void *data) {
  (void)size;
  if (!library->dlpi_name || !is_called(library->dlpi_name, data)) return 0;
  if (has_thread_local_values(library)) return 0;
  Pages kept = {0, 0};
  for (int index = 0; index < library->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &library->dlpi_phdr[index];
    if (segment->p_type == PT_DYNAMIC) kept = pages(library, segment);
  }
  int is_first = 1;
  for (int index = 0; index < library->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &library->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD) continue;
    Pages all = pages(library, segment);
    if (is_first) {
      is_first = 0;
    } else if (kept.start >= all.start && kept.end <= all.end) {
      if (forget(all.start, kept.start) || forget(kept.end, all.end)) return 0;
    } else if (forget(all.start, all.end)) {
      return 0;
    }
  }
  return 0;
}

void minilab_leave_behind(const char *name) { dl_iterate_phdr(leave_behind, (void *)name); }
