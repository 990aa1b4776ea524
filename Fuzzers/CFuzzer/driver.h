#ifndef TAKEUP_FUZZER_DRIVER_H
#define TAKEUP_FUZZER_DRIVER_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer's entry for programs that have a `main` of their own; LLVM names it in its manual only. */
int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

#endif
