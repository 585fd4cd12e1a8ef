#pragma once

#include "CImagingError.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Digests (image.c)

typedef struct minilab_checksum minilab_checksum;

// SHA-256, or MD5 where a format asks for it; NULL when there is none.
minilab_checksum *minilab_checksum_new(int is_md5);
void minilab_checksum_add(minilab_checksum *checksum, const void *bytes, size_t length);
// Hexadecimal digits, valid as long as the checksum, to which nothing can be added any more.
const char *minilab_checksum_text(minilab_checksum *checksum);
void minilab_checksum_free(minilab_checksum *checksum);

// Metadata (metadata.cpp)
//
// Exif and XMP blocks by Exiv2, on memory alone; IPTC only as a source of XMP properties. Keys are
// Exiv2's: `Exif.Image.Artist`, `Xmp.dc.creator`.

typedef struct minilab_metadata minilab_metadata;

typedef enum {
  MINILAB_METADATA_EXIF = 1,
  MINILAB_METADATA_XMP,
} minilab_metadata_kind;

// Sets up the XMP toolkit and turns messages off; once a process.
int minilab_metadata_start(minilab_error *error);
const char *minilab_metadata_version(void);

// NULL when memory is short.
minilab_metadata *minilab_metadata_new(void);
void minilab_metadata_free(minilab_metadata *metadata);
// An Exif block begins with its TIFF header. Of XMP, what is not there yet is added.
int minilab_metadata_decode(minilab_metadata *metadata, minilab_metadata_kind kind,
                            const void *bytes, size_t length, minilab_error *error);
// Bytes to be freed with free(); NULL when there is nothing to write. XMP comes without its packet's
// wrapper.
int minilab_metadata_encode(minilab_metadata *metadata, minilab_metadata_kind kind, void **bytes,
                            size_t *length, minilab_error *error);
// Visits every entry; those for which it gives another number than 0 are removed. `space` is the
// address of an XMP property's namespace, and empty for Exif; `tag` is an Exif entry's number and 0
// for XMP; `size` counts bytes of the value.
typedef int (*minilab_metadata_visitor)(void *context, const char *key, const char *space, int tag,
                                        int64_t size);
int minilab_metadata_filter(minilab_metadata *metadata, minilab_metadata_kind kind,
                            minilab_metadata_visitor visitor, void *context, minilab_error *error);
int minilab_metadata_has(minilab_metadata *metadata, minilab_metadata_kind kind, const char *key);
int minilab_metadata_set_short(minilab_metadata *metadata, const char *key, uint16_t value,
                               minilab_error *error);
int minilab_metadata_set_long(minilab_metadata *metadata, const char *key, uint32_t value,
                              minilab_error *error);
int minilab_metadata_set_text(minilab_metadata *metadata, minilab_metadata_kind kind,
                              const char *key, const char *text, minilab_error *error);
// The value of an Exif entry as it stands in the file, to be freed with free(); NULL when there is none.
int minilab_metadata_read_bytes(minilab_metadata *metadata, const char *key, void **bytes,
                                size_t *length, minilab_error *error);
int minilab_metadata_set_bytes(minilab_metadata *metadata, const char *key, const void *bytes,
                               size_t length, minilab_error *error);
// Adds the XMP properties that say the same as an IPTC block, where there are none of that name.
int minilab_metadata_add_iptc(minilab_metadata *metadata, const void *bytes, size_t length,
                              minilab_error *error);

#ifdef __cplusplus
}
#endif
