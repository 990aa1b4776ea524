#pragma once

// What the C library declares belongs to Swift's own module of it, and not to the module that is met first.
#pragma clang module import SwiftGlibc

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

// What a sealed process may still open and call. By number, as in shim.h; 0 or an errno unless a comment says otherwise.

// Landlock: with structures of our own, for the headers may be older than the kernel.

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

/// Allows some rights to a file, or beneath a folder.
static inline int takeup_landlock_allow(int set, const char *path, uint64_t rights) {
    const unsigned pathBeneath = 1;
    const int pathOnly = 010000000;  // O_PATH
    struct __attribute__((packed)) { uint64_t allowed; int32_t descriptor; } rule = {
        rights, open(path, pathOnly | O_CLOEXEC)};
    if (rule.descriptor < 0) return errno;
    int reason = syscall(SYS_landlock_add_rule, set, pathBeneath, &rule, 0u) == 0 ? 0 : errno;
    close(rule.descriptor);
    return reason;
}

// Openings that the filter catches. Dispatch looks at each of its threads as /proc/THREAD/stat, and ends a process in
// which it cannot (`workqueue.c`). Landlock can allow all of /proc or nothing of a process that is still to come, and
// all of /proc tells the command lines of everybody. So these are opened among the own threads instead.

/// This process's own threads in /proc, open for good once Landlock is entered: what is open keeps its identity, by
/// which Landlock knows it.
static int takeup_own_threads = -1;

/// Writes the place of a thread's state below the folder of threads; 0 for any other path.
static inline int takeup_thread_state(const char *path, char name[32]) {
    const char *const before = "/proc/", *const behind = "/stat";
    size_t digits = 0;
    if (strncmp(path, before, strlen(before)) != 0) return 0;
    path += strlen(before);
    while (digits < 16 && path[digits] >= '0' && path[digits] <= '9') digits++;
    if (digits == 0 || strcmp(path + digits, behind) != 0) return 0;
    memcpy(name, path, digits + strlen(behind) + 1);
    return 1;
}

/// Opens what the filter has caught; Landlock decides as ever.
static inline void takeup_answer_opening(int signal, siginfo_t *info, void *context) {
    (void)signal; (void)info;
    const int kept = errno;
#if defined(__x86_64__)
    const int second = 9, third = 12 /* RSI, RDX */, result = 13 /* RAX */;
    greg_t *words = ((ucontext_t *)context)->uc_mcontext.gregs;
    const long mode = words[2];  // R10
#elif defined(__aarch64__)
    const int second = 1, third = 2, result = 0;
    unsigned long long *words = ((ucontext_t *)context)->uc_mcontext.regs;
    const long mode = (long)words[3];
#endif
#if defined(__x86_64__) || defined(__aarch64__)
    char name[32];
    const char *path = (const char *)words[second];
    // Below a folder it is not caught again; a path from the root leads to the same place from there.
    if (path != NULL && takeup_thread_state(path, name)) path = name;
    const long opened = syscall(SYS_openat, takeup_own_threads, path, (int)words[third], mode);
    words[result] = opened >= 0 ? opened : -errno;
#else
    (void)context;
#endif
    errno = kept;
}

static inline int takeup_catch_openings(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = takeup_answer_opening;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    return sigaction(SIGSYS, &action, NULL) == 0 ? 0 : errno;
}

// The rules.

/// Denies this thread, and those that it starts, every path but those beneath `folder`, which may be NULL.
///
/// Beneath it files can be made, written, read and removed. What the system tells of its processors and of this
/// process's own threads can be read, but not listed: encoders count the ones, and Dispatch looks at the others. TCP,
/// and signals and sockets that leave the sandbox, are denied where `version` knows them. `will_filter` says whether the
/// filter follows, without which Dispatch needs all of /proc.
static inline int takeup_landlock_enter(int version, const char *folder, int will_filter) {
    const char *const facts[] = {
        will_filter ? "/proc/self/task" : "/proc", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat",
        "/proc/sys/vm/overcommit_memory", "/sys/devices/system/cpu", "/sys/devices/system/node"};
    const uint64_t read = 1 << 2 | 1 << 3, refer = 1 << 13, truncate = 1 << 14;
    const uint64_t inside = read | 1 << 1 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | refer | truncate;
    uint64_t handled = (1 << 13) - 1;
    if (version >= 2) handled |= refer;
    if (version >= 3) handled |= truncate;
    if (version >= 5) handled |= 1 << 15;
    struct { uint64_t files, network, scope; } rules = {
        handled, version >= 4 ? 3 : 0, version >= 6 ? 3 : 0};
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    takeup_own_threads = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int set = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0u);
    if (set < 0) return errno;
    // A machine without one of these has nothing to tell there.
    for (unsigned place = 0; place < sizeof facts / sizeof *facts; place++)
        (void)takeup_landlock_allow(set, facts[place], 1 << 2);
    int reason = folder == NULL ? 0 : takeup_landlock_allow(set, folder, inside & handled);
    if (reason == 0 && will_filter) reason = takeup_catch_openings();
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

