#pragma once

#include <sys/vfs.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
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

/// Seconds of processor time that this process has used.
static inline double takeup_processor_seconds(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec);
}

// The resources are an enumeration whose type differs between C libraries.
static const int takeup_limit_data = RLIMIT_DATA;
static const int takeup_limit_core = RLIMIT_CORE;
static const int takeup_limit_files = RLIMIT_NOFILE;
static const int takeup_limit_file_size = RLIMIT_FSIZE;
static const int takeup_limit_processor = RLIMIT_CPU;

/// Lowers a limit; the hard one too, unless it shall be raised again.
static inline int takeup_limit(int resource, uint64_t value, int keeps_hard) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return errno;
    if (limit.rlim_max != RLIM_INFINITY && value > limit.rlim_max) value = limit.rlim_max;
    limit.rlim_cur = value;
    if (!keeps_hard) limit.rlim_max = value;
    return setrlimit(resource, &limit) == 0 ? 0 : errno;
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

// Landlock. By number and with structures of our own: the headers may be older than the kernel.

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

/// The version of Landlock that the kernel speaks, 0 without it.
static inline int takeup_landlock_version(void) {
    const unsigned version = 1;
    long found = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, version);
    return found > 0 ? (int)found : 0;
}

/// Allows some rights beneath a folder; returns 0 or an errno.
static inline int takeup_landlock_allow(int set, const char *folder, uint64_t rights) {
    const unsigned pathBeneath = 1;
    struct __attribute__((packed)) { uint64_t allowed; int32_t descriptor; } rule = {
        rights, open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (rule.descriptor < 0) return errno;
    int reason = syscall(SYS_landlock_add_rule, set, pathBeneath, &rule, 0u) == 0 ? 0 : errno;
    close(rule.descriptor);
    return reason;
}

/// Denies this thread, and those that it starts, every path but those beneath `folder`, which may be NULL.
///
/// Beneath it files can be made, written, read and removed. What the system tells of its processors and of
/// threads can be read, but not listed: the encoders count the ones, and Dispatch ends a process in which it
/// cannot read `/proc/THREAD/stat` (`workqueue.c`). Landlock itself keeps the memory and the environment of
/// processes outside from being read there. TCP, and signals and sockets that leave the sandbox, are denied
/// where `version` knows them.
static inline int takeup_landlock_enter(int version, const char *folder) {
    const char *const facts[] = {"/proc", "/sys/devices/system/cpu", "/sys/devices/system/node"};
    const uint64_t read = 1 << 2 | 1 << 3, refer = 1 << 13, truncate = 1 << 14;
    const uint64_t inside = read | 1 << 1 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | refer | truncate;
    uint64_t handled = (1 << 13) - 1;
    if (version >= 2) handled |= refer;
    if (version >= 3) handled |= truncate;
    if (version >= 5) handled |= 1 << 15;
    struct { uint64_t files, network, scope; } rules = {
        handled, version >= 4 ? 3 : 0, version >= 6 ? 3 : 0};
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int set = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0u);
    if (set < 0) return errno;
    // A machine without one of these has nothing to tell there.
    for (int place = 0; place < 3; place++) (void)takeup_landlock_allow(set, facts[place], 1 << 2);
    int reason = folder == NULL ? 0 : takeup_landlock_allow(set, folder, inside & handled);
    if (reason == 0 && syscall(SYS_landlock_restrict_self, set, 0u) != 0) reason = errno;
    close(set);
    return reason;
}

// seccomp.

