// The same operations on the table engine in this process, over RocksDB with its sync: the cost
// without a wire. Requests are in the engine's form; a group is the simultaneous requests of many
// clients.
#pragma once

#include <memory>
#include <string>

#include "bench/tables/table_requests.h"

namespace parley::bench {

struct EngineTurn {
  double per_second = 0;
  double cpu_us = 0;  // the whole process's, for one operation
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
