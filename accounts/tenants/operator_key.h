// The operator key: who has it runs the server. Made at the first start, in a file that only its owner reads;
// whoever replaces the file and restarts the server has replaced the key.
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
// INTERNAL with a sentence for a person: the file cannot be made or read, holds something else, or is open to
// others.
protocol::Result<OperatorKey> LoadOperatorKey(const std::string& dir);

}  // namespace parley::accounts
