#pragma once

// What the C library declares belongs to Swift's own module of it, and not to the module that is met first.
#pragma clang module import SwiftGlibc

#include <sys/vfs.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

// System calls by number: _GNU_SOURCE here would give system types another shape than in Swift's own modules.
// Each returns 0 or an errno unless its comment says otherwise.

/// Opens below an open folder, without a link on the way and never above it (Linux 5.6): a descriptor, or a negative
/// errno; -ENOSYS or -EPERM where it cannot be asked for.
static inline int takeup_open_beneath(int folder, const char *path, int flags) {
    const uint64_t noSymbolicLinks = 0x04, beneath = 0x08;
    const struct { uint64_t flags, mode, resolve; } how = {
        (uint64_t)(unsigned)flags, 0, noSymbolicLinks | beneath};
    const long openat2 = 437;  // the same number everywhere
    const long opened = syscall(openat2, folder, path, &how, sizeof how);
    return opened >= 0 ? (int)opened : -errno;
}

/// Renames a file unless the new name is taken: EEXIST then, ENOSYS or EINVAL where it cannot be done.
static inline int takeup_rename_exclusively(
    int folder, const char *path, int targetFolder, const char *target) {
#if defined(SYS_renameat2)
    const unsigned noReplace = 1;
    return syscall(SYS_renameat2, folder, path, targetFolder, target, noReplace) == 0 ? 0 : errno;
#else
    (void)folder; (void)path; (void)targetFolder; (void)target;
    return ENOSYS;
#endif
}

/// Lets two names change places: ENOSYS or EINVAL where it cannot be done.
static inline int takeup_rename_exchanging(int folder, const char *path, const char *target) {
#if defined(SYS_renameat2)
    const unsigned exchange = 2;
    return syscall(SYS_renameat2, folder, path, folder, target, exchange) == 0 ? 0 : errno;
#else
    (void)folder; (void)path; (void)target;
    return ENOSYS;
#endif
}

/// Lets an empty file share all blocks of another one.
static inline int takeup_share_blocks(int target, int source) {
    const unsigned long cloneFile = _IOW(0x94, 9, int);
    return ioctl(target, cloneFile, source) == 0 ? 0 : errno;
}

/// Copies bytes inside the kernel, from and to the same offset; returns how many, or a negative errno.
static inline int64_t takeup_copy_range(int source, int target, int64_t offset, size_t count) {
#if defined(SYS_copy_file_range)
    int64_t from = offset, to = offset;
    long copied = syscall(SYS_copy_file_range, source, &from, target, &to, count, 0u);
    return copied >= 0 ? copied : -errno;
#else
    (void)source; (void)target; (void)offset; (void)count;
    return -ENOSYS;
#endif
}

/// Sets blocks aside for a file without changing its length.
static inline int takeup_reserve_blocks(int descriptor, int64_t count) {
#if defined(SYS_fallocate) && UINTPTR_MAX > 0xFFFFFFFF
    const int keepSize = 1;
    return syscall(SYS_fallocate, descriptor, keepSize, (int64_t)0, count) == 0 ? 0 : errno;
#else
    (void)descriptor; (void)count;
    return EOPNOTSUPP;
#endif
}

/// Asks the system to begin writing a part of a file to the disk, and does not wait for it.
static inline void takeup_begin_write_back(int descriptor, int64_t offset, int64_t count) {
#if defined(SYS_sync_file_range) && UINTPTR_MAX > 0xFFFFFFFF
    const unsigned writeOnly = 2;
    (void)syscall(SYS_sync_file_range, descriptor, offset, count, writeOnly);
#else
    (void)descriptor; (void)offset; (void)count;
#endif
}

// The function shares its name with a struct.
static const int takeup_lock_shared = LOCK_SH | LOCK_NB;
static const int takeup_lock_exclusive = LOCK_EX | LOCK_NB;
static const int takeup_lock_release = LOCK_UN;

static inline int takeup_lock(int descriptor, int operation) {
    return flock(descriptor, operation) == 0 ? 0 : errno;
}

// Processes.

/// A descriptor that becomes readable when the process ends, or a negative errno.
static inline int takeup_open_process(int pid) {
    int descriptor = (int)syscall(SYS_pidfd_open, pid, 0u);
    return descriptor >= 0 ? descriptor : -errno;
}

// The header hides this one from Swift.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/// Keeps a child from getting any descriptor from `first` on.
static inline int takeup_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

/// An empty file without a name, in memory; negative with an errno when there is none.
static inline int takeup_memory_file(void) {
    const unsigned closesOnExec = 1;
    return (int)syscall(SYS_memfd_create, "takeup", closesOnExec);
}

// The resources are an enumeration whose type differs between C libraries.
static const int takeup_limit_data = RLIMIT_DATA;
static const int takeup_limit_core = RLIMIT_CORE;
static const int takeup_limit_files = RLIMIT_NOFILE;
static const int takeup_limit_file_size = RLIMIT_FSIZE;

/// Lowers a limit for good.
static inline int takeup_limit(int resource, uint64_t value) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return errno;
    if (limit.rlim_max != RLIM_INFINITY && value > limit.rlim_max) value = limit.rlim_max;
    limit.rlim_cur = limit.rlim_max = value;
    return setrlimit(resource, &limit) == 0 ? 0 : errno;
}