#if defined(TAKEUP_ARCHITECTURE)

/// From here on a call has the same number everywhere, and libraries ask whether the kernel knows it.
#define TAKEUP_FIRST_NEW_CALL 424

/// Calls that an export needs, and that touch nothing but this process and its open files.
static const int takeup_plain_calls[] = {
    // Open files.
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_preadv, SYS_pwritev,
    SYS_lseek, SYS_close, /* close_range */ 436, SYS_dup, SYS_dup3, SYS_fstat, SYS_newfstatat,
    SYS_statx, SYS_ftruncate, SYS_fadvise64, SYS_fsync, SYS_fdatasync, SYS_sync_file_range,
    SYS_getdents64, SYS_getcwd,
    // Waiting, and the sockets that are open.
    SYS_ppoll, SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait,
    /* epoll_pwait2 */ 441, SYS_eventfd2, SYS_timerfd_create, SYS_timerfd_settime,
    SYS_timerfd_gettime, SYS_sendmsg, SYS_recvmsg, SYS_shutdown,
    // Memory.
    SYS_brk, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_msync, SYS_membarrier,
    SYS_mbind, SYS_get_mempolicy, SYS_set_mempolicy,
    // Threads.
    SYS_futex, /* futex_waitv */ 449, SYS_set_robust_list, SYS_rseq, SYS_set_tid_address,
    SYS_exit, SYS_exit_group, SYS_restart_syscall, SYS_sched_yield, SYS_sched_getaffinity,
    SYS_sched_getparam, SYS_sched_getscheduler, SYS_sched_get_priority_max,
    SYS_sched_get_priority_min, SYS_sched_rr_get_interval, SYS_getpriority,
    // Signals to itself.
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigsuspend,
    SYS_rt_sigpending, SYS_rt_sigtimedwait, SYS_sigaltstack,
    // Time, numbers and names.
    SYS_nanosleep, SYS_clock_nanosleep, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday,
    SYS_times, SYS_getrusage, SYS_getrlimit, SYS_sysinfo, SYS_uname, SYS_getcpu, SYS_getrandom,
    SYS_gettid, SYS_getpid, SYS_getppid, SYS_getpgid, SYS_getuid, SYS_geteuid, SYS_getgid,
    SYS_getegid, SYS_getgroups,
#if defined(__x86_64__)
    SYS_dup2, SYS_poll, SYS_select, SYS_epoll_wait, SYS_time, SYS_getpgrp,
#endif
};

/// Changes of folders: where Landlock keeps them to one.
static const int takeup_folder_calls[] = {
    SYS_unlinkat, SYS_mkdirat,
#if defined(SYS_renameat)
    SYS_renameat,
#endif
#if defined(SYS_renameat2)
    SYS_renameat2,
#endif
#if defined(__x86_64__)
    SYS_unlink, SYS_rename, SYS_mkdir, SYS_rmdir,
#endif
};

enum { TAKEUP_EQUAL = 0, TAKEUP_OTHER = 1 };

/// One look at an argument: what becomes of the call when some bits of it have a value, or another one.
struct takeup_look {
    int call;
    /// Which half of which argument; both machines are little-endian.
    int word;
    uint32_t mask, value;
    int when;
    uint32_t verdict;
};

#define TAKEUP_ARGUMENT(place) (2 * (place))
#define TAKEUP_REFUSED (SECCOMP_RET_ERRNO | EPERM)
#define TAKEUP_UNKNOWN (SECCOMP_RET_ERRNO | ENOSYS)
#define TAKEUP_ALLOW(call, place, value) \
    {call, TAKEUP_ARGUMENT(place), 0xFFFFFFFF, (uint32_t)(value), TAKEUP_EQUAL, SECCOMP_RET_ALLOW}
#define TAKEUP_REQUIRE(call, word, mask, value) \
    {call, word, (uint32_t)(mask), (uint32_t)(value), TAKEUP_OTHER, TAKEUP_REFUSED}
#define TAKEUP_REFUSE(call) {call, 0, 0, 0, TAKEUP_EQUAL, TAKEUP_REFUSED}

