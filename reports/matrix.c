/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "matrix.h"

const struct lng_row *lng_cell_row(const struct lng_cell *cell)
{
    return &cell->result->rows[cell->check->row];
}

/* By target and type; 0: one table. */
static int compare_tables(const struct lng_cell *x, const struct lng_cell *y)
{
    const struct lng_row *a = lng_cell_row(x), *b = lng_cell_row(y);
    const int order = strcmp(a->target, b->target);
    return order ? order : strcmp(b->dtype, a->dtype); /* fp32 before fp16 */
}

/* Then by problem; 0: one line. */
static int compare_problems(const struct lng_cell *x, const struct lng_cell *y)
{
    const int order = compare_tables(x, y);
    return order ? order : strcmp(x->check->problem, y->check->problem);
}

static int compare_cells(const void *a, const void *b)
{
    const struct lng_cell *x = a, *y = b;
    const int order = compare_problems(x, y);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static int compare_lines(const void *a, const void *b)
{
    const struct lng_line *x = a, *y = b;
    const int order = compare_tables(x->cells, y->cells);
    if (order)
        return order;
    if ((x->values > 1) != (y->values > 1))
        return x->values > 1 ? -1 : 1;
    return x->cells->number < y->cells->number ? -1 : 1;
}

/* The line that begins with cell 0 of at most count. */
static struct lng_line line_of(const struct lng_cell *cells, size_t count)
{
    struct lng_line line = {.cells = cells};
    size_t most = 0;
    while (line.count < count && compare_problems(cells, &cells[line.count]) == 0)
        line.count++;
    for (size_t i = 0; i < line.count; i++) {
        size_t before = 0, equal = 0;
        for (size_t k = 0; k < line.count; k++)
            if (strcmp(cells[i].check->bits, cells[k].check->bits) == 0) {
                before += k < i;
                equal++;
            }
        line.values += before == 0;
        if (equal > most) {
            most = equal;
            line.usual = cells[i].check->bits;
        }
    }
    return line;
}

/* A kernel of a file by an entry point, and every way that gave bits there. */
struct caller {
    const struct lng_cell *cell;
    uint64_t ways;
};

static int same_caller(const struct caller *a, const struct caller *b)
{
    return lng_cell_row(a->cell) == lng_cell_row(b->cell) &&
           strcmp(a->cell->check->entry, b->cell->check->entry) == 0;
}

static int has_way(const struct caller *c, const char *entry, const char *way)
{
    if (strcmp(c->cell->check->entry, entry) != 0)
        return 0;
    for (size_t w = 0; w < c->cell->result->ways_count; w++)
        if (c->ways >> w & 1 && strcmp(c->cell->result->ways[w], way) == 0)
            return 1;
    return 0;
}

/* What caller i adds to those before it. */
static void count_caller(struct lng_matrix *m, const struct caller *callers, size_t i)
{
    const struct lng_cell *cell = callers[i].cell;
    const struct lng_column column = {cell->result, lng_cell_row(cell)};
    int new_column = 1, new_file = 1;
    for (size_t k = 0; k < m->columns_count; k++) {
        new_column &= m->columns[k].row != column.row;
        new_file &= m->columns[k].result != column.result;
    }
    if (new_column)
        m->columns[m->columns_count++] = column;
    m->files += (size_t)new_file;
    for (size_t w = 0; w < cell->result->ways_count; w++) {
        int new_way = (int)(callers[i].ways >> w & 1);
        for (size_t k = 0; k < i && new_way; k++)
            new_way = !has_way(&callers[k], cell->check->entry, cell->result->ways[w]);
        m->ways += (size_t)new_way;
    }
}

static int compare_columns(const void *a, const void *b)
{
    const struct lng_column *x = a, *y = b;
    if (x->result != y->result)
        return x->result < y->result ? -1 : 1;
    return x->row < y->row ? -1 : 1;
}

/* Whoever took part in the matrix. */
static int count_callers(struct lng_matrix *m, size_t cells)
{
    struct caller *callers = calloc(cells + 1, sizeof *callers);
    size_t count = 0;
    m->columns = calloc(cells + 1, sizeof *m->columns);
    for (size_t i = 0; i < cells && callers && m->columns; i++) {
        const struct caller own = {&m->cells[i], m->cells[i].check->ways};
        size_t k = 0;
        while (k < count && !same_caller(&callers[k], &own))
            k++;
        if (k == count)
            callers[count++] = own;
        callers[k].ways |= own.ways;
    }
    for (size_t i = 0; i < count; i++)
        count_caller(m, callers, i);
    if (m->columns)
        qsort(m->columns, m->columns_count, sizeof *m->columns, compare_columns);
    const int failed = !callers || !m->columns;
    free(callers);
    return failed ? -1 : 0;
}

int lng_matrix_make(struct lng_matrix *m, const struct lng_result *results, size_t count)
{
    size_t units = 0, cells = 0;
    for (size_t i = 0; i < count; i++)
        units += results[i].units_count;
    *m = (struct lng_matrix){.cells = calloc(units + 1, sizeof *m->cells),
                             .lines = calloc(units + 1, sizeof *m->lines)};
    if (!m->cells || !m->lines)
        return -1;
    for (size_t i = 0; i < count; i++)
        for (size_t u = 0; u < results[i].units_count; u++) {
            const struct lng_cell cell = {cells, &results[i], &results[i].units[u]};
            if (cell.check->bits && lng_cell_row(&cell)->target[0])
                m->cells[cells++] = cell;
        }
    qsort(m->cells, cells, sizeof *m->cells, compare_cells);
    for (size_t from = 0; from < cells; from += m->lines[m->count++].count) {
        m->lines[m->count] = line_of(&m->cells[from], cells - from);
        m->unequal += m->lines[m->count].values > 1;
    }
    qsort(m->lines, m->count, sizeof *m->lines, compare_lines);
    return count_callers(m, cells);
}

void lng_matrix_free(struct lng_matrix *m)
{
    free(m->cells);
    free(m->lines);
    free(m->columns);
}
