#include "raw.h"

#include <utility>

// LibRaw numbers the directories in the tag's higher bits.
enum { in_first_directory = 0x100000, in_panasonic = 0x30000, in_gps = 0x50000 };
enum { group_main = 0, group_exif = 2, group_gps = 3 };
enum { maker_note = 0x927C };
enum { largest_entry = 4096, largest_total = 65536 };

// Of the first directory only what describes the photo, and nothing of how its data lies in the file.
static bool describes_photo(int tag) {
  switch (tag) {
  case 0x010E:
  case 0x010F:
  case 0x0110:
  case 0x0131:
  case 0x0132:
  case 0x013B:
  case 0x8298: return true;
  default: return false;
  }
}

// Of the EXIF directory all but what holds for this file and its previews alone.
static bool describes_file(int tag) {
  switch (tag) {
  case maker_note:
  case 0xA001: // ColorSpace
  case 0xA002: // PixelXDimension
  case 0xA003: // PixelYDimension
  case 0xA005: return true; // Interoperability
  default: return false;
  }
}

static int group_of(int tag) {
  int number = tag & 0xFFFF;
  switch (tag & ~0xFFFF) {
  case 0: return describes_file(number) ? -1 : group_exif;
  case in_gps: return group_gps;
  case in_panasonic:
  case in_first_directory: return describes_photo(number) ? group_main : -1;
  default: return -1;
  }
}

static size_t unit_of(int type) {
  static const uint8_t sizes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8};
  return type > 0 && type < static_cast<int>(sizeof sizes) ? sizes[type] : 0;
}

void minilab_raw_exif_list::add(int tag, int type, int count, unsigned order,
                                LibRaw_abstract_datastream *stream) {
  if (tag == maker_note) has_maker_note = true;
  int group = group_of(tag);
  size_t unit = unit_of(type);
  if (group < 0 || unit == 0 || count < 1 || count > largest_entry) return;
  size_t length = unit * static_cast<size_t>(count);
  if (length > largest_entry || total + length > largest_total) return;
  uint16_t number = static_cast<uint16_t>(tag & 0xFFFF);
  for (const Item &item : items) {
    if (item.group == group && item.tag == number) return;
  }
  std::vector<uint8_t> bytes(length);
  if (stream->read(bytes.data(), 1, length) != static_cast<int>(length)) return;
  // A rational number is two of four bytes.
  size_t word = type == 5 || type == 10 ? 4 : unit;
  if (order != 0x4949) {
    for (size_t start = 0; start + word <= length; start += word) {
      for (size_t index = 0; index < word / 2; index++) {
        std::swap(bytes[start + index], bytes[start + word - 1 - index]);
      }
    }
  }
  total += length;
  items.push_back({static_cast<uint16_t>(group), number, static_cast<uint16_t>(type),
                   static_cast<uint32_t>(count), std::move(bytes)});
}

void minilab_raw_exif_list::each(void (*body)(void *context, const minilab_raw_exif *entry),
                                 void *context) const {
  for (const Item &item : items) {
    minilab_raw_exif entry = {item.group, item.tag, item.type, item.count, item.bytes.data(),
                              item.bytes.size()};
    body(context, &entry);
  }
}
