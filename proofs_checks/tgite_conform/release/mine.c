// DuelTest in C, complete: a start for an implementation of yours. Unpack what `tgite vectors pack` packs, then
//     cc -std=c99 -O2 check.c mine.c -lm -o check && ./check v*/duel_test.json
// To go on, add names to tgite_algorithms and branches to tgite_play; example.c has more of them.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tgite.h"

const char *const tgite_algorithms[] = {"duel_test", NULL};
const char *const tgite_conventions[] = {NULL};

/* Read a whole number of any length: its logarithm, and whether it is smaller than another. */
static long double log_of(const char *digits) { return logl(strtold(digits, NULL)); }

static bool smaller(const char *a, const char *b) {
    size_t n = strspn(a, "0123456789"), m = strspn(b, "0123456789");
    return n != m ? n < m : strncmp(a, b, n) < 0;
}

/* Whether above/below < pi^2/6, by the terms of their continued fractions, where doubles do not tell. */
static bool below_pi_squared_by_6(unsigned long long above, unsigned long long below) {
    static const unsigned terms[] = {1, 1, 1, 1, 4, 2, 4, 7, 1, 4, 2, 3, 4, 10, 1, 2, 1, 1, 1, 15, 1, 3, 6,
                                     1, 1, 2, 1, 1, 1, 2, 2, 3, 1, 3, 1, 1, 5, 1, 2, 2, 1, 1, 6, 27, 20, 3};
    for (int k = 0; k < (int)(sizeof terms / sizeof *terms); k++) {
        if (below == 0 || above / below != terms[k])
            return (below > 0 && above / below < terms[k]) == (k % 2 == 0);
        unsigned long long rest = above % below;
        above = below, below = rest;
    }
    return false;
}

/* Read log(1/level) of "1/10", "2^-1024" or "1/40 * 6/pi^2"; return NAN if it is not in (0, 1). */
static double log_inverse(const char *text) {
    bool basel = strcspn(text, "*") < strcspn(text + 1, "\"");
    double factor = basel ? 2 * log(acos(-1)) - log(6) : 0;
    if (strncmp(text, "\"2^-", 4) == 0) {
        double power = strtol(text + 4, NULL, 10) * log(2) + factor;
        return power > 0 ? power : NAN;
    }
    const char *above = text + 1, *below = above + strspn(above, "0123456789");
    if (below == above || *below++ != '/' || *below == '0' || *above == '0') return NAN;
    double value = log_of(below) - log_of(above) + factor;
    bool is_level = fabs(value) > 1e-9 ? value > 0 : !basel ? smaller(above, below)
        : below_pi_squared_by_6(strtoull(above, NULL, 10), strtoull(below, NULL, 10));
    return is_level ? value : NAN;
}

int64_t tgite_play(const char *algorithm) {
    (void)algorithm; /* there is only one */
    int64_t u = strtoll(tgite_parameter("u"), NULL, 10), v = strtoll(tgite_parameter("v"), NULL, 10);
    int64_t first_arm = strtoll(tgite_parameter("first_arm"), NULL, 10), wins = 0;
    double level = log_inverse(tgite_parameter("delta"));
    if (u == v || u < first_arm || v < first_arm || isnan(level)) return TGITE_REFUSED;
    for (int64_t n = 1;; n++) {
        wins += tgite_duel(u, v);
        double radius = sqrt((log(2.0 * n * (n + 1)) + level) / (2.0 * n));
        if (fabs((double)wins / n - 0.5) <= radius) continue;
        int64_t winner = 2 * wins > n ? u : v;
        tgite_won(winner);
        return winner;
    }
}