#if defined(__x86_64__)
#define TAKEUP_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define TAKEUP_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/// Makes calls fail that no export needs; returns ENOSYS on a machine whose numbers are not known here.
///
/// Denied are sockets, other programs and processes, debugging, mounts, keys, modules, and changes to files
/// that Landlock lets pass. `denies_files` denies making, writing and removing files too, for want of
/// Landlock; reading them cannot be denied here, because Dispatch reads what the system says of its threads.
static inline int takeup_filter_calls(int denies_files) {
#if defined(TAKEUP_ARCHITECTURE)
    static const int denied[] = {
        SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4,
        SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp,
        SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot,
        SYS_keyctl, SYS_add_key, SYS_request_key, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd,
        SYS_open_by_handle_at, SYS_name_to_handle_at, SYS_tkill, SYS_rt_sigqueueinfo,
        SYS_rt_tgsigqueueinfo, SYS_kexec_load, SYS_init_module, SYS_finit_module, SYS_delete_module,
        SYS_reboot, SYS_swapon, SYS_swapoff, SYS_sethostname, SYS_setdomainname, SYS_quotactl, SYS_acct,
        SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_personality, SYS_syslog,
        SYS_fanotify_init, SYS_inotify_init1, SYS_mknodat, SYS_shmget, SYS_semget, SYS_msgget, SYS_mq_open,
        SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr,
        SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_utimensat,
        SYS_setpgid, SYS_setsid, SYS_sched_setscheduler, SYS_ioprio_set, SYS_migrate_pages, SYS_move_pages,
        // io_uring and what came later have the same numbers everywhere.
        425, 426, 427, /* open_tree, move_mount, fsopen to fspick */ 428, 429, 430, 431, 432, 433,
        /* pidfd_open, pidfd_send_signal, pidfd_getfd */ 434, 424, 438,
        /* process_madvise, mount_setattr, process_mrelease, fchmodat2 */ 440, 442, 448, 452,
#if defined(__x86_64__)
        SYS_fork, SYS_vfork, SYS_chmod, SYS_chown, SYS_lchown, SYS_mknod, SYS_inotify_init, SYS_iopl,
        SYS_ioperm, SYS_modify_ldt, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
    };
    static const int files[] = {
        SYS_unlinkat, SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_mkdirat, SYS_truncate,
        /* openat2 */ 437,
#if defined(__x86_64__)
        SYS_creat, SYS_unlink, SYS_rename, SYS_renameat, SYS_link, SYS_symlink, SYS_mkdir,
        SYS_rmdir,
#elif defined(SYS_renameat)
        SYS_renameat,
#endif
    };
    // Own process only (argument 0 is its number), or only without a process's number.
    const struct { int call; unsigned process; } own[] = {
        {SYS_kill, (unsigned)getpid()}, {SYS_tgkill, (unsigned)getpid()}, {SYS_prlimit64, 0}};
    enum { denied_count = sizeof denied / sizeof *denied, file_count = sizeof files / sizeof *files };
    // Calls that open files, and where their flags are.
    const struct { int call; unsigned place; } opening[] = {
        {SYS_openat, 2},
#if defined(__x86_64__)
        {SYS_open, 1},
#endif
    };
    enum { opening_count = sizeof opening / sizeof *opening };
    struct sock_filter code[64 + 2 * (denied_count + file_count)];
    const unsigned refuse = SECCOMP_RET_ERRNO | EPERM;
    const unsigned argument = offsetof(struct seccomp_data, args);  // both machines are little-endian
    unsigned short n = 0;
#define TAKEUP_LOAD(place) code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, place)
#define TAKEUP_RETURN(value) code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, value)
#define TAKEUP_UNLESS(test, value, skip) \
    code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | test | BPF_K, (unsigned)(value), 0, skip)
    TAKEUP_LOAD(offsetof(struct seccomp_data, arch));
    code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TAKEUP_ARCHITECTURE, 1, 0);
    TAKEUP_RETURN(SECCOMP_RET_KILL_PROCESS);
    TAKEUP_LOAD(offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
    TAKEUP_UNLESS(BPF_JGE, 0x40000000, 1);  // the x32 numbers
    TAKEUP_RETURN(refuse);
#endif
    TAKEUP_UNLESS(BPF_JEQ, 435, 1);  // clone3: its flags cannot be seen; the C library then uses clone
    TAKEUP_RETURN(SECCOMP_RET_ERRNO | ENOSYS);
    for (int place = 0; place < denied_count; place++) {
        TAKEUP_UNLESS(BPF_JEQ, denied[place], 1);
        TAKEUP_RETURN(refuse);
    }
    for (int place = 0; denies_files && place < file_count; place++) {
        TAKEUP_UNLESS(BPF_JEQ, files[place], 1);
        TAKEUP_RETURN(refuse);
    }
    for (int place = 0; denies_files && place < opening_count; place++) {
        TAKEUP_UNLESS(BPF_JEQ, opening[place].call, 4);
        TAKEUP_LOAD(argument + 8 * opening[place].place);
        TAKEUP_UNLESS(BPF_JSET, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 1);
        TAKEUP_RETURN(refuse);
        TAKEUP_RETURN(SECCOMP_RET_ALLOW);
    }
    for (int place = 0; place < 3; place++) {
        TAKEUP_UNLESS(BPF_JEQ, own[place].call, 4);
        TAKEUP_LOAD(argument);
        TAKEUP_UNLESS(BPF_JEQ, own[place].process, 1);
        TAKEUP_RETURN(SECCOMP_RET_ALLOW);
        TAKEUP_RETURN(refuse);
    }
    const unsigned thread = 0x00010000;
    TAKEUP_UNLESS(BPF_JEQ, SYS_clone, 4);
    TAKEUP_LOAD(argument);
    TAKEUP_UNLESS(BPF_JSET, thread, 1);
    TAKEUP_RETURN(SECCOMP_RET_ALLOW);
    TAKEUP_RETURN(refuse);
    TAKEUP_RETURN(SECCOMP_RET_ALLOW);
#undef TAKEUP_LOAD
#undef TAKEUP_RETURN
#undef TAKEUP_UNLESS
    struct sock_fprog program = {n, code};
    const unsigned setFilter = 1, allThreads = 1;
    return syscall(SYS_seccomp, setFilter, allThreads, &program) == 0 ? 0 : errno;
#else
    (void)denies_files;
    return ENOSYS;
#endif
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
