// Reads parts of tokens, and matches the reason for rejecting one.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <variant>

#include "accounts/jwt.h"
#include "protocol/base/encoding.h"

namespace parley::accounts {

inline std::string Decoded(std::string_view text) {
  std::string out;
  EXPECT_TRUE(protocol::FromBase64Url(text, &out)) << text;
  return out;
}

inline testing::Matcher<std::variant<Claims, TokenFault>> IsFault(TokenFault fault) {
  return testing::VariantWith<TokenFault>(fault);
}

}  // namespace parley::accounts
