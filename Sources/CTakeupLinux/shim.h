#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// System calls by number: _GNU_SOURCE here would give system types another shape than in Swift's own modules.
// Each returns 0 or an errno unless its comment says otherwise.

/// Renames a file unless the new name is taken: EEXIST then, ENOSYS or EINVAL where it cannot be done.
static inline int takeup_rename_exclusively(const char *path, const char *target) {
#if defined(SYS_renameat2)
    const unsigned noReplace = 1;
    return syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, target, noReplace) == 0 ? 0 : errno;
#else
    (void)path; (void)target;
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

// The function shares its name with a struct.
static const int takeup_lock_shared = LOCK_SH | LOCK_NB;
static const int takeup_lock_exclusive = LOCK_EX | LOCK_NB;
static const int takeup_lock_release = LOCK_UN;

static inline int takeup_lock(int descriptor, int operation) {
    return flock(descriptor, operation) == 0 ? 0 : errno;
}
