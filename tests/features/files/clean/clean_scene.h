// Files made by code, cleaned in memory: the result, the calls that it cost, and searches for planted bytes.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "features/files/clean/clean.h"

namespace parley::features::clean {

using namespace std::literals;

inline std::string Big(uint64_t value, int bytes) {
  std::string out;
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

inline std::string Little(uint64_t value, int bytes) {
  std::string out = Big(value, bytes);
  std::reverse(out.begin(), out.end());
  return out;
}

// EXIF data with a maker, an orientation and a place.
inline std::string ExifWith(int orientation, bool little = false) {
  const auto number = [little](uint64_t value, int bytes) {
    return little ? Little(value, bytes) : Big(value, bytes);
  };
  const auto entry = [&](int tag, int type, uint32_t count, const std::string& value) {
    return number(tag, 2) + number(type, 2) + number(count, 4) + value;
  };
  std::string out = little ? "II\x2a\0"s : "MM\0\x2a"s;
  out += number(8, 4) + number(3, 2);
  out += entry(0x010f, 2, 13, number(50, 4));
  out += entry(0x0112, 3, 1, number(orientation, 2) + "\0\0"s);
  out += entry(0x8825, 4, 1, number(63, 4)) + number(0, 4);
  return out + "SECRET-MAKER\0SECRET-GPS"s;
}

class MemoryReader final : public ByteReader {
 public:
  explicit MemoryReader(std::string_view bytes) : bytes_(bytes) {}
  int64_t size() const override { return static_cast<int64_t>(bytes_.size()); }
  protocol::Result<std::string> ReadAt(int64_t offset, size_t size) override {
    EXPECT_TRUE(offset >= 0 && offset <= this->size());
    EXPECT_LE(size, size_t{64} << 10) << "a piece of the file at a time";
    std::string out(bytes_.substr(static_cast<size_t>(offset), size));
    read_ += out.size();
    return out;
  }
  size_t read() const { return read_; }

 private:
  const std::string_view bytes_;
  size_t read_ = 0;
};

class MemorySink final : public ByteSink {
 public:
  protocol::Status Append(std::string_view bytes) override {
    out_ += bytes;
    return protocol::Ok();
  }
  const std::string& out() const { return out_; }

 private:
  std::string out_;
};

// The result of a cleaning; `bytes` are those to store.
struct Outcome {
  bool ok = false, changed = false;
  std::string bytes;
  MediaFacts facts;
  size_t read = 0;
};

inline Outcome CleanBytes(std::string_view mime, std::string_view bytes) {
  MemoryReader reader(bytes);
  MemorySink sink;
  const auto cleaned = Clean(reader, mime, sink);
  Outcome out;
  out.read = reader.read();
  if (!cleaned.ok()) {
    EXPECT_EQ(cleaned.error().code, protocol::ErrorCode::kUnsupportedType);
    return out;
  }
  out.ok = true;
  out.changed = cleaned->kind == Cleaned::Kind::kCleaned;
  out.bytes = out.changed ? sink.out() : std::string(bytes);
  out.facts = cleaned->facts;
  EXPECT_EQ(cleaned->size, static_cast<int64_t>(out.bytes.size()));
  EXPECT_EQ(sink.out(), out.changed ? out.bytes : "") << "nothing is written for a file that stays";
  return out;
}

inline bool Contains(std::string_view bytes, std::string_view part) {
  return bytes.find(part) != std::string_view::npos;
}

// Cleans a file in which "SECRET" was planted; the result has none, and cleaning it again changes nothing.
inline Outcome ExpectCleaned(std::string_view mime, const std::string& bytes) {
  EXPECT_TRUE(Contains(bytes, "SECRET")) << "nothing was planted";
  Outcome out = CleanBytes(mime, bytes);
  EXPECT_TRUE(out.ok);
  EXPECT_TRUE(out.changed);
  EXPECT_FALSE(Contains(out.bytes, "SECRET"));
  const Outcome again = CleanBytes(mime, out.bytes);
  EXPECT_TRUE(again.ok);
  EXPECT_FALSE(again.changed);
  EXPECT_EQ(std::pair(again.facts.w, again.facts.h), std::pair(out.facts.w, out.facts.h));
  return out;
}

inline void ExpectUnchanged(std::string_view mime, const std::string& bytes) {
  const Outcome out = CleanBytes(mime, bytes);
  EXPECT_TRUE(out.ok);
  EXPECT_FALSE(out.changed);
}

// A file cut at any byte is rejected, or its rest has nothing planted.
inline void ExpectSafeWhenCut(std::string_view mime, const std::string& bytes) {
  for (size_t size = 0; size < bytes.size(); ++size) {
    const Outcome out = CleanBytes(mime, bytes.substr(0, size));
    EXPECT_FALSE(out.ok && Contains(out.bytes, "SECRET")) << "cut after " << size << " bytes";
  }
}

// With any number of the file replaced by an extreme one, a cleaning ends and reads the file a few times.
inline void ExpectBoundedWhenChanged(std::string_view mime, const std::string& bytes) {
  for (const std::string& number : {"\0\0\0\0"s, "\xff\xff\xff\xff"s, "\0\0\0\x01"s, "\x7f\xff\xff\xff"s}) {
    for (size_t at = 0; at + number.size() <= bytes.size(); ++at) {
      std::string changed = bytes;
      changed.replace(at, number.size(), number);
      const Outcome out = CleanBytes(mime, changed);
      EXPECT_LE(out.bytes.size(), bytes.size() + 64);
    }
  }
}

inline void ExpectSides(const Outcome& outcome, int64_t w, int64_t h) {
  EXPECT_EQ(outcome.facts.w, w);
  EXPECT_EQ(outcome.facts.h, h);
}

}  // namespace parley::features::clean
