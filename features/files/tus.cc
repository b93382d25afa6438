#include "features/files/tus.h"

#include <algorithm>
#include <charconv>

#include "protocol/base/encoding.h"

namespace parley::features {
namespace {

using protocol::Error;

constexpr int64_t kByteCountMax = int64_t{1} << 53;

std::string_view Trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

bool IsKey(std::string_view key) {
  return !key.empty() && key.size() <= 64 &&
         std::all_of(key.begin(), key.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

}  // namespace

std::optional<int64_t> ParseByteCount(std::string_view text) {
  int64_t value = 0;
  if (text.empty() || text.front() == '-') return std::nullopt;
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || at != text.data() + text.size() || value > kByteCountMax) return std::nullopt;
  return value;
}

protocol::Result<TusMetadata> ParseTusMetadata(std::string_view header) {
  if (header.size() > kTusMetadataBytesMax) return Error::BadField("Upload-Metadata", "is too long");
  TusMetadata out;
  while (!header.empty()) {
    const size_t end = std::min(header.find(','), header.size());
    const std::string_view pair = Trimmed(header.substr(0, end));
    header.remove_prefix(std::min(end + 1, header.size()));
    const size_t blank = std::min(pair.find(' '), pair.size());
    const std::string_view key = pair.substr(0, blank);
    std::string value;
    const bool sound = IsKey(key) && protocol::FromBase64(Trimmed(pair.substr(blank)), &value);
    if (!sound || FindTusValue(out, key) || out.size() == kTusMetadataMax)
      return Error::BadField("Upload-Metadata", "is not a list of keys with values in base64");
    out.emplace_back(key, std::move(value));
  }
  return out;
}

const std::string* FindTusValue(const TusMetadata& metadata, std::string_view key) {
  const auto found =
      std::find_if(metadata.begin(), metadata.end(), [&](const auto& pair) { return pair.first == key; });
  return found == metadata.end() ? nullptr : &found->second;
}

protocol::Result<TusChecksum> ParseTusChecksum(std::string_view header) {
  const size_t blank = std::min(header.find(' '), header.size());
  const std::string_view name = header.substr(0, blank);
  TusChecksum out;
  size_t size = 32;
  if (name == "sha1") {
    out.algorithm = TusChecksum::Algorithm::kSha1;
    size = 20;
  } else if (name != "sha256") {
    return Error::BadField("Upload-Checksum", "names an algorithm other than sha1 and sha256");
  }
  if (!protocol::FromBase64(Trimmed(header.substr(blank)), &out.digest) || out.digest.size() != size)
    return Error::BadField("Upload-Checksum", "is not a digest in base64");
  return out;
}

protocol::HttpHeaders TusHeaders() {
  return {{"Tus-Resumable", std::string(kTusVersion)}, {"Cache-Control", "no-store"}};
}

protocol::HttpHeaders TusOptions(int64_t largest) {
  protocol::HttpHeaders out{{"Tus-Resumable", std::string(kTusVersion)},
                            {"Tus-Version", std::string(kTusVersion)},
                            {"Tus-Extension", std::string(kTusExtensions)},
                            {"Tus-Checksum-Algorithm", std::string(kTusChecksums)}};
  if (largest > 0) out.emplace_back("Tus-Max-Size", std::to_string(largest));
  return out;
}

}  // namespace parley::features
