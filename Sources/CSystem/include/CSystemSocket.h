#pragma once

#include <stdint.h>

/// A pair of connected SOCK_SEQPACKET sockets, close-on-exec; the type flags are an enum that Swift
/// can't combine.
int32_t minilab_socket_pair(int32_t pair[2]);

/// sendmsg with SCM_RIGHTS; the control-message macros don't exist in Swift. MSG_NOSIGNAL.
int64_t minilab_send(
    int32_t fd, const void *bytes, uint64_t count, const int32_t *descriptors,
    int32_t descriptor_count, int32_t non_blocking);

/// recvmsg with SCM_RIGHTS; the control-message macros don't exist in Swift. MSG_CMSG_CLOEXEC.
/// descriptor_count: room on entry, number received on return. truncated: 1 when anything was lost.
int64_t minilab_receive(
    int32_t fd, void *bytes, uint64_t capacity, int32_t *descriptors, int32_t *descriptor_count,
    int32_t *truncated, int32_t non_blocking);
