/* Checks an implementation in C, which has the interface of tgite.h, against files of vectors.
 *
 *     cc -std=c99 -O2 check.c yours.c -lm -o check && ./check [--long] v1/bkt.json ...
 *
 * A case that differs is told in a line, with the first duel at which it does. Exit status 0: it
 * conforms; 1: it differs; 2: a file is not as it should be, no case applies, or the program was
 * ended by the implementation. Duels are compared in the reference's order. A case is skipped if
 * its algorithm or conventions are not declared, if it has self-play or is answered with a
 * certificate, if an arm needs more than 18 digits, if tgite_play skips it and, without --long, if
 * it has more than 2^25 duels. Files are read as they are
 * written, to the letter: all else is refused.
 */

#include <setjmp.h>

#include "tgite.h"
#include "vectors.h"

#define MOST_DUELS (INT64_C(1) << 25)

static int now;           /* the match that is being played, */
static int64_t n, played; /* its duels, and all */
static const char *piece, *digit;
static int64_t times; /* how often the tape's piece is still to be read */
static jmp_buf called_off;
enum { STOPPED = 1, PARTED };

/* Say where the case parts, and call it off. */
static void part(const char *form, ...) {
    va_list numbers;
    va_start(numbers, form);
    printf("%s: after %" PRId64 " duels it ", id, played);
    vprintf(form, numbers);
    printf("\n");
    va_end(numbers);
    longjmp(called_off, PARTED);
}

const char *tgite_parameter(const char *name) {
    for (const char *in = given + 1; (in = strstr(in, name)) != NULL; in++) {
        const char *after = in + strlen(name);
        if (in[-1] == '"' && strncmp(after, "\":", 2) == 0) return after + 2;
    }
    return NULL;
}

static void begin_piece(const char *start) {
    const char *end = start + strspn(start, HEXADECIMAL);
    piece = digit = start;
    times = *end == '*' ? strtoll(end + 1, NULL, 10) : 1;
}

static void begin_match(int64_t u, int64_t v) {
    int64_t low = u < v ? u : v, high = u < v ? v : u;
    int entry = 0;
    while (entry < entries && (tape[entry].low != low || tape[entry].high != high)) entry++;
    if (entry == entries) refuse("lacks a match's outcomes", "");
    tape[entry].low = -1; /* they are for one match */
    begin_piece(tape[entry].outcomes);
}

static void next_digit(void) {
    digit++;
    if (strchr(HEXADECIMAL, *digit) != NULL) return;
    if (--times > 0) {
        digit = piece;
    } else {
        digit += strcspn(digit, " \"");
        if (*digit == '"') refuse("lacks a match's outcomes", "");
        begin_piece(digit + 1);
    }
}

bool tgite_duel(int64_t u, int64_t v) {
    struct match *m = &match[now];
    bool over = now < matches && n == m->length;
    if (cut && (now == matches || (over && m->winner < 0))) longjmp(called_off, STOPPED);
    if (bad_input) part("asks for a duel, but must refuse the input");
    if (now == matches) part("asks for one of %" PRId64 " and %" PRId64 ", but must end", u, v);
    if (over) part("goes on with a match that is over");
    if (u != m->u || v != m->v)
        part("asks for one of %" PRId64 " and %" PRId64 " instead of %" PRId64 " and %" PRId64, u,
             v, m->u, m->v);
    if (n == 0)
        begin_match(u, v);
    else if (n % 4 == 0)
        next_digit();
    int bits = *digit <= '9' ? *digit - '0' : *digit - 'a' + 10;
    bool low_wins = bits >> (3 - n % 4) & 1;
    n++;
    played++;
    return low_wins == (u < v);
}

void tgite_won(int64_t winner) {
    struct match *m = &match[now];
    if (now == matches || n < m->length || m->winner < 0) part("ends a match that is not over");
    if (winner != m->winner)
        part("takes %" PRId64 " as the winner instead of %" PRId64, winner, m->winner);
    now++;
    n = 0;
}

static bool playing;

/* An implementation that calls exit(0) has not conformed. */
static void say_if_playing(void) {
    if (!playing) return;
    fprintf(stderr, "check: the program was ended within %s\n", id);
    fflush(stdout);
    _Exit(2);
}

enum { CONFORMS, DIFFERS, SKIPPED };

static int play(void) {
    now = 0;
    n = played = 0;
    int why = setjmp(called_off);
    if (why != 0) return why == STOPPED ? CONFORMS : DIFFERS;
    int64_t returned = tgite_play(algorithm);
    if (returned == TGITE_SKIPPED && played == 0) return SKIPPED;
    if (bad_input && returned == TGITE_REFUSED) return CONFORMS;
    if (bad_input) part("returns, but must refuse the input");
    if (returned == TGITE_REFUSED) part("refuses a valid input");
    /* Its own horizon may end it within the last match. */
    bool within = now == matches - 1 && match[now].winner < 0 && n == match[now].length;
    if (cut || (now < matches && !within)) part("returns, but must go on");
    if (returned != result) part("returns %" PRId64 " instead of %" PRId64, returned, result);
    return CONFORMS;
}

/* Does the implementation declare the conventions of the case? */
static bool plays_by_conventions(void) {
    const char *one, *other;
    for (int i = 0; (one = tgite_conventions[i]) != NULL; i++) {
        size_t name = strcspn(one, "=");
        char key[32];
        snprintf(key, sizeof key, "%.*s", (int)name, one);
        const char *value = tgite_parameter(key);
        if (value == NULL || one[name] == '\0') {
            fprintf(stderr, "check: tgite_conventions has %s: there is no such convention\n", one);
            exit(2);
        }
        if (*value == '"') value++;
        size_t length = strcspn(value, "\",}");
        bool named = false;
        for (int j = 0; (other = tgite_conventions[j]) != NULL; j++)
            named |= strncmp(one, other, name + 1) == 0 && strlen(other) == name + 1 + length &&
                     strncmp(other + name + 1, value, length) == 0;
        if (!named) return false;
    }
    return true;
}

static bool declared(void) {
    for (int i = 0; tgite_algorithms[i] != NULL; i++)
        if (strcmp(tgite_algorithms[i], algorithm) == 0) return plays_by_conventions();
    return false;
}

static int counts[3], all[3];
static bool plays_long;

static void check_case(void) {
    if (!duels_only || beyond || !declared() || (duels > MOST_DUELS && !plays_long)) {
        counts[SKIPPED]++;
    } else {
        playing = true;
        counts[play()]++;
        playing = false;
    }
}

int main(int count, char **words) {
    atexit(say_if_playing);
    plays_long = count > 1 && strcmp(words[1], "--long") == 0;
    for (int i = 1 + plays_long; i < count; i++) {
        file = words[i];
        read_cases(check_case);
        printf("%s: %d conform, %d differ, %d skipped\n", file, counts[CONFORMS], counts[DIFFERS],
               counts[SKIPPED]);
        for (int j = 0; j < 3; j++) all[j] += counts[j], counts[j] = 0;
    }
    if (all[CONFORMS] + all[DIFFERS] == 0) {
        fprintf(stderr, "check: none of the cases applies\n");
        return 2;
    }
    printf("all: %d conform, %d differ, %d skipped\n", all[CONFORMS], all[DIFFERS], all[SKIPPED]);
    return fflush(stdout) != 0 ? 2 : all[DIFFERS] > 0;
}