/// Seconds of processor time that a process has had; negative when it has gone.
static inline double takeup_processor_seconds(int pid) {
    struct timespec used;
    const clockid_t clock = ~(clockid_t)pid * 8 + 2;  // what `clock_getcpuclockid` makes of it
    return clock_gettime(clock, &used) == 0 ? (double)used.tv_sec + (double)used.tv_nsec / 1e9 : -1;
}

/// Lets another process of this user have the processor for some more seconds than it has had.
static inline int takeup_allow_processor(int pid, double seconds) {
    struct { uint64_t soft, hard; } limit;
    const double used = takeup_processor_seconds(pid);
    if (used < 0) return ESRCH;
    if (syscall(SYS_prlimit64, pid, RLIMIT_CPU, NULL, &limit) != 0) return errno;
    const double soft = used + seconds + 1;
    limit.soft = soft < 1e12 ? (uint64_t)soft : (uint64_t)1e12;
    if (limit.soft > limit.hard) limit.soft = limit.hard;
    return syscall(SYS_prlimit64, pid, RLIMIT_CPU, &limit, NULL) == 0 ? 0 : errno;
}

static inline int takeup_forbid_privileges(void) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;
}

/// Gives up every capability, as of a process that root has started.
static inline int takeup_drop_capabilities(void) {
    struct { uint32_t version; int pid; } header = {0x20080522, 0};
    uint32_t none[6] = {0};
    return syscall(SYS_capset, &header, none) == 0 ? 0 : errno;
}

/// Ends this process when the thread that started it ends.
static inline int takeup_die_with_parent(void) {
    return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 ? 0 : errno;
}

// Messages with descriptors. SCM_RIGHTS takes 253 descriptors at most.

#define takeup_most_descriptors 253

/// Sends one message; returns 0 or an errno.
static inline int takeup_send_message(
    int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count) {
    union { struct cmsghdr align; char room[CMSG_SPACE(sizeof(int) * takeup_most_descriptors)]; } control;
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {0};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (descriptor_count > takeup_most_descriptors) return EINVAL;
    if (descriptor_count > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.room;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)descriptor_count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)descriptor_count);
        memcpy(CMSG_DATA(header), descriptors, sizeof(int) * (size_t)descriptor_count);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0 ? 0 : errno;
}

/// Receives one message; returns its length, 0 at the end, or a negative errno.
///
/// A message that is longer than `size`, or whose descriptors were not all taken, is -EMSGSIZE.
static inline int64_t takeup_receive_message(
    int socket, void *bytes, size_t size, int *descriptors, int *descriptor_count) {
    union { struct cmsghdr align; char room[CMSG_SPACE(sizeof(int) * takeup_most_descriptors)]; } control;
    struct iovec part = {bytes, size};
    struct msghdr message = {0};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.room;
    message.msg_controllen = sizeof control.room;
    *descriptor_count = 0;
    ssize_t count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (count < 0) return -errno;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        int found = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        memcpy(descriptors + *descriptor_count, CMSG_DATA(header), sizeof(int) * (size_t)found);
        *descriptor_count += found;
    }
    if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
        for (int place = 0; place < *descriptor_count; place++) close(descriptors[place]);
        *descriptor_count = 0;
        return -EMSGSIZE;
    }
    return count;
}

/// The magic number of the file system that a path is on; 0 when it cannot be told.
static inline uint32_t takeup_file_system_magic(const char *path) {
    struct statfs facts;
    return statfs(path, &facts) == 0 ? (uint32_t)facts.f_type : 0;
}

// Checksums.

/// Whether this processor has an instruction for CRC-32C.
static inline int takeup_has_crc32c(void) {
#if defined(__x86_64__)
    unsigned a, b, c = 0, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2) != 0;
#elif defined(__aarch64__)
    const unsigned long crc32 = 1 << 7;
    return (getauxval(AT_HWCAP) & crc32) != 0;
#else
    return 0;
#endif
}

/// Goes on with a CRC-32C, without the inversion before and after; only where `takeup_has_crc32c`.
#if defined(__x86_64__)
__attribute__((target("sse4.2")))
#elif defined(__aarch64__)
__attribute__((target("crc")))
#endif
static inline uint32_t takeup_crc32c(uint32_t sum, const void *bytes, size_t count) {
    const unsigned char *next = (const unsigned char *)bytes;
#if defined(__x86_64__)
    uint64_t wide = sum;
    for (; count >= 8; count -= 8, next += 8) {
        uint64_t word;
        memcpy(&word, next, 8);
        wide = __builtin_ia32_crc32di(wide, word);
    }
    sum = (uint32_t)wide;
    for (; count > 0; count--, next++) sum = __builtin_ia32_crc32qi(sum, *next);
#elif defined(__aarch64__)
    for (; count >= 8; count -= 8, next += 8) {
        uint64_t word;
        memcpy(&word, next, 8);
        sum = __builtin_arm_crc32cd(sum, word);
    }
    for (; count > 0; count--, next++) sum = __builtin_arm_crc32cb(sum, *next);
#else
    (void)next; (void)count;
#endif
    return sum;
}

// A mark that a folder carries without a file in it; 0, or an errno.
static inline int takeup_mark_folder(int folder, const char *name) {
    return fsetxattr(folder, name, "1", 1, 0) == 0 ? 0 : errno;
}

static inline int takeup_is_folder_marked(int folder, const char *name) {
    return fgetxattr(folder, name, NULL, 0) >= 0;
}
