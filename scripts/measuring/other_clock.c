// Sets the wall clock that a process sees OTHER_CLOCK seconds ahead; a library for LD_PRELOAD. Nothing else changes: not
// the clocks that nobody sets, and not the kernel's own, so that a wait until a time of the wall clock ends as far off as if
// the clock had been set meanwhile. (libfaketime 0.9.10 moves every absolute timer, those of the other clocks too.)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long ahead(void) {
    const char *seconds = getenv("OTHER_CLOCK");
    return seconds ? atol(seconds) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*own)(clockid_t, struct timespec *);
    if (!own) *(void **)&own = dlsym(RTLD_NEXT, "clock_gettime");
    const int failed = own(clock, now);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += ahead();
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec found;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &found);
    *now = (struct timeval){found.tv_sec, found.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *now) {
    struct timespec found;
    clock_gettime(CLOCK_REALTIME, &found);
    if (now) *now = found.tv_sec;
    return found.tv_sec;
}
