/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNG_REPORTS_MODEL_PARTS_H
#define LNG_REPORTS_MODEL_PARTS_H
/*
 * What the readers of both tools' files share. After an error they give empty values.
 */
#include "model.h"
#include "reader.h"

/* Room for the elements of an array or object. */
void *lng_model_room(struct lng_reader *r, const cJSON *array, size_t size);

const char *lng_model_dtype(struct lng_reader *r, const cJSON *object);
struct lng_sizes lng_model_sizes(struct lng_reader *r, const cJSON *object);

/* The row of a unit's kernel and type, made if the table has none. */
size_t lng_model_row(struct lng_reader *r, struct lng_result *result, const cJSON *unit);

/* All that only lng-verify writes. */
void lng_model_verify(struct lng_reader *r, struct lng_result *result, const cJSON *root);

#endif
