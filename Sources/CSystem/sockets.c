#define _GNU_SOURCE
#include "CSystemSocket.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// The kernel's own bound on descriptors in one message (SCM_MAX_FD).
enum { maximum_descriptors = 253 };

union control {
  char bytes[CMSG_SPACE(maximum_descriptors * sizeof(int32_t))];
  struct cmsghdr header;
};

int32_t minilab_socket_pair(int32_t pair[2]) {
  return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0 ? -errno : 0;
}

int64_t minilab_send(
    int32_t fd, const void *bytes, uint64_t count, const int32_t *descriptors,
    int32_t descriptor_count, int32_t non_blocking) {
  if (descriptor_count < 0 || descriptor_count > maximum_descriptors) return -EINVAL;
  struct iovec piece = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  union control control;
  if (descriptor_count > 0) {
    size_t size = (size_t)descriptor_count * sizeof(int32_t);
    memset(&control, 0, sizeof control);
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_SPACE(size);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(header), descriptors, size);
  }
  ssize_t sent;
  do {
    sent = sendmsg(fd, &message, MSG_NOSIGNAL | (non_blocking ? MSG_DONTWAIT : 0));
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : sent;
}

int64_t minilab_receive(
    int32_t fd, void *bytes, uint64_t capacity, int32_t *descriptors, int32_t *descriptor_count,
    int32_t *truncated, int32_t non_blocking) {
  int32_t room = *descriptor_count;
  if (room < 0 || room > maximum_descriptors) return -EINVAL;
  struct iovec piece = {.iov_base = bytes, .iov_len = capacity};
  union control control;
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  if (room > 0) {
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_SPACE((size_t)room * sizeof(int32_t));
  }
  ssize_t received;
  do {
    received = recvmsg(fd, &message, MSG_CMSG_CLOEXEC | (non_blocking ? MSG_DONTWAIT : 0));
  } while (received < 0 && errno == EINTR);
  if (received < 0) return -errno;

  int32_t kept = 0;
  *truncated = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int32_t);
    for (size_t index = 0; index < count; index++) {
      int32_t descriptor;
      memcpy(&descriptor, CMSG_DATA(header) + index * sizeof descriptor, sizeof descriptor);
      // Alignment makes room for one more than was asked for.
      if (kept < room) {
        descriptors[kept++] = descriptor;
      } else {
        close(descriptor);
        *truncated = 1;
      }
    }
  }
  *descriptor_count = kept;
  return received;
}
