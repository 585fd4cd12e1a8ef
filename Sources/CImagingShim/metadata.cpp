// Exiv2 throws, and its classes are C++: neither reaches Swift.

#include "include/CImagingShim.h"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <string>

#include <exiv2/exiv2.hpp>

struct minilab_metadata {
  Exiv2::ExifData exif;
  Exiv2::XmpData xmp;
  Exiv2::ByteOrder order = Exiv2::littleEndian;
};

namespace {

void copy_text(char *target, size_t size, const std::string &text) {
  size_t length = text.size() < size - 1 ? text.size() : size - 1;
  std::memcpy(target, text.data(), length);
  target[length] = 0;
}

// Runs what may throw; 0 when it did not, else -1 with its text.
template <typename Body> int guarded(minilab_error *error, Body body) {
  try {
    return body();
  } catch (const std::exception &problem) {
    copy_text(error->text, sizeof error->text, problem.what());
  } catch (...) {
    copy_text(error->text, sizeof error->text, "an unknown problem");
  }
  return -1;
}

int fail(minilab_error *error, const char *text) {
  copy_text(error->text, sizeof error->text, text);
  return -1;
}

int give(const void *start, size_t size, void **bytes, size_t *length, minilab_error *error) {
  *bytes = std::malloc(size ? size : 1);
  if (!*bytes) return fail(error, "memory is short");
  std::memcpy(*bytes, start, size);
  *length = size;
  return 0;
}

void be_silent(int, const char *) {}

template <typename Data, typename Space>
void filter(Data &data, Space space, minilab_metadata_visitor visitor, void *context) {
  for (auto entry = data.begin(); entry != data.end();) {
    if (visitor(context, entry->key().c_str(), space(*entry), entry->tag(), entry->size())) {
      entry = data.erase(entry);
    } else {
      ++entry;
    }
  }
}

void add_missing(Exiv2::XmpData &data, const Exiv2::XmpData &more) {
  bool was_empty = data.empty();
  for (const auto &datum : more) {
    if (was_empty || data.findKey(Exiv2::XmpKey(datum.key())) == data.end()) data.add(datum);
  }
}

} // namespace

