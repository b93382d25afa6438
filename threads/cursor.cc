#include "threads/cursor.h"

#include "protocol/base/crypto.h"

namespace parley::threads {
namespace {
constexpr size_t kMacSize = 16;
constexpr size_t kCursorMax = 512;

void AppendPart(std::string* out, std::string_view part) {
  *out += std::to_string(part.size());
  *out += ':';
  *out += part;
}
}  // namespace

CursorCodec::CursorCodec(std::string_view store_secret)
    : key_(protocol::HmacSha256(store_secret, "cursor")) {}

std::string CursorCodec::MacOf(const Caller& caller, std::string_view query,
                               std::string_view position) const {
  std::string input;
  AppendPart(&input, caller.tenant.value);
  AppendPart(&input, caller.user ? caller.user->value : "");
  AppendPart(&input, query);
  AppendPart(&input, position);
  return protocol::HmacSha256(key_, input).substr(0, kMacSize);
}

std::string CursorCodec::Seal(const Caller& caller, std::string_view query, std::string_view position) const {
  return protocol::Base64Url(MacOf(caller, query, position) + std::string(position));
}

std::optional<std::string> CursorCodec::Open(const Caller& caller, std::string_view query,
                                             std::string_view cursor) const {
  std::string raw;
  if (cursor.size() > kCursorMax || !protocol::FromBase64Url(cursor, &raw) || raw.size() < kMacSize)
    return std::nullopt;
  std::string position = raw.substr(kMacSize);
  if (!protocol::ConstantTimeEqual(MacOf(caller, query, position), std::string_view(raw).substr(0, kMacSize)))
    return std::nullopt;
  return position;
}

}  // namespace parley::threads
