// Details of a storage fault are only logged; a client is asked to retry.
#include "threads/model/row_reader.h"

#include <gtest/gtest.h>

namespace parley::threads {
namespace {

TEST(RowReader, reports_a_storage_fault_without_its_detail) {
  using storage::StatusCode;
  for (const StatusCode code :
       {StatusCode::kThrottled, StatusCode::kUnknown, StatusCode::kUnavailable, StatusCode::kCorrupt}) {
    const Error error = FromStorage({code, "/srv/secret/000012.sst: bad block"});
    EXPECT_EQ(error.code, code == StatusCode::kCorrupt ? ErrorCode::kInternal : ErrorCode::kUnavailable);
    EXPECT_EQ(error.message.find("secret"), std::string::npos) << error.message;
  }
}

}  // namespace
}  // namespace parley::threads
