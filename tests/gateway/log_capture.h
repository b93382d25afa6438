// Captures the log while it lives, at a server's default level.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "protocol/base/log.h"

namespace parley::gateway_test {

class LogCapture {
 public:
  LogCapture() {
    testing::internal::CaptureStderr();
    protocol::StartLogging(protocol::LogLevel::kInfo);
  }
  ~LogCapture() {
    protocol::StartLogging(protocol::LogLevel::kOff);
    if (!taken_) testing::internal::GetCapturedStderr();
  }
  std::string Take() {
    taken_ = true;
    return testing::internal::GetCapturedStderr();
  }

 private:
  bool taken_ = false;
};

}  // namespace parley::gateway_test