extern "C" {

int minilab_metadata_start(minilab_error *error) {
  return guarded(error, [] {
    Exiv2::LogMsg::setLevel(Exiv2::LogMsg::mute);
    Exiv2::LogMsg::setHandler(be_silent);
    Exiv2::XmpParser::initialize();
    // Known to the toolkit, but not to the keys.
    Exiv2::XmpProperties::registerNs("http://ns.adobe.com/xmp/note/", "xmpNote");
    return 0;
  });
}

const char *minilab_metadata_version(void) { return Exiv2::version(); }

minilab_metadata *minilab_metadata_new(void) {
  try {
    return new minilab_metadata;
  } catch (...) {
    return nullptr;
  }
}

void minilab_metadata_free(minilab_metadata *metadata) { delete metadata; }

int minilab_metadata_decode(minilab_metadata *metadata, minilab_metadata_kind kind,
                            const void *bytes, size_t length, minilab_error *error) {
  return guarded(error, [&] {
    if (length > UINT32_MAX) return fail(error, "the block is too large");
    auto start = static_cast<const Exiv2::byte *>(bytes);
    if (kind == MINILAB_METADATA_EXIF) {
      Exiv2::ByteOrder order =
          Exiv2::ExifParser::decode(metadata->exif, start, static_cast<uint32_t>(length));
      if (order == Exiv2::invalidByteOrder) return fail(error, "the block has no TIFF header");
      metadata->order = order;
      return 0;
    }
    std::string packet(static_cast<const char *>(bytes), length);
    Exiv2::XmpData read;
    if (Exiv2::XmpParser::decode(read, packet)) return fail(error, "the packet is not XMP");
    add_missing(metadata->xmp, read);
    return 0;
  });
}

int minilab_metadata_encode(minilab_metadata *metadata, minilab_metadata_kind kind, void **bytes,
                            size_t *length, minilab_error *error) {
  *bytes = nullptr;
  *length = 0;
  return guarded(error, [&] {
    if (kind == MINILAB_METADATA_EXIF) {
      if (metadata->exif.empty()) return 0;
      Exiv2::Blob blob;
      // Without the old block: updating it in place would leave what was removed in its bytes.
      Exiv2::ExifParser::encode(blob, metadata->order, metadata->exif);
      return blob.empty() ? 0 : give(blob.data(), blob.size(), bytes, length, error);
    }
    if (metadata->xmp.empty()) return 0;
    std::string packet;
    uint16_t flags = Exiv2::XmpParser::omitPacketWrapper | Exiv2::XmpParser::useCompactFormat;
    if (Exiv2::XmpParser::encode(packet, metadata->xmp, flags)) {
      return fail(error, "the properties cannot be written as XMP");
    }
    return give(packet.data(), packet.size(), bytes, length, error);
  });
}

int minilab_metadata_filter(minilab_metadata *metadata, minilab_metadata_kind kind,
                            minilab_metadata_visitor visitor, void *context,
                            minilab_error *error) {
  return guarded(error, [&] {
    if (kind == MINILAB_METADATA_EXIF) {
      auto none = [](const Exiv2::Exifdatum &) { return ""; };
      filter(metadata->exif, none, visitor, context);
    } else {
      std::map<std::string, std::string> spaces;
      auto space = [&](const Exiv2::Xmpdatum &datum) {
        auto prefix = datum.groupName();
        auto known = spaces.find(prefix);
        if (known == spaces.end()) {
          known = spaces.emplace(prefix, Exiv2::XmpProperties::ns(prefix)).first;
        }
        return known->second.c_str();
      };
      filter(metadata->xmp, space, visitor, context);
    }
    return 0;
  });
}

int minilab_metadata_has(minilab_metadata *metadata, minilab_metadata_kind kind, const char *key) {
  minilab_error ignored;
  return guarded(&ignored, [&] {
    if (kind == MINILAB_METADATA_EXIF) {
      return metadata->exif.findKey(Exiv2::ExifKey(key)) != metadata->exif.end() ? 1 : 0;
    }
    return metadata->xmp.findKey(Exiv2::XmpKey(key)) != metadata->xmp.end() ? 1 : 0;
  }) == 1;
}

int minilab_metadata_set_short(minilab_metadata *metadata, const char *key, uint16_t value,
                               minilab_error *error) {
  return guarded(error, [&] {
    metadata->exif[key] = value;
    return 0;
  });
}

int minilab_metadata_set_long(minilab_metadata *metadata, const char *key, uint32_t value,
                              minilab_error *error) {
  return guarded(error, [&] {
    metadata->exif[key] = value;
    return 0;
  });
}

int minilab_metadata_set_text(minilab_metadata *metadata, minilab_metadata_kind kind,
                              const char *key, const char *text, minilab_error *error) {
  return guarded(error, [&] {
    if (kind == MINILAB_METADATA_EXIF) {
      metadata->exif[key] = std::string(text);
    } else {
      metadata->xmp[key] = std::string(text);
    }
    return 0;
  });
}

int minilab_metadata_read_bytes(minilab_metadata *metadata, const char *key, void **bytes,
                                size_t *length, minilab_error *error) {
  *bytes = nullptr;
  *length = 0;
  return guarded(error, [&] {
    auto datum = metadata->exif.findKey(Exiv2::ExifKey(key));
    if (datum == metadata->exif.end() || datum->size() <= 0) return 0;
    std::string copy(static_cast<size_t>(datum->size()), 0);
    datum->copy(reinterpret_cast<Exiv2::byte *>(&copy[0]), metadata->order);
    return give(copy.data(), copy.size(), bytes, length, error);
  });
}

int minilab_metadata_set_bytes(minilab_metadata *metadata, const char *key, const void *bytes,
                               size_t length, minilab_error *error) {
  return guarded(error, [&] {
    Exiv2::DataValue value(static_cast<const Exiv2::byte *>(bytes), static_cast<long>(length));
    metadata->exif[key] = value;
    return 0;
  });
}

int minilab_metadata_add_iptc(minilab_metadata *metadata, const void *bytes, size_t length,
                              minilab_error *error) {
  return guarded(error, [&] {
    if (length > UINT32_MAX) return fail(error, "the block is too large");
    Exiv2::IptcData iptc;
    if (Exiv2::IptcParser::decode(iptc, static_cast<const Exiv2::byte *>(bytes),
                                  static_cast<uint32_t>(length))) {
      return fail(error, "the block is not IPTC");
    }
    Exiv2::XmpData converted;
    Exiv2::copyIptcToXmp(iptc, converted, nullptr);
    add_missing(metadata->xmp, converted);
    return 0;
  });
}

} // extern "C"
