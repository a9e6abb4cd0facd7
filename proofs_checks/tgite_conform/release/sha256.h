/* SHA-256, of as much of it as the identifiers of cases show. */
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Return the first 40 bits of the digest of n bytes; 72 more are overwritten. The constants are
 * bits of the square and cube roots of the first primes. */
static uint64_t sha256_start(unsigned char *text, size_t n) {
    uint32_t h[8], k[64], w[64], s[8];
    size_t size = (n + 8) / 64 * 64 + 64;
    memset(text + n, 0, 72);
    text[n] = 0x80;
    for (int i = 0; i < 8; i++) text[size - 1 - i] = (unsigned char)((uint64_t)n * 8 >> 8 * i);
    for (int p = 2, i = 0, d; i < 64; p++) {
        for (d = 2; p % d != 0;) d++;
        if (d < p) continue;
        if (i < 8) h[i] = (uint32_t)ldexp(fmod(sqrt(p), 1), 32);
        k[i++] = (uint32_t)ldexp(fmod(cbrt(p), 1), 32);
    }
#define TURNED(x, by) ((x) >> (by) | (x) << (32 - (by)))
    for (unsigned char *at = text; at < text + size; at += 64) {
        memcpy(s, h, sizeof s);
        for (int i = 0; i < 64; i++) {
            const unsigned char *b = at + 4 * i;
            if (i < 16)
                w[i] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
            else {
                uint32_t x = w[i - 15], y = w[i - 2];
                w[i] = w[i - 16] + (TURNED(x, 7) ^ TURNED(x, 18) ^ x >> 3) + w[i - 7] +
                       (TURNED(y, 17) ^ TURNED(y, 19) ^ y >> 10);
            }
            uint32_t a = s[0], e = s[4];
            uint32_t t = s[7] + (TURNED(e, 6) ^ TURNED(e, 11) ^ TURNED(e, 25)) +
                         ((e & s[5]) ^ (~e & s[6])) + k[i] + w[i];
            memmove(s + 1, s, 7 * sizeof *s);
            s[4] += t;
            s[0] = t + (TURNED(a, 2) ^ TURNED(a, 13) ^ TURNED(a, 22)) +
                   ((a & s[2]) ^ (a & s[3]) ^ (s[2] & s[3]));
        }
        for (int i = 0; i < 8; i++) h[i] += s[i];
    }
    return (uint64_t)h[0] << 8 | h[1] >> 24;
}
