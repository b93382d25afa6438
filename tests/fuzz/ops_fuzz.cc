// Whole ops against a whole server (tests/gateway/op_script_support.h): the bytes choose the ops, at most two
// hundred requests.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/gateway/op_script_support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace parley::gateway_test;
  ByteChoices choices({reinterpret_cast<const char*>(data), size});
  const OpScriptReport report = RunOpScript(choices, 200);
  for (const std::string& complaint : report.complaints) std::fprintf(stderr, "%s\n", complaint.c_str());
  // A failed expectation of the fake server runs outside any test, and is a finding, too.
  if (!report.complaints.empty() || testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed())
    std::abort();
  return 0;
}
