/* Reads files of vectors, as they are written, to the letter: all else is refused.
 *
 * A case's identifier must be that of its content (but for what is expected): it is checked.
 */
#ifndef VECTORS_H
#define VECTORS_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "sha256.h"

#define HEXADECIMAL "0123456789abcdef"

static const char *file, *at; /* a file's name, and where it is read */
static char *text;            /* what it holds */

/* The case at hand. A winner or result of -1 is none. */
static char algorithm[64], id[96];
static char *given; /* conventions and parameters */
static struct match { int64_t u, v, length, winner; } *match; /* what is expected */
static int matches;
static int64_t duels, result;
static struct { int64_t low, high; const char *outcomes; } *tape; /* an entry for each match */
static int entries;
static bool bad_input;  /* the input must be refused */
static bool cut;        /* the horizon stops the run */
static bool beyond;     /* an arm needs more than 18 digits */
static bool duels_only; /* it has no self-play, and no certificate is its result */

static void refuse(const char *why, const char *what) {
    int line = 1, shown = (int)strcspn(what, "\n#$*");
    for (const char *c = text; c < at; c++) line += *c == '\n';
    fprintf(stderr, "check: %s, line %d: %s%.*s\n", file, line, why, shown, what);
    exit(2);
}

static bool have(const char *words) {
    bool there = strncmp(at, words, strlen(words)) == 0;
    if (there) at += strlen(words);
    return there;
}

/* Read what a form says, to the letter; but # is a number, @ an arm, $ a string and * any value. */
static void need(const char *form, ...);

/* For each element of a list or an object. */
#define EACH(open, close) \
    for (bool more = (need(open), !have(close)); more; more = have(",") || (need(close), false))

static void read_digits(void) {
    size_t length = strspn(at, "0123456789");
    if (length == 0 || (*at == '0' && length > 1)) refuse("must go on with a number", "");
    at += length;
}

static void read_string(void) {
    if (*at != '"') refuse("must go on with a string", "");
    for (at++; *at != '"'; at++) {
        if (*at == '\\') at++;
        if ((unsigned char)*at < ' ') refuse("ends within a string", "");
    }
    at++;
}

static void read_value(void) {
    if (*at == '"') {
        read_string();
    } else if (*at == '[') {
        EACH("[", "]") read_value();
    } else if (*at == '{') {
        EACH("{", "}") need("$:*");
    } else if (!have("null")) {
        have("-");
        read_digits();
    }
}

static void need(const char *form, ...) {
    va_list numbers;
    va_start(numbers, form);
    for (; *form != '\0'; form++) {
        const char *start = at;
        if (*form == '$') {
            read_string();
        } else if (*form == '*') {
            read_value();
        } else if (*form == '#' || *form == '@') {
            read_digits();
            if (at - start > 18 && *form == '#') refuse("has too large a number", "");
            beyond |= at - start > 18;
            *va_arg(numbers, int64_t *) = strtoll(start, NULL, 10);
        } else if (*at == *form) {
            at++;
        } else {
            refuse("must go on with ", form);
        }
    }
    va_end(numbers);
}

static int64_t read_number_or_null(void) {
    int64_t number = -1;
    if (!have("null")) need("@", &number);
    return number;
}

/* Append a text. */
static char *append(char *to, const char *start, const char *end) {
    memcpy(to, start, end - start);
    to[end - start] = '\0';
    return to + (end - start);
}

static void read_name(char *to, size_t room) {
    const char *start = at;
    read_string();
    if ((size_t)(at - start) >= room) refuse("has too long a name", "");
    append(to, start + 1, at - 1);
}

