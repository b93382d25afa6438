// Files of the types that are cleaned: any bytes end with a result or UNSUPPORTED_TYPE, after steps bounded
// by their number; a cleaned file is clean, and its size is the one that was reported.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "features/files/clean/clean.h"

namespace {

using namespace parley::features::clean;

void Expect(bool holds) {
  if (!holds) std::abort();
}

class Reader final : public ByteReader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  int64_t size() const override { return static_cast<int64_t>(bytes_.size()); }
  parley::protocol::Result<std::string> ReadAt(int64_t offset, size_t size) override {
    Expect(offset >= 0 && offset <= this->size() && size <= size_t{64} << 10);
    ++reads_;
    return std::string(bytes_.substr(static_cast<size_t>(offset), size));
  }
  size_t reads() const { return reads_; }

 private:
  const std::string_view bytes_;
  size_t reads_ = 0;
};

class Sink final : public ByteSink {
 public:
  parley::protocol::Status Append(std::string_view bytes) override {
    out_ += bytes;
    return parley::protocol::Ok();
  }
  const std::string& out() const { return out_; }

 private:
  std::string out_;
};

void TryType(std::string_view mime, std::string_view bytes) {
  Reader reader(bytes);
  Sink sink;
  const auto cleaned = Clean(reader, mime, sink);
  Expect(reader.reads() <= 64 + 8 * bytes.size());
  Reader again_reader(bytes);
  Expect(ReadMediaFacts(again_reader, mime).ok());
  if (!cleaned.ok()) return Expect(cleaned.error().code == parley::protocol::ErrorCode::kUnsupportedType);
  if (cleaned->kind == Cleaned::Kind::kUnchanged) return Expect(sink.out().empty());
  Expect(static_cast<int64_t>(sink.out().size()) == cleaned->size && sink.out().size() <= bytes.size() + 64);
  Reader result(sink.out());
  Sink none;
  const auto again = Clean(result, mime, none);
  Expect(again.ok() && again->kind == Cleaned::Kind::kUnchanged && none.out().empty());
  Expect(again->facts.w == cleaned->facts.w && again->facts.h == cleaned->facts.h);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const char* mime : {"image/jpeg", "image/png", "image/webp", "image/gif", "image/heic", "video/mp4"})
    TryType(mime, bytes);
  return 0;
}