/// Looks at the calls that are allowed with some arguments only, those of a call together and in order; a call that all
/// of them let pass is allowed.
///
/// \param with_landlock Whether Landlock decides which paths can be opened; else none can be opened for writing.
/// \returns How many.
static inline int takeup_looks(struct takeup_look looks[64], int with_landlock) {
    const uint32_t thread = 0x00010000;
    // Namespaces, and what makes it no plain thread.
    const uint32_t strange = 0xFE000000 | 0x00020000 | 0x00002000 | 0x00004000 | 0x00001000;
    const uint32_t shared = 0x01, anonymous = 0x20;
    const uint32_t changing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
    const int own = getpid();
    const struct takeup_look all[] = {
        TAKEUP_REQUIRE(SYS_clone, 0, thread, thread), TAKEUP_REQUIRE(SYS_clone, 0, strange, 0),
        // Memory that is shared without a file counts against no limit.
        {SYS_mmap, TAKEUP_ARGUMENT(3), shared | anonymous, shared | anonymous, TAKEUP_EQUAL,
         TAKEUP_REFUSED},
        // Names, of a thread and of memory.
        TAKEUP_ALLOW(SYS_prctl, 0, PR_SET_NAME), TAKEUP_ALLOW(SYS_prctl, 0, PR_GET_NAME),
        TAKEUP_ALLOW(SYS_prctl, 0, 0x53564D41), TAKEUP_REFUSE(SYS_prctl),
        // No owner, lease, lock or flag that somebody else would feel.
        TAKEUP_ALLOW(SYS_fcntl, 1, F_DUPFD), TAKEUP_ALLOW(SYS_fcntl, 1, F_DUPFD_CLOEXEC),
        TAKEUP_ALLOW(SYS_fcntl, 1, F_GETFD), TAKEUP_ALLOW(SYS_fcntl, 1, F_SETFD),
        TAKEUP_ALLOW(SYS_fcntl, 1, F_GETFL), TAKEUP_REFUSE(SYS_fcntl),
        // Whether it is a terminal.
        TAKEUP_ALLOW(SYS_ioctl, 1, 0x5401), TAKEUP_REFUSE(SYS_ioctl),
        TAKEUP_ALLOW(SYS_kill, 0, own), TAKEUP_REFUSE(SYS_kill),
        TAKEUP_ALLOW(SYS_tgkill, 0, own), TAKEUP_REFUSE(SYS_tgkill),
        // The own limits can be read.
        TAKEUP_REQUIRE(SYS_prlimit64, 0, ~0, 0),
        TAKEUP_REQUIRE(SYS_prlimit64, TAKEUP_ARGUMENT(2), ~0, 0),
        TAKEUP_REQUIRE(SYS_prlimit64, TAKEUP_ARGUMENT(2) + 1, ~0, 0),
        TAKEUP_REQUIRE(SYS_sched_setaffinity, 0, ~0, 0),
        TAKEUP_REQUIRE(SYS_setpriority, 0, ~0, PRIO_PROCESS),
        TAKEUP_REQUIRE(SYS_setpriority, TAKEUP_ARGUMENT(1), ~0, 0),
    };
    const struct takeup_look open[] = {
        // Openings for reading that name a path are answered by `takeup_answer_opening`.
        {SYS_openat, 0, 0xFFFFFFFF, (uint32_t)AT_FDCWD, TAKEUP_OTHER, SECCOMP_RET_ALLOW},
        {SYS_openat, TAKEUP_ARGUMENT(2), changing, 0, TAKEUP_EQUAL, SECCOMP_RET_TRAP},
#if defined(__x86_64__)
        {SYS_open, 0, 0, 0, TAKEUP_EQUAL, SECCOMP_RET_ALLOW},
#endif
    };
    const struct takeup_look reading[] = {
        TAKEUP_REQUIRE(SYS_openat, TAKEUP_ARGUMENT(2), changing, 0),
#if defined(__x86_64__)
        TAKEUP_REQUIRE(SYS_open, TAKEUP_ARGUMENT(1), changing, 0),
#endif
    };
    const int count = sizeof all / sizeof *all;
    memcpy(looks, all, sizeof all);
    if (with_landlock) memcpy(looks + count, open, sizeof open);
    else memcpy(looks + count, reading, sizeof reading);
    return count + (int)((with_landlock ? sizeof open : sizeof reading) / sizeof *all);
}

