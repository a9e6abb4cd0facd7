/* An implementation in C that has tgite.h's interface, as a program for `tgite conform --program`.
 *
 * It speaks JSON lines in both modes: a message a duel, or a whole tape in one message. It finds a
 * message's fields by their names, which is enough for what the kit sends.
 */

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tgite.h"

enum { MOST_MATCHES = 2048 };

static char *line = NULL;
static size_t line_size = 0;
static jmp_buf call_off;
enum { STOPPED = 1, TAPE_USED_UP, CUT };

static bool batch;
static const char *message; /* the case: a copy of its line */

/* The tape of a batch, as it stands in the message, and the match that is being played. */
static const char *tape, *digits;
static long length, n;
static int64_t wanted[2];
static long horizon, rounds; /* a horizon of 0 is none */

static struct { int64_t u, v, winner; long length; } played[MOST_MATCHES];
static int number_played;

static bool read_line(void) {
    return getline(&line, &line_size, stdin) > 0;
}

/* Return where the value of a field of a message begins, or NULL. */
static const char *field(const char *in, const char *name) {
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(in, key);
    if (at == NULL) return NULL;
    at += strlen(key);
    while (*at == ' ') at++;
    return at;
}

static bool is_type(const char *name) {
    const char *at = field(line, "type");
    return at != NULL && strncmp(at + 1, name, strlen(name)) == 0 && at[1 + strlen(name)] == '"';
}

const char *tgite_parameter(const char *name) {
    return field(message, name);
}

static void finished(int64_t u, int64_t v, int64_t winner) {
    if (number_played < MOST_MATCHES) {
        played[number_played].u = u;
        played[number_played].v = v;
        played[number_played].length = n;
        played[number_played++].winner = winner;
    }
    n = 0;
}

void tgite_won(int64_t winner) {
    finished(wanted[0], wanted[1], winner);
}

/* How many matches of a pair were played: which one of its tape is next. */
static int matches_of_pair(int64_t u, int64_t v) {
    int number = 0;
    for (int i = 0; i < number_played; i++)
        number += (played[i].u == u && played[i].v == v) || (played[i].u == v && played[i].v == u);
    return number;
}

/* Find a match's part of the tape: [low,high,"<match 1>","<match 2>",...] */
static void find_digits(int64_t low, int64_t high) {
    char key[64];
    snprintf(key, sizeof key, "[%lld,%lld,\"", (long long)low, (long long)high);
    const char *at = strstr(tape, key);
    int number = matches_of_pair(low, high);
    digits = at == NULL ? NULL : at + strlen(key);
    for (int i = 0; digits != NULL && i < number; i++) {
        digits = strchr(digits, '"') + 1;
        digits = *digits == ',' ? digits + 2 : NULL;
    }
    length = digits == NULL ? 0 : 4 * (strchr(digits, '"') - digits);
}

bool tgite_duel(int64_t u, int64_t v) {
    if (!batch) {
        printf("{\"type\":\"duel\",\"arms\":[%lld,%lld]}\n", (long long)u, (long long)v);
        fflush(stdout);
        if (!read_line() || is_type("bye")) exit(0);
        if (is_type("stop")) longjmp(call_off, STOPPED);
        return strncmp(field(line, "first_wins"), "true", 4) == 0;
    }
    if (n == 0) {
        wanted[0] = u;
        wanted[1] = v;
        find_digits(u < v ? u : v, u < v ? v : u);
    }
    if (horizon > 0 && rounds == horizon) {
        if (n > 0) finished(u, v, -1);
        longjmp(call_off, CUT);
    }
    rounds++;
    if (n >= length) longjmp(call_off, TAPE_USED_UP);
    char digit = digits[n / 4];
    int value = digit <= '9' ? digit - '0' : digit - 'a' + 10;
    bool low_wins = value >> (3 - n++ % 4) & 1;
    return low_wins == (u < v);
}

static void say_hello(void) {
    printf("{\"type\":\"hello\",\"protocol\":1,\"name\":\"c_tgite\",\"modes\":[\"duel\",\"batch\"],"
           "\"algorithms\":[");
    for (int i = 0; tgite_algorithms[i] != NULL; i++)
        printf("%s\"%s\"", i ? "," : "", tgite_algorithms[i]);
    printf("],\"conventions\":{");
    for (int i = 0; tgite_conventions[i] != NULL; i++) {
        const char *value = strchr(tgite_conventions[i], '=') + 1;
        int length = (int)(value - 1 - tgite_conventions[i]);
        printf("%s\"%.*s\":[\"%s\"]", i ? "," : "", length, tgite_conventions[i], value);
    }
    printf("},\"most_arms\":2048}\n");
}

static void say_played(int called_off, int64_t result) {
    printf("{\"type\":\"played\",\"matches\":[");
    for (int i = 0; i < number_played; i++) {
        printf("%s[%lld,%lld,%ld,", i ? "," : "", (long long)played[i].u, (long long)played[i].v,
               played[i].length);
        if (played[i].winner < 0)
            printf("null]");
        else
            printf("%lld]", (long long)played[i].winner);
    }
    if (called_off == 0)
        printf("],\"result\":%lld}\n", (long long)result);
    else if (called_off == CUT)
        printf("],\"result\":null}\n");
    else
        printf("],\"result\":null,\"wanted\":[%lld,%lld]}\n", (long long)wanted[0],
               (long long)wanted[1]);
}

/* Play the case of the line at hand. */
static void play_case(void) {
    static char *copy = NULL; /* static: setjmp returns into this function */
    char algorithm[64] = "";
    batch = is_type("play");
    number_played = 0;
    n = rounds = 0;
    free(copy);
    message = copy = strdup(line);
    const char *cut = batch ? field(message, "horizon") : NULL;
    horizon = cut == NULL ? 0 : strtol(cut, NULL, 10);
    tape = strstr(message, "\"tape\":");
    sscanf(field(message, "algorithm"), "\"%63[a-z_]\"", algorithm);
    int called_off = setjmp(call_off);
    if (called_off == STOPPED) return;
    int64_t result = called_off ? TGITE_NO_ARM : tgite_play(algorithm);
    if (result == TGITE_REFUSED)
        printf("{\"type\":\"refusal\",\"message\":\"bad input\"}\n");
    else if (batch)
        say_played(called_off, result);
    else
        printf("{\"type\":\"result\",\"arm\":%lld}\n", (long long)result);
}

int main(void) {
    while (read_line() && !is_type("bye")) {
        if (is_type("hello"))
            say_hello();
        else if (is_type("start") || is_type("play"))
            play_case();
        fflush(stdout);
    }
    return 0;
}
