#include "features/files/links.h"

#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "threads/model/rows.h"

namespace parley::features {
namespace {

constexpr std::string_view kUpload = "upload", kFile = "file";
constexpr size_t kTokenBytesMax = 1024;

template <class T>
std::optional<T> Open(std::string_view key, std::string_view kind, std::string_view token) {
  std::string sealed;
  if (token.size() > kTokenBytesMax || !protocol::FromBase64Url(token, &sealed)) return std::nullopt;
  const auto plain = protocol::OpenBytes(key, sealed, kind);
  T out;
  if (!plain || !threads::DecodeStored(*plain, &out)) return std::nullopt;
  return out;
}

}  // namespace

LinkCodec::LinkCodec(std::string_view store_secret)
    : key_(protocol::HkdfSha256(store_secret, "", "links of files")) {}

std::string LinkCodec::Seal(const UploadLink& link) const {
  return protocol::Base64Url(protocol::SealBytes(key_, protocol::Encode(link), kUpload));
}

std::string LinkCodec::Seal(const FileLink& link) const {
  return protocol::Base64Url(protocol::SealBytes(key_, protocol::Encode(link), kFile));
}

std::optional<UploadLink> LinkCodec::OpenUpload(std::string_view token) const {
  return Open<UploadLink>(key_, kUpload, token);
}

std::optional<FileLink> LinkCodec::OpenFile(std::string_view token) const {
  return Open<FileLink>(key_, kFile, token);
}

}  // namespace parley::features
