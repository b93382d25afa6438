#include "threads/model/cursor.h"

#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"

namespace parley::threads {
namespace {
constexpr size_t kCursorMax = 512;

void AppendPart(std::string* out, std::string_view part) {
  *out += std::to_string(part.size());
  *out += ':';
  *out += part;
}
}  // namespace

CursorCodec::CursorCodec(std::string_view store_secret)
    : key_(protocol::HmacSha256(store_secret, "cursor")) {}

std::string CursorCodec::KeyOf(const Caller& caller, std::string_view query) const {
  std::string input;
  AppendPart(&input, caller.tenant.value);
  AppendPart(&input, caller.user ? caller.user->value : "");
  AppendPart(&input, query);
  return protocol::HmacSha256(key_, input);
}

std::string CursorCodec::Seal(const Caller& caller, std::string_view query, std::string_view position) const {
  return protocol::Base64Url(protocol::SealBytes(KeyOf(caller, query), position));
}

std::optional<std::string> CursorCodec::Open(const Caller& caller, std::string_view query,
                                             std::string_view cursor) const {
  std::string raw;
  if (cursor.size() > kCursorMax || !protocol::FromBase64Url(cursor, &raw)) return std::nullopt;
  return protocol::OpenBytes(KeyOf(caller, query), raw);
}

}  // namespace parley::threads
