// Storage backends for tests: a table, and a way to close and reopen its store.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/table.h"

namespace parley::storage {

class StoreUnderTest {
 public:
  virtual ~StoreUnderTest() = default;
  virtual Table& table() = 0;
  virtual void Reopen() = 0;  // closes and opens again; requires that no snapshot is alive
};

std::vector<std::string> BackendNames();
std::unique_ptr<StoreUnderTest> MakeStore(std::string_view backend);

}  // namespace parley::storage
