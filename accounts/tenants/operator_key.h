// The operator key, for the person who runs the server. Created at the first start, in a file that only its
// owner may read; to replace the key, replace the file and restart the server.
#pragma once

#include <string>
#include <string_view>

#include "protocol/base/result.h"

namespace parley::accounts {

inline constexpr std::string_view kOperatorKeyPrefix = "opk_";
inline constexpr std::string_view kOperatorKeyFile = "operator.key";  // in the data directory

struct OperatorKey {
  std::string key;
  bool is_new = false;
};
// INTERNAL with a sentence for a person: the file cannot be created or read, has other content, or is open to
// others.
protocol::Result<OperatorKey> LoadOperatorKey(const std::string& dir);

}  // namespace parley::accounts
