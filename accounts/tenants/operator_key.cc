#include "accounts/tenants/operator_key.h"

#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "storage/sealing/private_file.h"

namespace parley::accounts {
namespace {

using protocol::Error;
using protocol::ErrorCode;

constexpr size_t kKeySize = kOperatorKeyPrefix.size() + 64;

protocol::Result<std::string> Parse(std::string key, const std::string& path) {
  if (!key.empty() && key.back() == '\n') key.pop_back();
  const bool fits = key.size() == kKeySize && key.starts_with(kOperatorKeyPrefix) &&
                    key.find_first_not_of("0123456789abcdef", kOperatorKeyPrefix.size()) == std::string::npos;
  if (fits) return key;
  return Error(ErrorCode::kInternal, path + " holds no operator key: opk_ and 64 hexadecimal digits");
}

}  // namespace

protocol::Result<OperatorKey> LoadOperatorKey(const std::string& dir) {
  const std::string path = dir + "/" + std::string(kOperatorKeyFile);
  PARLEY_TRY(text, storage::ReadPrivateFile(path));
  if (text) {
    PARLEY_TRY(key, Parse(*std::move(text), path));
    return OperatorKey{std::move(key)};
  }
  OperatorKey made{std::string(kOperatorKeyPrefix) + protocol::Hex(protocol::RandomBytes(32)), true};
  PARLEY_CHECK_OK(storage::ReplacePrivateFile(path, made.key + "\n"));
  return made;
}

}  // namespace parley::accounts
