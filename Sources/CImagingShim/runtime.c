#include "shared.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

// vips/vector.h drags in ORC's headers; this is all that is needed of it.
void vips_vector_set_enabled(gboolean enabled);

enum { kept_messages = 32, message_size = 240 };

static GMutex messages_lock;
static char messages[kept_messages][message_size];
static int messages_count;

// GLib prints by default; a job's process has no use for stderr, its report has.
static void collect_message(const gchar *domain, GLogLevelFlags level, const gchar *message,
                            gpointer data) {
  (void)domain;
  (void)level;
  (void)data;
  g_mutex_lock(&messages_lock);
  if (messages_count < kept_messages) {
    g_strlcpy(messages[messages_count], message ? message : "", message_size);
  }
  messages_count++;
  g_mutex_unlock(&messages_lock);
}

void minilab_messages_clear(void) {
  g_mutex_lock(&messages_lock);
  messages_count = 0;
  g_mutex_unlock(&messages_lock);
  vips_error_clear();
}

int minilab_messages_count(void) {
  g_mutex_lock(&messages_lock);
  int count = messages_count;
  g_mutex_unlock(&messages_lock);
  return count;
}

const char *minilab_message(int index) {
  return index >= 0 && index < kept_messages && index < minilab_messages_count() ? messages[index]
                                                                                 : "";
}

void minilab_fail(minilab_error *error) {
  char *text = vips_error_buffer_copy();
  if (error) {
    g_strlcpy(error->text, text, sizeof error->text);
    g_strchomp(error->text);
  }
  g_free(text);
}

minilab_image *minilab_result(int status, VipsImage *image, minilab_error *error) {
  if (status == 0) return minilab_wrap(image);
  minilab_fail(error);
  return NULL;
}

void minilab_allow(const char *operation) { vips_operation_block_set(operation, FALSE); }

void minilab_block_untrusted(void) { vips_block_untrusted_set(TRUE); }

int minilab_start(const char *program, minilab_error *error) {
  g_log_set_default_handler(collect_message, NULL);
  if (vips_init(program)) {
    minilab_fail(error);
    return -1;
  }
  vips_operation_block_set("VipsForeignLoad", TRUE);
  vips_cache_set_max(0);
  vips_vector_set_enabled(FALSE);
  vips_concurrency_set(1);
  tzset();
  minilab_messages_clear();
  return 0;
}

void minilab_set_concurrency(int threads) { vips_concurrency_set(threads); }

int minilab_version(const char *part, char *text, size_t size) {
  if (strcmp(part, "libvips") != 0) return 0;
  snprintf(text, size, "%d.%d.%d", vips_version(0), vips_version(1), vips_version(2));
  return 1;
}
