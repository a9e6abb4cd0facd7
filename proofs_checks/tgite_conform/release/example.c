/* TG-ITE's identification algorithms in C.
 *
 * Conventions: consecutive pairs, the last arm gets the bye and stands last, byes are the last
 * leaves. A level is held as log(1/level). */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tgite.h"

const char *const tgite_algorithms[] = {
    "duel_test", "budgeted_duel_test", "bkt", "bkt_g", "tree_ascent", "tree_ascent_g",
    "tree_ascent_power_of_two", "tree_ascent_power_of_two_g", "tg_ite_bai", "tg_ite_bai_g", NULL};
const char *const tgite_conventions[] = {
    "pairing=consecutive", "bye=last", "bye_place=last", "arguments=earlier-first", "byes=last",
    NULL};

enum { MOST_ARMS = 2048 };

static int64_t first_arm; /* arms are counted from 0 in here */
static bool budgeted;
static double gap;

/* Absent numbers are far out of every range. */
static int64_t integer(const char *name) {
    const char *at = tgite_parameter(name);
    return at == NULL ? -1000000 : strtoll(at, NULL, 10);
}

/* Read digits as a logarithm; return where they end, or NULL if there are none. */
static const char *log_of_digits(const char *at, double *logarithm) {
    char *end;
    if (*at < '0' || *at > '9') return NULL;
    *logarithm = (double)logl(strtold(at, &end));
    return end;
}

/* The sign of below - times * above, exactly, in a fraction such as "1/10": doubles do not tell. */
static int sign_of_rest(const char *fraction, int times) {
    size_t above = strspn(fraction, "0123456789"), below = 1;
    const char *digits = "1";
    if (fraction[above] == '/')
        digits = fraction + above + 1, below = strspn(digits, "0123456789");
    int rest = 0; /* of the digits so far; beyond 2 times its sign stays */
    for (size_t left = above > below ? above : below; left > 0; left--) {
        rest *= 10;
        if (left <= below) rest += digits[below - left] - '0';
        if (left <= above) rest -= times * (fraction[above - left] - '0');
        rest = rest > 100 ? 100 : rest < -100 ? -100 : rest;
    }
    return rest;
}

static double log_of_factor(void) {
    double pi = acos(-1);
    return log(pi * pi / 6);
}

/* Whether a fraction of numbers below 2^64 is below pi^2/6, by their continued fractions. */
static bool is_below_inverse_factor(const char *fraction) {
    static const unsigned long long terms[] = {1, 1, 1, 1, 4,  2, 4, 7, 1, 4, 2, 3, 4, 10, 1, 2,
                                               1, 1, 1, 15, 1, 3, 6, 1, 1, 2, 1, 1, 1, 2,  2, 3,
                                               1, 3, 1, 1,  5, 1, 2, 2, 1, 1, 6, 27, 20, 3};
    char *end;
    unsigned long long above = strtoull(fraction, &end, 10), below = 1;
    if (*end == '/') below = strtoull(end + 1, &end, 10);
    for (size_t k = 0; k < sizeof terms / sizeof *terms; k++) {
        bool is_lower = below > 0 && above / below < terms[k];
        if (below == 0 || above / below != terms[k]) return is_lower == (k % 2 == 0);
        unsigned long long rest = above % below;
        above = below;
        below = rest;
    }
    return false;
}

/* Read log(1/level) from a level such as "1/10" or "2^-64 * 6/pi^2"; return false if it is none. */
static bool log_inverse(const char *name, bool factor_allowed, double *value) {
    const char *at = tgite_parameter(name);
    double above, below = 0;
    if (at == NULL || *at++ != '"') return false;
    const char *fraction = at;
    if (strncmp(at, "2^-", 3) == 0) {
        char *end;
        *value = (double)strtol(at + 3, &end, 10) * log(2.0);
        at = end;
    } else {
        at = log_of_digits(at, &above);
        if (at != NULL && *at == '/') at = log_of_digits(at + 1, &below);
        if (at == NULL) return false;
        *value = below - above;
    }
    bool is_below_one = fraction[1] == '^' ? *value > 0 : sign_of_rest(fraction, 1) > 0;
    if (factor_allowed && strncmp(at, " * 6/pi^2", 9) == 0) {
        at += 9;
        *value += log_of_factor();
        /* Next to 1 doubles do not tell. */
        is_below_one = fabs(*value) > 1e-9 ? *value > 0 : is_below_inverse_factor(fraction);
    }
    return *at == '"' && isfinite(*value) && is_below_one;
}

