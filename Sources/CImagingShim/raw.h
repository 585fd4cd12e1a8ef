#pragma once

#include <libraw/libraw.h>
#include <math.h>

#include <vector>

#include "include/CImagingShim.h"

// A file in memory that counts the bytes which are asked for behind its end.
class minilab_raw_stream : public LibRaw_buffer_datastream {
public:
  minilab_raw_stream(const void *bytes, size_t length)
      : LibRaw_buffer_datastream(const_cast<void *>(bytes), length) {}
  int read(void *target, size_t size, size_t count) override;
  int get_char() override;
  int eof() override;
  size_t missing = 0;
  bool hides_end = false;
};

// The EXIF entries that LibRaw comes by while it looks at a file, in the order of this machine.
class minilab_raw_exif_list {
public:
  void add(int tag, int type, int count, unsigned order, LibRaw_abstract_datastream *stream);
  bool has_maker_note = false;
  void each(void (*body)(void *context, const minilab_raw_exif *entry), void *context) const;

private:
  struct Item {
    uint16_t group, tag, type;
    uint32_t count;
    std::vector<uint8_t> bytes;
  };
  std::vector<Item> items;
  size_t total = 0;
};

struct minilab_raw : public LibRaw {
  minilab_raw(const void *bytes, size_t length) : stream(bytes, length) {}
  // LibRaw gives up the stream when it is recycled, and does not own it.
  ~minilab_raw() override { recycle(); }

  void find_size(minilab_raw_info *info);
  void describe(minilab_raw_info *info);
  void settle_white();

  minilab_raw_stream stream;
  minilab_raw_exif_list exif;
};
