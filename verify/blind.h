/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_VERIFY_BLIND_H
#define LNG_VERIFY_BLIND_H
#include "ref/oracle.h"

/* "BLIND: " and what the problem cannot show: outputs whose exact values are all 0, and
 * terms of the formula that its inputs hide. Empty: nothing known. gamma is not NULL. */
void lng_find_blind(const lng_problem *problem,
                    struct lng_truth *const truth[LNG_OUTPUTS], char *text, size_t size);

#endif
