// A world for sessions past their hello, in both encodings.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {

inline std::string SendArgs(const std::string& thread, const std::string& client_id,
                            const std::string& body = "x") {
  return Args({{"threadId", thread}, {"clientId", client_id}, {"type", "text"}, {"body", body}});
}

class SessionScene : public testing::TestWithParam<protocol::Encoding> {
 protected:
  FakeClient Join(const std::string& user) { return world_->Join(user, GetParam()); }
  World world_{DemoConfig()};
};

}  // namespace parley::gateway_test
