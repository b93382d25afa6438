// The same operations on the table engine in this process, over RocksDB with its sync: what is left when
// there is no wire. Requests are ready as the engine takes them; a group is what many clients would have sent
// at once.
#pragma once

#include <memory>
#include <string>

#include "bench/tables/table_requests.h"

namespace parley::bench {

struct EngineTurn {
  double per_second = 0;
  double cpu_us = 0;  // of the whole process, for one operation
};

class EngineLoad {
 public:
  EngineLoad(const std::string& dir, size_t items);  // fills it
  ~EngineLoad();
  // `plan.clients` writes are one group.
  EngineTurn Run(const TablePlan& plan, TableOp op, double seconds);

 private:
  struct Store;
  void Read(TableOp op, const Picks& picks);

  const std::unique_ptr<Store> store_;
};

}  // namespace parley::bench
