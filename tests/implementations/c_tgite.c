/* TG-ITE's identification algorithms in C, as a program for `tgite conform --program`.
 *
 * It speaks JSON lines in both modes: a message a duel, or a whole tape in one message. It finds a
 * message's fields by their names, which is enough for what the kit sends.
 *
 * Conventions: consecutive pairs, the last arm gets the bye and stands last, byes are the last
 * leaves. Built with -DMISTAKE=n it makes a mistake (see below).
 */

#include <math.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef MISTAKE
#define MISTAKE 0
#endif
enum { RIGHT, NO_UNION_BOUND, TIE_TO_SECOND, NEXT_RADIUS, SWAPPED_MERGE, FORGETS_ROUND };

enum { MOST_ARMS = 2048, MOST_MATCHES = 2048 };

static char *line = NULL;
static size_t line_size = 0;
static jmp_buf call_off; /* 1: the kit stops the run; 2: the tape is used up; 3: the horizon */

static bool batch;
static int first_arm;
static bool budgeted;
static double gap;

/* The tape of a batch, as it stands in the message. */
static const char *tape;
static int wanted[2];
static long horizon, rounds; /* of a batch; a horizon of 0 is none */

static struct { int u, v, winner; long length; } played[MOST_MATCHES];
static int number_played;

static int finished(int u, int v, long n, int winner) {
    if (number_played < MOST_MATCHES) {
        played[number_played].u = u;
        played[number_played].v = v;
        played[number_played].length = n;
        played[number_played++].winner = winner;
    }
    return winner;
}

/* How many matches of a pair were played: which one of its tape is next. */
static int matches_of_pair(int u, int v) {
    int number = 0;
    for (int i = 0; i < number_played; i++)
        number += (played[i].u == u && played[i].v == v) || (played[i].u == v && played[i].v == u);
    return number;
}

static bool read_line(void) {
    return getline(&line, &line_size, stdin) > 0;
}

/* Return where the value of a field begins, or NULL. */
static const char *field(const char *name) {
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(line, key);
    if (at == NULL) return NULL;
    at += strlen(key);
    while (*at == ' ') at++;
    return at;
}

static bool is_type(const char *name) {
    const char *at = field("type");
    return at != NULL && strncmp(at + 1, name, strlen(name)) == 0 && at[1 + strlen(name)] == '"';
}

/* Absent numbers are far out of every range. */
static long integer(const char *name) {
    const char *at = field(name);
    return at == NULL ? -1000000 : strtol(at, NULL, 10);
}

/* Read digits as a logarithm; return where they end, or NULL if there are none. */
static const char *log_of_digits(const char *at, double *logarithm) {
    char *end;
    if (*at < '0' || *at > '9') return NULL;
    *logarithm = (double)logl(strtold(at, &end));
    return end;
}

/* Read log(1/level) from a level such as "1/10" or "2^-64 * 6/pi^2"; return false if it is none. */
static bool log_inverse(const char *name, bool factor_allowed, double *value) {
    const char *at = field(name);
    double above, below = 0;
    if (at == NULL || *at++ != '"') return false;
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
    if (factor_allowed && strncmp(at, " * 6/pi^2", 9) == 0) {
        at += 9;
        *value += log(M_PI * M_PI / 6);
    }
    return *at == '"' && isfinite(*value) && *value > 0;
}

static bool read_gap(void) {
    const char *at = field("g");
    char *end;
    if (at == NULL || *at++ != '"' || *at < '0' || *at > '9') return false;
    double above = strtod(at, &end), below = 1;
    if (*end == '/') below = strtod(end + 1, &end);
    gap = above / below;
    return *end == '"' && gap > 0 && gap <= 0.5;
}

