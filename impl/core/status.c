/* SPDX-License-Identifier: Apache-2.0 */
#include "core/status.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local lng_status last_status;
static _Thread_local char last_text[256];

static pthread_mutex_t handler_lock = PTHREAD_MUTEX_INITIALIZER;
static lng_error_handler handler;
static void *handler_user;

lng_status lng_report(lng_status status, const char *format, ...)
{
    last_status = status;
    last_text[0] = 0;
    if (format) {
        va_list values;
        va_start(values, format);
        vsnprintf(last_text, sizeof last_text, format, values);
        va_end(values);
    }
    if (status != LNG_OK) {
        pthread_mutex_lock(&handler_lock);
        const lng_error_handler call = handler;
        void *const user = handler_user;
        pthread_mutex_unlock(&handler_lock);
        if (call) { /* which may call the library in turn */
            char text[sizeof last_text];
            strcpy(text, last_text);
            call(status, text, user);
            last_status = status;
            strcpy(last_text, text);
        }
    }
    return status;
}

lng_status lng_last_status(void)
{
    return last_status;
}

const char *lng_status_text(void)
{
    return last_text;
}

void lng_set_error_handler(lng_error_handler new_handler, void *user)
{
    pthread_mutex_lock(&handler_lock);
    handler = new_handler;
    handler_user = user;
    pthread_mutex_unlock(&handler_lock);
}
