/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "html.h"

static int compare_items(const void *a, const void *b)
{
    const struct lng_item *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    int order = strcmp(x->key, y->key);
    return order ? order : (x->unit > y->unit) - (x->unit < y->unit);
}

int lng_pick_by_entry(struct lng_item *item)
{
    item->key = item->unit->entry;
    return 1;
}

int lng_pick_skipped(struct lng_item *item)
{
    item->key = item->unit->note;
    return item->unit->verdict == LNG_CHECK_SKIPPED;
}

int lng_pick_noted(struct lng_item *item)
{
    item->row = 0; /* the same note for all kernels */
    item->key = item->unit->note;
    return item->unit->verdict == LNG_CHECK_PASSED && item->unit->note[0];
}

struct lng_item *lng_items_sorted(struct lng_page *page, const struct lng_result *result,
                                  int (*pick)(struct lng_item *), size_t *count)
{
    struct lng_item *items = lng_page_array(page, result->units_count, sizeof *items);
    *count = 0;
    for (size_t i = 0; items && i < result->units_count; i++) {
        struct lng_item *item = &items[*count];
        item->unit = &result->units[i];
        item->row = item->unit->row;
        *count += (size_t)pick(item);
    }
    if (items)
        qsort(items, *count, sizeof *items, compare_items);
    return items;
}

size_t lng_group_end(const struct lng_item *items, size_t from, size_t count)
{
    size_t to = from + 1;
    while (to < count && items[to].row == items[from].row &&
           strcmp(items[to].key, items[from].key) == 0)
        to++;
    return to;
}

void lng_check_command(FILE *out, const struct lng_result *result,
                       const struct lng_check *unit)
{
    const char *id = result->rows[unit->row].id;
    const char *kernel = unit->against_kernel, *entry = unit->against_entry;
    kernel = kernel && strcmp(kernel, id) != 0 ? kernel : NULL;
    entry = entry && strcmp(entry, unit->entry) != 0 ? entry : NULL;
    lng_command(out, (const char *const[]){"lng-verify", kernel ? "--impl" : "",
                                           kernel ? kernel : "", "--impl", id,
                                           entry ? "--entry" : "", entry ? entry : "",
                                           "--entry", unit->entry, unit->problem, NULL});
}