/* The outcome of the k-th duel of the match that is being played: does u win? */
static bool outcome(int u, int v, long k) {
    int low = u < v ? u : v, high = u < v ? v : u;
    if (!batch) {
        printf("{\"type\":\"duel\",\"arms\":[%d,%d]}\n", u + first_arm, v + first_arm);
        fflush(stdout);
        if (!read_line() || is_type("bye")) exit(0);
        if (is_type("stop")) longjmp(call_off, 1);
        return strncmp(field("first_wins"), "true", 4) == 0;
    }
    /* [low,high,"<match 1>","<match 2>",...] */
    char key[32];
    snprintf(key, sizeof key, "[%d,%d,\"", low + first_arm, high + first_arm);
    static const char *digits = NULL;
    static long length = 0;
    if (k == 0) {
        const char *at = strstr(tape, key);
        int number = matches_of_pair(u, v);
        digits = at == NULL ? NULL : at + strlen(key);
        for (int i = 0; digits != NULL && i < number; i++) {
            digits = strchr(digits, '"') + 1;
            digits = *digits == ',' ? digits + 2 : NULL;
        }
        length = digits == NULL ? 0 : 4 * (strchr(digits, '"') - digits);
    }
    if (horizon > 0 && rounds == horizon) {
        if (k > 0) finished(u, v, k, -1);
        longjmp(call_off, 3);
    }
    rounds++;
    if (k >= length) {
        wanted[0] = u;
        wanted[1] = v;
        longjmp(call_off, 2);
    }
    char digit = digits[k / 4];
    int value = digit <= '9' ? digit - '0' : digit - 'a' + 10;
    bool low_wins = value >> (3 - k % 4) & 1;
    return low_wins == (u == low);
}

/* DuelTest, or BudgetedDuelTest where the gap is known. */
static int test(int u, int v, double level) {
    long budget = budgeted ? (long)ceil((log(4.0) + level) / (2 * gap * gap)) : 0, S = 0;
    for (long n = 1;; n++) {
        S += outcome(u, v, n - 1);
        double mean = (double)S / n, radius;
        if (budgeted)
            radius = sqrt((log(8.0 * n * n) + level) / (2.0 * n)) - gap;
        else if (MISTAKE == NO_UNION_BOUND)
            radius = sqrt((log(2.0) + level) / (2.0 * n));
        else if (MISTAKE == NEXT_RADIUS)
            radius = sqrt((log(2.0 * (n + 1) * (n + 2)) + level) / (2.0 * (n + 1)));
        else
            radius = sqrt((log(2.0 * n * (n + 1)) + level) / (2.0 * n));
        if (fabs(mean - 0.5) > radius || n == budget) {
            bool first = MISTAKE == TIE_TO_SECOND ? mean > 0.5 : mean >= 0.5;
            return finished(u, v, n, first ? u : v);
        }
    }
}

static int knockout(int *arms, int count, double level) {
    for (int r = 1; count > 1; r++) {
        double at = level + log(M_PI * M_PI / 6) + (MISTAKE == FORGETS_ROUND ? 0 : 2 * log(r));
        int left = 0;
        for (int i = 0; i + 1 < count; i += 2) arms[left++] = test(arms[i], arms[i + 1], at);
        if (count % 2) arms[left++] = arms[count - 1];
        count = left;
    }
    return arms[0];
}

static int ascent(int N, int start, double level) {
    int M = 1, L = 0, champion = start;
    while (M < N) M *= 2, L++;
    for (int h = 1; h <= L; h++) {
        int size = 1 << (h - 1), first = ((start >> (h - 1)) ^ 1) * size, block[MOST_ARMS], count = 0;
        for (int arm = first; arm < first + size && arm < N; arm++) block[count++] = arm;
        if (count == 0) continue;
        int representative = knockout(block, count, level + log(2.0) + log(M - 1) - log(size));
        double eta = level + log(2.0 * L);
        champion = MISTAKE == SWAPPED_MERGE ? test(representative, champion, eta)
                                            : test(champion, representative, eta);
    }
    return champion;
}

