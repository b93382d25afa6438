// Reads any bytes as each header of an upload or a download, and as the beginning of a file. Reading does not
// crash. Metadata that is read is read again from its own form; a range lies within its file; a type that is
// not known fits no file.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "features/files/byte_range.h"
#include "features/files/disposition.h"
#include "features/files/magic.h"
#include "features/files/tus.h"
#include "protocol/base/encoding.h"

namespace {

using namespace parley::features;

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckMetadata(std::string_view header) {
  const auto parsed = ParseTusMetadata(header);
  if (!parsed.ok()) return;
  Require(parsed->size() <= kTusMetadataMax);
  std::string again;
  for (const auto& [key, value] : *parsed) {
    Require(FindTusValue(*parsed, key) != nullptr && *FindTusValue(*parsed, key) == value);
    again += (again.empty() ? "" : ",") + key + " " + parley::protocol::Base64(value);
  }
  if (again.size() > kTusMetadataBytesMax) return;
  const auto twice = ParseTusMetadata(again);
  Require(twice.ok() && *twice == *parsed);
}

void CheckChecksum(std::string_view header) {
  const auto parsed = ParseTusChecksum(header);
  if (!parsed.ok()) return;
  const bool sha1 = parsed->algorithm == TusChecksum::Algorithm::kSha1;
  Require(parsed->digest.size() == (sha1 ? 20 : 32));
}

void CheckRange(std::string_view header) {
  for (const int64_t size : {int64_t{0}, int64_t{1}, int64_t{10}, int64_t{1} << 40}) {
    const RangeAnswer answer = AnswerRange(header, size);
    if (answer.kind == RangeKind::kWhole) Require(answer.range == ByteRange{0, size});
    if (answer.kind != RangeKind::kPart) continue;
    Require(answer.range.begin >= 0 && answer.range.begin < answer.range.end && answer.range.end <= size);
  }
}

void CheckHead(std::string_view head) {
  for (const char* type :
       {"image/jpeg", "image/png", "image/gif", "image/webp", "image/heic", "image/avif", "video/mp4",
        "video/quicktime", "application/pdf", "application/zip", "text/plain"}) {
    // Only the first bytes count.
    Require(FitsType(type, head) == FitsType(type, head.substr(0, kMagicBytes)));
  }
  Require(!FitsType("text/html", head));
}

// The header stays one line of plain characters.
void CheckName(std::string_view name) {
  const std::string header = Disposition("image/png", name);
  Require(std::all_of(header.begin(), header.end(), [](char c) { return c >= ' ' && c < 0x7f; }));
  Require(std::count(header.begin(), header.end(), '"') == 2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (const auto count = ParseByteCount(input)) Require(*count >= 0 && *count <= int64_t{1} << 53);
  CheckMetadata(input);
  CheckChecksum(input);
  CheckRange(input);
  CheckHead(input);
  CheckName(input);
  return 0;
}
