#pragma once

#include <fcntl.h>
#include <linux/ioctl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "sandbox.h"

// What a sealed process must not be able to do, tried by itself. Nothing here harms who is not sealed but the file that
// is handed over, which may be changed or go.

struct takeup_trial {
    char *names;
    size_t room;
};

static inline void takeup_note(struct takeup_trial trial, const char *name, long result) {
    const size_t used = strlen(trial.names);
    (void)snprintf(
        trial.names + used, trial.room - used, "%s%s (%ld)", used > 0 ? ", " : "", name, result);
}

#define TAKEUP_CALL(number, ...) TAKEUP_CALL_OF(number, __VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define TAKEUP_CALL_OF(number, a, b, c, d, e, f, ...) \
    takeup_call(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define TAKEUP_TRY(name, ...) \
    do { \
        const long result = TAKEUP_CALL(__VA_ARGS__); \
        if (result >= 0) takeup_note(trial, name, result); \
    } while (0)
/// For what the kernel would refuse as well, with another reason.
#define TAKEUP_TRY_EXACTLY(name, ...) \
    do { \
        const long result = TAKEUP_CALL(__VA_ARGS__); \
        if (result != -EPERM) takeup_note(trial, name, result); \
    } while (0)

static inline void takeup_try_reading(struct takeup_trial trial, int parent) {
    char path[64];
    const char *const below[] = {
        "cmdline", "environ", "mem", "status", "stat", "maps", "root/etc/passwd"};
    const char *const files[] = {
        "/etc/passwd", "/proc/1/cmdline", "/proc/1/stat", "/proc/kcore", "/proc/net/tcp",
        "/proc/self/cmdline", "/proc/self/root/etc/passwd", "/dev/urandom", "/", "/proc", "/tmp"};
    for (unsigned place = 0; place < sizeof below / sizeof *below; place++) {
        (void)snprintf(path, sizeof path, "/proc/%d/%s", parent, below[place]);
        TAKEUP_TRY("read one of the parent's", SYS_openat, AT_FDCWD, path, O_RDONLY);
        TAKEUP_TRY("read one of the parent's from afar", SYS_openat, 3, path, O_RDONLY);
    }
    for (unsigned place = 0; place < sizeof files / sizeof *files; place++) {
        (void)snprintf(path, sizeof path, "read %s", files[place]);
        TAKEUP_TRY(path, SYS_openat, AT_FDCWD, files[place], O_RDONLY);
        TAKEUP_TRY(path, SYS_openat, 3, files[place], O_RDONLY | O_NONBLOCK);
#if defined(__x86_64__)
        TAKEUP_TRY(path, SYS_open, files[place], O_RDONLY);
#endif
    }
}

static inline void takeup_try_changing(struct takeup_trial trial, const char *path, int file) {
    const struct { const char *value; unsigned size, flags; } attribute = {"b", 1, 0};
    const struct { uint64_t flags, mode, resolve; } how = {O_RDONLY, 0, 0};
    char other[512];
    long flags = 0;
    int one = 1;
    struct flock lock;
    memset(&lock, 0, sizeof lock);
    (void)snprintf(other, sizeof other, "%s.2", path);
    TAKEUP_TRY("create", SYS_openat, AT_FDCWD, other, O_WRONLY | O_CREAT, 0600);
    TAKEUP_TRY("create in memory", SYS_openat, AT_FDCWD, "/dev/shm/takeup-trial", O_RDWR | O_CREAT, 0600);
    TAKEUP_TRY("settings", SYS_openat, AT_FDCWD, "/proc/self/oom_score_adj", O_WRONLY);
    TAKEUP_TRY("openat2", 437, AT_FDCWD, path, &how, sizeof how);
    TAKEUP_TRY("open for writing", SYS_openat, AT_FDCWD, path, O_WRONLY);
    TAKEUP_TRY("open truncating", SYS_openat, AT_FDCWD, path, O_WRONLY | O_TRUNC);
    TAKEUP_TRY("truncate", SYS_truncate, path, 0);
    TAKEUP_TRY("setxattr", SYS_setxattr, path, "user.a", "b", 1, 0);
    TAKEUP_TRY("lsetxattr", SYS_lsetxattr, path, "user.a", "b", 1, 0);
    TAKEUP_TRY("fsetxattr", SYS_fsetxattr, file, "user.a", "b", 1, 0);
    TAKEUP_TRY("setxattrat", 463, AT_FDCWD, path, 0, "user.a", &attribute, sizeof attribute);
    TAKEUP_TRY("listxattr", SYS_listxattr, path, other, sizeof other);
    TAKEUP_TRY("fchmod", SYS_fchmod, file, 0777);
    TAKEUP_TRY("fchmodat", SYS_fchmodat, AT_FDCWD, path, 0777);
    TAKEUP_TRY("fchmodat2", 452, AT_FDCWD, path, 0777, 0);
    TAKEUP_TRY("fchown", SYS_fchown, file, -1, -1);
    TAKEUP_TRY("fchownat", SYS_fchownat, AT_FDCWD, path, -1, -1, 0);
    TAKEUP_TRY("utimensat", SYS_utimensat, AT_FDCWD, path, NULL, 0);
    TAKEUP_TRY("link", SYS_linkat, AT_FDCWD, path, AT_FDCWD, other, 0);
    TAKEUP_TRY("symlink", SYS_symlinkat, path, AT_FDCWD, other);
    TAKEUP_TRY("rename", SYS_renameat2, AT_FDCWD, path, AT_FDCWD, other, 0);
    TAKEUP_TRY("mkdir", SYS_mkdirat, AT_FDCWD, other, 0700);
    TAKEUP_TRY("mknod", SYS_mknodat, AT_FDCWD, other, S_IFIFO | 0600, 0);
    TAKEUP_TRY("unlink", SYS_unlinkat, AT_FDCWD, path, 0);
    TAKEUP_TRY("chdir", SYS_chdir, "/");
    TAKEUP_TRY("chroot", SYS_chroot, "/");
    TAKEUP_TRY("flock", SYS_flock, file, 1 /* LOCK_SH */);
    TAKEUP_TRY("fallocate", SYS_fallocate, file, 1, 0, 4096);
    TAKEUP_TRY_EXACTLY("FS_IOC_SETFLAGS", SYS_ioctl, file, _IOW('f', 2, long), &flags);
    TAKEUP_TRY_EXACTLY("FS_IOC_FSSETXATTR", SYS_ioctl, file, 0x401C5820, &how);
    TAKEUP_TRY_EXACTLY("FICLONE", SYS_ioctl, file, 0x40049409, file);
    TAKEUP_TRY_EXACTLY("FIONBIO", SYS_ioctl, file, 0x5421, &one);
    TAKEUP_TRY_EXACTLY("FIOASYNC", SYS_ioctl, 3, 0x5452, &one);
    TAKEUP_TRY_EXACTLY("FIOSETOWN", SYS_ioctl, 3, 0x8901, &one);
    TAKEUP_TRY_EXACTLY("TIOCSTI", SYS_ioctl, 2, 0x5412, "x");
    TAKEUP_TRY_EXACTLY("F_SETFL", SYS_fcntl, file, F_SETFL, O_APPEND);
    TAKEUP_TRY_EXACTLY("F_SETLK", SYS_fcntl, file, F_SETLK, &lock);
    TAKEUP_TRY_EXACTLY("F_SETOWN", SYS_fcntl, 3, 8, getpid());
    TAKEUP_TRY_EXACTLY("F_SETSIG", SYS_fcntl, 3, 10, SIGIO);
    TAKEUP_TRY_EXACTLY("F_SETOWN_EX", SYS_fcntl, 3, 15, &how);
    TAKEUP_TRY_EXACTLY("F_SETLEASE", SYS_fcntl, file, 1024, 0);
    TAKEUP_TRY_EXACTLY("F_NOTIFY", SYS_fcntl, file, 1026, 1);
    TAKEUP_TRY_EXACTLY("F_SETPIPE_SZ", SYS_fcntl, 2, 1031, 1 << 20);
    TAKEUP_TRY_EXACTLY("F_ADD_SEALS", SYS_fcntl, file, 1033, 0);
}

static inline void takeup_try_processes(struct takeup_trial trial, int parent) {
    const struct { uint64_t soft, hard; } none = {~0ull, ~0ull};
    struct { uint64_t soft, hard; } told;
    const struct { uint64_t words[8]; } thread = {{0}};
    uint64_t mask = 1;
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_code = SI_QUEUE;
    TAKEUP_TRY("raise RLIMIT_CPU", SYS_prlimit64, 0, RLIMIT_CPU, &none, NULL);
    TAKEUP_TRY("setrlimit", SYS_setrlimit, RLIMIT_CPU, &none);
    TAKEUP_TRY("limits of the parent", SYS_prlimit64, parent, RLIMIT_CPU, NULL, &told);
    TAKEUP_TRY("clear PDEATHSIG", SYS_prctl, PR_SET_PDEATHSIG, 0);
    TAKEUP_TRY("set dumpable", SYS_prctl, PR_SET_DUMPABLE, 1);
    TAKEUP_TRY("seccomp by prctl", SYS_prctl, PR_GET_SECCOMP);
    TAKEUP_TRY("memfd", SYS_memfd_create, "x", 0);
    TAKEUP_TRY("secret memory", 447, 0);
    TAKEUP_TRY("shared memory", SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    TAKEUP_TRY("mlock", SYS_mlock, &mask, 8);
    TAKEUP_TRY("shmget", SYS_shmget, 0, 4096, 0600 | 01000);
    TAKEUP_TRY("semget", SYS_semget, 0, 1, 0600 | 01000);
    TAKEUP_TRY("msgget", SYS_msgget, 0, 0600 | 01000);
    TAKEUP_TRY("pipe", SYS_pipe2, &told, 0);
    TAKEUP_TRY("io_uring", 425, 1, &thread);
    TAKEUP_TRY("kill", SYS_kill, parent, 0);
    TAKEUP_TRY("kill all", SYS_kill, -1, 0);
    TAKEUP_TRY("kill group", SYS_kill, 0, 0);
    TAKEUP_TRY("tkill", SYS_tkill, parent, 0);
    TAKEUP_TRY("tgkill", SYS_tgkill, parent, parent, 0);
    TAKEUP_TRY("sigqueue", SYS_rt_sigqueueinfo, parent, 0, &info);
    TAKEUP_TRY("pidfd", SYS_pidfd_open, parent, 0);
    TAKEUP_TRY("ptrace", SYS_ptrace, 16, parent);
    TAKEUP_TRY("robust list", SYS_get_robust_list, parent, &told, &mask);
    TAKEUP_TRY("affinity", SYS_sched_setaffinity, parent, sizeof mask, &mask);
    TAKEUP_TRY("priority", SYS_setpriority, PRIO_PROCESS, parent, 0);
    TAKEUP_TRY("priority of the user", SYS_setpriority, PRIO_USER, 0, 0);
    TAKEUP_TRY("scheduler", SYS_sched_setscheduler, 0, 3 /* SCHED_BATCH */, &(int){0});
    TAKEUP_TRY("ioprio", SYS_ioprio_set, 1, 0, 2 << 13 | 4);
    TAKEUP_TRY("setpgid", SYS_setpgid, 0, 0);
    TAKEUP_TRY("setuid", SYS_setresuid, -1, -1, -1);
    TAKEUP_TRY("unshare", SYS_unshare, 0x00000200 /* CLONE_FS */);
    TAKEUP_TRY("timer", SYS_timer_create, 1, NULL, &told);
    TAKEUP_TRY("personality", SYS_personality, 0xFFFFFFFF);
    TAKEUP_TRY("inotify", SYS_inotify_init1, 0);
    TAKEUP_TRY("execve", SYS_execve, "/bin/true", NULL, NULL);
    // What would make a process is refused for that, before the kernel finds it wrong.
    TAKEUP_TRY_EXACTLY("process", SYS_clone, 0x00000800 /* CLONE_SIGHAND alone is wrong */);
    TAKEUP_TRY_EXACTLY("namespace", SYS_clone, 0x00030000 /* CLONE_THREAD alone is wrong */);
    if (TAKEUP_CALL(435, &thread, sizeof thread) != -ENOSYS) takeup_note(trial, "clone3", 0);
}

static inline void takeup_try_network(struct takeup_trial trial) {
    const struct { unsigned short family; char path[14]; } address = {1, "/dev/log"};
    int ends[2], size = 1 << 16;
    TAKEUP_TRY("socket", SYS_socket, 2, 1, 0);
    TAKEUP_TRY("local socket", SYS_socket, 1, 2, 0);
    TAKEUP_TRY("netlink", SYS_socket, 16, 3, 0);
    TAKEUP_TRY("socketpair", SYS_socketpair, 1, 1, 0, ends);
    TAKEUP_TRY("connect", SYS_connect, 3, &address, sizeof address);
    TAKEUP_TRY("bind", SYS_bind, 3, &address, 2);
    TAKEUP_TRY("setsockopt", SYS_setsockopt, 3, 1, 7 /* SO_SNDBUF */, &size, sizeof size);
}

/// Tries all of it, and then every number that the filter does not know.
///
/// \param path A file outside of the folder that was left.
/// \param file It or another one, open for reading and writing.
/// \param names Is filled with what was possible, and what each returned; nothing should be.
static inline void takeup_try_escapes(const char *path, int file, int parent, char *names, size_t room) {
    const struct takeup_trial trial = {names, room};
    const int uretprobe = 335, uprobe = 336;  // of x86_64: the kernel lets these pass, and ends who makes them
    names[0] = 0;
    takeup_try_reading(trial, parent);
    takeup_try_changing(trial, path, file);
    takeup_try_processes(trial, parent);
    takeup_try_network(trial);
    for (int number = 0; number < 600; number++) {
        char name[32];
        if (takeup_knows_call(number, 1) || number == uretprobe || number == uprobe) continue;
        (void)snprintf(name, sizeof name, "call %d", number);
        const long result = takeup_call(number, -1, -1, -1, -1, -1, -1);
        if (result != -EPERM && result != -ENOSYS) takeup_note(trial, name, result);
    }
}