/* Play the case of the message at hand; return false if its input must be refused. */
static bool play_case(int *result) {
    char algorithm[64] = "";
    sscanf(field("algorithm"), "\"%63[a-z_]\"", algorithm);
    size_t length = strlen(algorithm);
    budgeted = strcmp(algorithm, "budgeted_duel_test") == 0 ||
               (length > 2 && strcmp(algorithm + length - 2, "_g") == 0);
    double level;
    if (budgeted && !read_gap()) return false;
    if (strstr(algorithm, "duel_test") != NULL) {
        int u = (int)integer("u") - first_arm, v = (int)integer("v") - first_arm;
        if (u < 0 || v < 0 || u == v || !log_inverse("delta", true, &level)) return false;
        *result = test(u, v, level);
        return true;
    }
    if (strncmp(algorithm, "bkt", 3) == 0) {
        const char *at = field("S") + 1;
        int arms[MOST_ARMS], count = 0;
        while (*at != ']' && count < MOST_ARMS) {
            char *end;
            arms[count] = (int)strtol(at, &end, 10) - first_arm;
            for (int i = 0; i < count; i++)
                if (arms[i] == arms[count]) return false;
            if (arms[count++] < 0) return false;
            at = *end == ',' ? end + 1 : end;
            while (*at == ' ') at++;
        }
        if (count == 0 || !log_inverse("delta", false, &level)) return false;
        *result = knockout(arms, count, level);
        return true;
    }
    bool bai = strncmp(algorithm, "tg_ite_bai", 10) == 0;
    int N = (int)integer("N"), b = (int)integer(bai ? "b_0" : "b") - first_arm;
    if (N < 2 || N > MOST_ARMS || b < 0 || b >= N) return false;
    if (strstr(algorithm, "power_of_two") != NULL && (N & (N - 1)) != 0) return false;
    if (!log_inverse(bai ? "delta" : "epsilon", false, &level)) return false;
    *result = ascent(N, b, level);
    return true;
}

static void say_played(int called_off, int result) {
    printf("{\"type\":\"played\",\"matches\":[");
    for (int i = 0; i < number_played; i++) {
        printf("%s[%d,%d,%ld,", i ? "," : "", played[i].u + first_arm, played[i].v + first_arm,
               played[i].length);
        if (played[i].winner < 0)
            printf("null]");
        else
            printf("%d]", played[i].winner + first_arm);
    }
    if (called_off == 0)
        printf("],\"result\":%d}\n", result + first_arm);
    else if (called_off == 3)
        printf("],\"result\":null}\n");
    else
        printf("],\"result\":null,\"wanted\":[%d,%d]}\n", wanted[0] + first_arm,
               wanted[1] + first_arm);
}

int main(void) {
    static char *copy = NULL; /* static: setjmp returns into this function */
    while (read_line()) {
        if (is_type("hello")) {
            printf("{\"type\":\"hello\",\"protocol\":1,\"name\":\"c_tgite\","
                   "\"modes\":[\"duel\",\"batch\"],"
                   "\"algorithms\":[\"duel_test\",\"budgeted_duel_test\",\"bkt\",\"bkt_g\","
                   "\"tree_ascent\",\"tree_ascent_g\",\"tree_ascent_power_of_two\","
                   "\"tree_ascent_power_of_two_g\",\"tg_ite_bai\",\"tg_ite_bai_g\"],"
                   "\"conventions\":{\"pairing\":[\"consecutive\"],\"bye\":[\"last\"],"
                   "\"bye_place\":[\"last\"],\"arguments\":[\"earlier-first\"],"
                   "\"byes\":[\"last\"]}}\n");
        } else if (is_type("bye")) {
            break;
        } else if (is_type("start") || is_type("play")) {
            batch = is_type("play");
            first_arm = (int)integer("first_arm");
            number_played = 0;
            rounds = 0;
            horizon = batch && field("horizon") != NULL ? strtol(field("horizon"), NULL, 10) : 0;
            free(copy);
            copy = strdup(line);
            tape = strstr(copy, "\"tape\":");
            int result = 0, called_off = setjmp(call_off);
            if (called_off == 1) continue;
            if (called_off > 1)
                say_played(called_off, 0);
            else if (!play_case(&result))
                printf("{\"type\":\"refusal\",\"message\":\"bad input\"}\n");
            else if (batch)
                say_played(0, result);
            else
                printf("{\"type\":\"result\",\"arm\":%d}\n", result + first_arm);
        }
        fflush(stdout);
    }
    free(copy);
    free(line);
    return 0;
}
