/* What passes between an implementation in C and whoever examines it. */
#ifndef TGITE_H
#define TGITE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The implementation has the following. */

/* The algorithms that it has, by the names that the vectors give them; NULL is the last. */
extern const char *const tgite_algorithms[];

/* What it can play by, such as "pairing=fold"; NULL is the last. A convention that is not named
 * here is played in each of its values. */
extern const char *const tgite_conventions[];

enum { TGITE_NO_ARM = -1, TGITE_REFUSED = -2, TGITE_SKIPPED = -3 };

/* Play an algorithm with the parameters of the case at hand. Return the arm that it returns, or
 * TGITE_NO_ARM. Before the first duel, return TGITE_REFUSED for an input that the paper does not
 * admit, and TGITE_SKIPPED for one that you do not support, such as too many arms. */
int64_t tgite_play(const char *algorithm);

/* It calls the following. Arms have the case's own numbers. The first two do not come back where
 * the run is called off (they jump out of tgite_play). */

/* Ask for the next duel of a match; u is the pairwise test's first argument. Does u win? */
bool tgite_duel(int64_t u, int64_t v);

/* Say that the match is over, and who won it. */
void tgite_won(int64_t winner);

/* Return where the value of a parameter or a convention begins, NULL if it is absent. It is JSON,
 * such as 7 or "1/10" or [0,2,1], and other text follows it. */
const char *tgite_parameter(const char *name);

#ifdef __cplusplus
}
#endif

#endif