static int by_name(const void *one, const void *other) {
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* Append an object, which was read already, sorted by name. */
static char *append_sorted(char *to, const char *object) {
    const char *start[32], *after = at;
    int count = 0;
    at = object;
    EACH("{", "}") {
        if (count == 32) refuse("has too many values", "");
        start[count++] = at;
        need("$:*");
    }
    qsort(start, count, sizeof *start, by_name);
    for (int i = 0; i < count; i++) {
        at = start[i];
        need("$:*");
        *to++ = i == 0 ? '{' : ',';
        to = append(to, start[i], at);
    }
    at = after;
    *to++ = '}';
    return to;
}

static void read_tape(void) {
    EACH("[", "]") {
        int64_t low, high, repeated = 1;
        need("[@,@,", &low, &high);
        do {
            tape[entries].low = low;
            tape[entries].high = high;
            tape[entries++].outcomes = at + 1;
            need("\"");
            do {
                size_t length = strspn(at, HEXADECIMAL);
                at += length;
                if (have("*")) need("#", &repeated);
                if (length == 0 || repeated == 0) refuse("must go on with outcomes", "");
            } while (have(" "));
            need("\"");
        } while (have(","));
        need("]");
    }
}

static void read_matches(void) {
    EACH("[", "]") {
        struct match *m = &match[matches++];
        need("[@,@,$,#,", &m->u, &m->v, &m->length);
        m->winner = read_number_or_null();
        need(",$]");
        duels += m->length;
        bool possible = m->winner == -1 || m->winner == m->u || m->winner == m->v;
        if (!beyond && (m->u == m->v || m->length == 0 || !possible)) refuse("has an impossible match", "");
    }
}

/* Compare the case's identifier with its content; of that leave what is given. */
static void identify(const char *conventions, const char *parameters, const char *outcomes,
                     const char *horizon) {
    char expected[sizeof id];
    char *end = given + sprintf(given, "{\"algorithm\":\"%s\",\"conventions\":", algorithm);
    end = append_sorted(end, conventions);
    if (!bad_input) {
        *end++ = ',';
        end = append(end, horizon, strchr(horizon, ','));
    }
    end += sprintf(end, ",\"parameters\":");
    char *rest = end = append_sorted(end, parameters);
    if (!bad_input) {
        end += sprintf(end, ",\"tape\":");
        end = append(end, outcomes, horizon - 1);
    }
    *end++ = '}';
    uint64_t digest = sha256_start((unsigned char *)given, end - given);
    snprintf(expected, sizeof expected, "%s-%010" PRIx64, algorithm, digest);
    if (strcmp(id, expected) != 0) refuse("has an identifier that is not its content's: ", id);
    *rest = '\0';
}

/* Read a case of a group with these conventions. */
static void read_case(const char *conventions) {
    int64_t ignored;
    const char *parameters, *outcomes = NULL, *horizon = NULL;
    duels = matches = entries = 0;
    cut = beyond = false;
    duels_only = true;
    need("{\"id\":");
    read_name(id, sizeof id);
    need(",\"name\":$,\"flags\":*,\"parameters\":");
    parameters = at;
    read_value();
    if (have(",\"mutant\":"))
        need("{\"name\":$,\"label\":$,\"mistake\":$,\"duel\":#,\"also\":*}", &ignored);
    bad_input = have(",\"refusal\":");
    if (bad_input) {
        need("{\"field\":$}}");
    } else {
        need(",\"tape\":");
        outcomes = at;
        read_tape();
        need(",");
        horizon = at;
        need("\"horizon\":");
        cut = strncmp(at, "null", 4) != 0;
        need("*,\"expected\":{\"matches\":");
        read_matches();
        need(",\"self_play\":");
        duels_only = strncmp(at, "[]", 2) == 0;
        need("*,\"incumbents\":*,\"result\":");
        if (*at == '{') {
            duels_only = false;
            read_value();
        } else {
            result = read_number_or_null();
        }
        need("},\"ordered\":");
        if (!have("true")) need("false");
        need(",\"margin\":$}");
    }
    identify(conventions, parameters, outcomes, horizon);
}

/* Read a whole file, and make room for what it can hold. */
static void load(void) {
    size_t size = 0, room = 1 << 16, got;
    FILE *in = fopen(file, "rb");
    text = malloc(room);
    while (in != NULL && text != NULL && (got = fread(text + size, 1, room - size - 1, in)) > 0)
        if ((size += got) == room - 1) text = realloc(text, room *= 2);
    if (in == NULL || text == NULL || ferror(in)) {
        fprintf(stderr, "check: %s cannot be read\n", file);
        exit(2);
    }
    fclose(in);
    text[size] = '\0';
    at = text;
    given = malloc(size + 512);
    match = malloc((size / 8 + 1) * sizeof *match);
    tape = malloc((size / 3 + 1) * sizeof *tape);
    if (given == NULL || match == NULL || tape == NULL) refuse("is too large", "");
}

/* Read a file; do something with each case. */
static void read_cases(void (*each)(void)) {
    load();
    need("{\n\"format\":\"tgite-vectors/");
    if (!have("1\"")) {
        int64_t minor;
        if (!have("1.")) refuse("has an unknown version of the format: ", at);
        need("#\"", &minor);
    }
    need(",\n\"algorithm\":");
    read_name(algorithm, sizeof algorithm);
    need(",\n\"flags\":*,\n\"groups\":[\n");
    do {
        need("{\"kind\":");
        if (!have("\"runs\"") && !have("\"boundary\"") && !have("\"mutants\""))
            need("\"refusals\"");
        need(",\"conventions\":");
        const char *conventions = at;
        need("*,\"cases\":[\n");
        do {
            read_case(conventions);
            each();
        } while (have(",\n"));
        need("\n]}\n");
    } while (have(","));
    need("]}\n");
    if (*at != '\0') refuse("goes on after its end", "");
    free(text);
    free(given);
    free(match);
    free(tape);
}

#endif
