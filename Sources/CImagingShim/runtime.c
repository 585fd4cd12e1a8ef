// dladdr is an extension of the C library.
#define _GNU_SOURCE

#include "heif_parts.h"

#include <dlfcn.h>
#include <gmodule.h>
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

// Classes that every job would have to set up anew in its own process, were it not done before the fork.
static const char *const common_classes[] = {
    "VipsForeignLoadJpegSource", "VipsForeignSaveJpegTarget", "VipsForeignLoadPngSource",
    "VipsForeignSavePngTarget",  "VipsSourceCustom",          "VipsTarget",
    "VipsRegion",                "VipsCopy",                  "VipsExtractArea",
    "VipsSequential",            "VipsLineCache",             "VipsShrinkv",
    "VipsShrinkh",               "VipsColourspace",           "VipsCastOp",
};

static void prepare_classes(void) {
  for (size_t index = 0; index < G_N_ELEMENTS(common_classes); index++) {
    GType type = g_type_from_name(common_classes[index]);
    // A reference that is kept: a class without one is taken down again.
    if (type && G_TYPE_IS_CLASSED(type)) g_type_class_ref(type);
  }
}

// The parts of libvips that are loaded when it starts. The others (ImageMagick, Poppler, OpenSlide) would
// bring some forty libraries into every job's process, and none of them may ever read a file here.
static const char *const modules[] = {"vips-heif"};

static void load_modules(void) {
  Dl_info library;
  if (!dladdr((void *)vips_init, &library) || !library.dli_fname) return;
  char *folder = g_path_get_dirname(library.dli_fname);
  for (size_t index = 0; index < G_N_ELEMENTS(modules); index++) {
    char *path = g_strdup_printf("%s/vips-modules-%d.%d/%s.so", folder, VIPS_MAJOR_VERSION,
                                 VIPS_MINOR_VERSION, modules[index]);
    // Where it is not there, libvips has it built in, or has not got it; the codecs' list tells.
    GModule *module = g_module_open(path, G_MODULE_BIND_LAZY);
    if (module) g_module_make_resident(module);
    g_free(path);
  }
  g_free(folder);
}

// The pixel code is compiled for processors that have these; on others its first call would be the end.
static int has_processor(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi2");
#else
  return 1;
#endif
}

int minilab_start(const char *program, minilab_error *error) {
  if (!has_processor()) {
    g_strlcpy(error->text, "the processor has no AVX2, FMA and BMI2 (x86-64-v3), which are needed",
              sizeof error->text);
    return -1;
  }
  g_log_set_default_handler(collect_message, NULL);
  // Libvips looks for its modules beneath its home: nowhere, so that it loads none by itself.
  g_setenv("VIPSHOME", "/nonexistent", TRUE);
  if (vips_init(program)) {
    minilab_fail(error);
    return -1;
  }
  load_modules();
  minilab_register_av1();
  vips_operation_block_set("VipsForeignLoad", TRUE);
  vips_cache_set_max(0);
  vips_vector_set_enabled(FALSE);
  vips_concurrency_set(1);
  prepare_classes();
  tzset();
  minilab_messages_clear();
  return 0;
}

void minilab_set_concurrency(int threads) { vips_concurrency_set(threads); }

// There is no function for these, only the options that programs hand on from their command line.
int minilab_set_buffer_rows(int tile, int strip) {
  GOptionGroup *group = g_option_group_new("vips", "", "", NULL, NULL);
  vips_add_option_entries(group);
  GOptionContext *context = g_option_context_new(NULL);
  g_option_context_set_main_group(context, group);
  char tile_option[40], strip_option[40];
  snprintf(tile_option, sizeof tile_option, "--vips-tile-height=%d", tile);
  snprintf(strip_option, sizeof strip_option, "--vips-fatstrip-height=%d", strip);
  char *words[] = {"minilab", tile_option, strip_option, NULL};
  char **arguments = words;
  int count = 3;
  gboolean taken = g_option_context_parse(context, &count, &arguments, NULL);
  g_option_context_free(context);
  return taken ? 0 : -1;
}

// The codecs are linked to libvips and to its modules, not to us, so their version functions are looked
// up in what is loaded already; a library that is not, or that has no such function, has no version.
typedef struct {
  const char *part;
  const char *library;
  const char *function;
  enum { is_text, is_bytes, is_decimal, is_thousands, is_millions, is_variable } kind;
} Part;

static const Part parts[] = {
    {"libheif", "libheif.so.1", "heif_get_version", is_text},
    {"libde265", "libde265.so.0", "de265_get_version", is_text},
    {"libaom", "libaom.so.3", "aom_codec_version_str", is_text},
    {"libx265", "libx265.so.199", "x265_version_str", is_variable},
    {"libjxl", "libjxl.so.0.7", "JxlEncoderVersion", is_millions},
    {"openjpeg", "libopenjp2.so.7", "opj_version", is_text},
    {"libwebp", "libwebp.so.7", "WebPGetEncoderVersion", is_bytes},
    {"libpng", "libpng16.so.16", "png_access_version_number", is_decimal},
    {"libtiff", "libtiff.so.6", "TIFFGetVersion", is_text},
    {"littlecms", "liblcms2.so.2", "cmsGetEncodedCMMversion", is_thousands},
};

static void format_version(const Part *part, void *function, char *text, size_t size) {
  if (part->kind == is_text || part->kind == is_variable) {
    const char *(*ask)(void) = (const char *(*)(void))function;
    const char *answer = part->kind == is_text ? ask() : *(const char **)function;
    // Some say more than the version: "LIBTIFF, Version 4.5.0" and lines after it, "v3.6.0".
    const char *version = answer ? strpbrk(answer, "0123456789") : NULL;
    g_strlcpy(text, version ? version : "", size);
    text[strcspn(text, "\r\n")] = 0;
    return;
  }
  int (*ask)(void) = (int (*)(void))function;
  int number = ask();
  switch (part->kind) {
  case is_bytes:
    snprintf(text, size, "%d.%d.%d", number >> 16 & 0xFF, number >> 8 & 0xFF, number & 0xFF);
    break;
  case is_decimal:
    snprintf(text, size, "%d.%d.%d", number / 10000, number / 100 % 100, number % 100);
    break;
  case is_millions:
    snprintf(text, size, "%d.%d.%d", number / 1000000, number / 1000 % 1000, number % 1000);
    break;
  default: snprintf(text, size, "%d.%d", number / 1000, number / 10 % 100); break;
  }
}

int minilab_version(const char *name, char *text, size_t size) {
  if (strcmp(name, "libvips") == 0) {
    snprintf(text, size, "%d.%d.%d", vips_version(0), vips_version(1), vips_version(2));
    return 1;
  }
  if (strcmp(name, "exiv2") == 0) {
    g_strlcpy(text, minilab_metadata_version(), size);
    return 1;
  }
  for (size_t index = 0; index < G_N_ELEMENTS(parts); index++) {
    const Part *part = &parts[index];
    if (strcmp(name, part->part) != 0) continue;
    void *library = dlopen(part->library, RTLD_LAZY | RTLD_NOLOAD);
    void *function = library ? dlsym(library, part->function) : NULL;
    text[0] = 0;
    if (function) format_version(part, function, text, size);
    if (library) dlclose(library);
    return text[0] != 0;
  }
  return 0;
}
