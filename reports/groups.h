/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_REPORTS_GROUPS_H
#define LNG_REPORTS_GROUPS_H
/*
 * The units of lng-verify in groups.
 */
#include "page.h"

/* A unit and what it is grouped by. Groups come in the order of the kernels, and in each
 * the units as the file has them. */
struct lng_item {
    size_t row;
    const char *key;
    const struct lng_check *unit;
};

/* What to take, and its key: every unit by its entry point; the skipped ones by the
 * reason; those that passed with a note by the note, whatever the kernel. */
int lng_pick_by_entry(struct lng_item *item);
int lng_pick_skipped(struct lng_item *item);
int lng_pick_noted(struct lng_item *item);

/* The units that pick takes, in order, to be freed; NULL: no memory, and the page says
 * so. */
struct lng_item *lng_items_sorted(struct lng_page *page, const struct lng_result *result,
                                  int (*pick)(struct lng_item *), size_t *count);

/* The end of the group that begins at from. */
size_t lng_group_end(const struct lng_item *items, size_t from, size_t count);

/* The command that runs a unit again, with the one its bits were held against. */
void lng_check_command(FILE *out, const struct lng_result *result,
                       const struct lng_check *unit);

#endif
