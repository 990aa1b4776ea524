#pragma once

// What the C library declares belongs to Swift's own module of it, and not to the module that is met first.
#pragma clang module import SwiftGlibc

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <string.h>

// The older calls: unlike EVP's they load no providers, which cost two megabytes and some milliseconds. A process that
// only hashes names does without.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static inline void takeup_sha256(const void *bytes, size_t count, unsigned char digest[32]) {
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, bytes, count);
    SHA256_Final(digest, &context);
}

// HMAC-SHA-256 (RFC 2104) whose key is hashed once: a message costs two hashes of what is left.
struct takeup_hmac {
    SHA256_CTX inner, outer;
};

static inline void takeup_hmac_prepare(struct takeup_hmac *hmac, const void *key, size_t count) {
    unsigned char block[SHA256_CBLOCK] = {0};
    if (count > sizeof block) {
        takeup_sha256(key, count, block);
    } else if (count > 0) {
        memcpy(block, key, count);
    }
    for (size_t i = 0; i < sizeof block; i++) block[i] ^= 0x36;
    SHA256_Init(&hmac->inner);
    SHA256_Update(&hmac->inner, block, sizeof block);
    for (size_t i = 0; i < sizeof block; i++) block[i] ^= 0x36 ^ 0x5C;
    SHA256_Init(&hmac->outer);
    SHA256_Update(&hmac->outer, block, sizeof block);
}

static inline void takeup_hmac_code(const struct takeup_hmac *hmac, const void *bytes, size_t count,
                                    unsigned char code[32]) {
    SHA256_CTX inner = hmac->inner, outer = hmac->outer;
    SHA256_Update(&inner, bytes, count);
    SHA256_Final(code, &inner);
    SHA256_Update(&outer, code, 32);
    SHA256_Final(code, &outer);
}
#pragma GCC diagnostic pop