/// Whether a call is allowed at all, if only with some arguments.
static inline int takeup_knows_call(int call, int with_landlock) {
    struct takeup_look looks[64];
    const int count = takeup_looks(looks, with_landlock);
    for (int place = 0; place < count; place++) if (looks[place].call == call) return 1;
    for (unsigned place = 0; place < sizeof takeup_plain_calls / sizeof(int); place++)
        if (takeup_plain_calls[place] == call) return 1;
    for (unsigned place = 0; with_landlock && place < sizeof takeup_folder_calls / sizeof(int); place++)
        if (takeup_folder_calls[place] == call) return 1;
    return 0;
}

/// Refuses every call but those above; returns ENOSYS on a machine whose numbers are not known here.
///
/// Refused calls end with EPERM, and those that are younger than `TAKEUP_FIRST_NEW_CALL` with ENOSYS, as on a kernel
/// without them: libraries then take the older way. Without Landlock files can be read: Dispatch has to.
static inline int takeup_filter_calls(int with_landlock) {
    struct sock_filter code[512];
    struct takeup_look looks[64];
    const int count = takeup_looks(looks, with_landlock);
    unsigned short n = 0;
#define TAKEUP_LOAD(place) code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, place)
#define TAKEUP_RETURN(value) code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, value)
#define TAKEUP_UNLESS(test, value, skip) \
    code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | test | BPF_K, (unsigned)(value), 0, skip)
#define TAKEUP_IF(test, value, skip) \
    code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | test | BPF_K, (unsigned)(value), skip, 0)
    TAKEUP_LOAD(offsetof(struct seccomp_data, arch));
    TAKEUP_IF(BPF_JEQ, TAKEUP_ARCHITECTURE, 1);
    TAKEUP_RETURN(SECCOMP_RET_KILL_PROCESS);
    TAKEUP_LOAD(offsetof(struct seccomp_data, nr));
    for (int first = 0, next; first < count; first = next) {
        for (next = first; next < count && looks[next].call == looks[first].call; next++) {}
        TAKEUP_UNLESS(BPF_JEQ, looks[first].call, (unsigned char)(4 * (next - first) + 1));
        for (int place = first; place < next; place++) {
            TAKEUP_LOAD(offsetof(struct seccomp_data, args) + 4 * (unsigned)looks[place].word);
            code[n++] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, looks[place].mask);
            if (looks[place].when == TAKEUP_EQUAL) TAKEUP_UNLESS(BPF_JEQ, looks[place].value, 1);
            else TAKEUP_IF(BPF_JEQ, looks[place].value, 1);
            TAKEUP_RETURN(looks[place].verdict);
        }
        TAKEUP_RETURN(SECCOMP_RET_ALLOW);
    }
    for (unsigned place = 0; place < sizeof takeup_plain_calls / sizeof(int); place++) {
        TAKEUP_UNLESS(BPF_JEQ, takeup_plain_calls[place], 1);
        TAKEUP_RETURN(SECCOMP_RET_ALLOW);
    }
    for (unsigned place = 0; with_landlock && place < sizeof takeup_folder_calls / sizeof(int); place++) {
        TAKEUP_UNLESS(BPF_JEQ, takeup_folder_calls[place], 1);
        TAKEUP_RETURN(SECCOMP_RET_ALLOW);
    }
    // clone3 is among the new ones: its flags cannot be seen. So are the numbers of x32.
    TAKEUP_UNLESS(BPF_JGE, TAKEUP_FIRST_NEW_CALL, 1);
    TAKEUP_RETURN(TAKEUP_UNKNOWN);
    TAKEUP_RETURN(TAKEUP_REFUSED);
#undef TAKEUP_LOAD
#undef TAKEUP_RETURN
#undef TAKEUP_UNLESS
#undef TAKEUP_IF
    struct sock_fprog program = {n, code};
    const unsigned setFilter = 1, allThreads = 1;
    return syscall(SYS_seccomp, setFilter, allThreads, &program) == 0 ? 0 : errno;
}
#else
static inline int takeup_knows_call(int call, int with_landlock) {
    (void)call; (void)with_landlock;
    return 1;
}
static inline int takeup_filter_calls(int with_landlock) {
    (void)with_landlock;
    return ENOSYS;
}
#endif

/// Whether the kernel filters calls, and their numbers are known here.
static inline int takeup_can_filter(void) {
#if defined(TAKEUP_ARCHITECTURE)
    const unsigned isAvailable = 2;
    const uint32_t action = SECCOMP_RET_TRAP;
    return syscall(SYS_seccomp, isAvailable, 0u, &action) == 0;
#else
    return 0;
#endif
}

/// Makes a call by its number: what it returned, or a negative errno.
static inline long takeup_call(long number, long a, long b, long c, long d, long e, long f) {
    const long result = syscall(number, a, b, c, d, e, f);
    return result >= 0 ? result : -errno;
}