static bool read_gap(void) {
    const char *at = tgite_parameter("g");
    char *end;
    if (at == NULL || *at++ != '"' || *at < '0' || *at > '9') return false;
    if (strncmp(at, "2^-", 3) == 0) {
        long power = strtol(at + 3, &end, 10);
        gap = ldexp(1, power < 5000 ? -(int)power : -5000);
        return *end == '"' && power > 0;
    }
    const char *fraction = at;
    long double above = strtold(at, &end), below = 1;
    if (*end == '/') below = strtold(end + 1, &end);
    gap = (double)(above / below); /* 0 below the least double: the budget is infinite */
    return *end == '"' && above > 0 && sign_of_rest(fraction, 2) >= 0;
}

/* DuelTest, or BudgetedDuelTest where the gap is known. */
static int64_t test(int64_t u, int64_t v, double level) {
    double most = ceil((log(4.0) + level) / (2 * gap * gap));
    long budget = budgeted ? (long)fmin(most, 1e18) : 0, S = 0, look = 1;
    for (long n = 1;; n++) {
        S += tgite_duel(u + first_arm, v + first_arm);
        if (n < look && n != budget) continue;
        double mean = (double)S / n, radius;
        if (budgeted)
            radius = sqrt((log(8.0 * n * n) + level) / (2.0 * n)) - gap;
        else
            radius = sqrt((log(2.0 * n * (n + 1)) + level) / (2.0 * n));
        if (fabs(mean - 0.5) > radius || n == budget) {
            int64_t winner = mean >= 0.5 ? u : v;
            tgite_won(winner + first_arm);
            return winner;
        }
        /* With each duel the lead |2S - n| comes nearer to 2n radius by 1 + 2 gap at most. */
        look = n + (long)fmax(1, 2 * n * (radius - fabs(mean - 0.5)) / (1 + 2 * gap));
    }
}

static int64_t knockout(int64_t *arms, int count, double level) {
    for (int r = 1; count > 1; r++) {
        double at = level + log_of_factor() + 2 * log(r);
        int left = 0;
        for (int i = 0; i + 1 < count; i += 2) arms[left++] = test(arms[i], arms[i + 1], at);
        if (count % 2) arms[left++] = arms[count - 1];
        count = left;
    }
    return arms[0];
}

static int64_t ascent(int N, int start, double level) {
    int M = 1, L = 0;
    int64_t champion = start;
    while (M < N) M *= 2, L++;
    for (int h = 1; h <= L; h++) {
        int size = 1 << (h - 1), first = ((start >> (h - 1)) ^ 1) * size;
        int64_t block[MOST_ARMS];
        int count = 0;
        for (int arm = first; arm < first + size && arm < N; arm++) block[count++] = arm;
        if (count == 0) continue;
        int64_t representative = knockout(block, count, level + log(2.0) + log(M - 1) - log(size));
        champion = test(champion, representative, level + log(2.0 * L));
    }
    return champion;
}

int64_t tgite_play(const char *algorithm) {
    size_t length = strlen(algorithm);
    double level;
    first_arm = integer("first_arm");
    budgeted = strcmp(algorithm, "budgeted_duel_test") == 0 ||
               strcmp(algorithm + length - 2, "_g") == 0;
    gap = 0;
    if (budgeted && !read_gap()) return TGITE_REFUSED;
    if (strstr(algorithm, "duel_test") != NULL) {
        int64_t u = integer("u") - first_arm, v = integer("v") - first_arm;
        if (u < 0 || v < 0 || u == v || !log_inverse("delta", true, &level)) return TGITE_REFUSED;
        return test(u, v, level) + first_arm;
    }
    if (strncmp(algorithm, "bkt", 3) == 0) {
        const char *at = tgite_parameter("S") + 1;
        int64_t arms[MOST_ARMS];
        int count = 0;
        while (*at != ']' && count < MOST_ARMS) {
            char *end;
            arms[count] = strtoll(at, &end, 10) - first_arm;
            for (int i = 0; i < count; i++)
                if (arms[i] == arms[count]) return TGITE_REFUSED;
            if (arms[count++] < 0) return TGITE_REFUSED;
            at = *end == ',' ? end + 1 : end;
            while (*at == ' ') at++;
        }
        if (count == 0 || !log_inverse("delta", false, &level)) return TGITE_REFUSED;
        return knockout(arms, count, level) + first_arm;
    }
    bool bai = strncmp(algorithm, "tg_ite_bai", 10) == 0;
    int64_t N = integer("N"), b = integer(bai ? "b_0" : "b") - first_arm;
    if (N > MOST_ARMS) return TGITE_SKIPPED;
    if (N < 2 || b < 0 || b >= N) return TGITE_REFUSED;
    if (strstr(algorithm, "power_of_two") != NULL && (N & (N - 1)) != 0) return TGITE_REFUSED;
    if (!log_inverse(bai ? "delta" : "epsilon", false, &level)) return TGITE_REFUSED;
    return ascent((int)N, (int)b, level) + first_arm;
}
