// Programs that use tables in the simulation: they move money between accounts, count, and change the status
// of events, each thing one request at a time, and remember the acknowledgements. They have their own source
// of chance, so that the other actors of a run do not depend on them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "storage/engine/item_reads.h"
#include "storage/engine/item_writes.h"
#include "tests/sim/process_support.h"

namespace parley::sim {

class TableUsers {
 public:
  TableUsers(uint64_t seed, std::vector<std::string>* complaints)
      : random_(seed ^ 0x7461626c65), complaints_(complaints) {}

  // Does something or nothing; and steps the writer, or not.
  void Work(Process& process);
  // Outstanding answers will not come.
  void ProcessGone();
  // Checks that acknowledged writes are there, and that indexes agree with them. REQUIRES: the process is at
  // rest.
  void Check(Process& process, const char* when);

  size_t acknowledged() const { return acknowledged_; }
  size_t moves() const { return moves_; }
  size_t expired() const { return expired_; }

 private:
  // The known state of one item: as acknowledged, or as the request in flight would set it.
  struct Known {
    std::string now;                       // empty if it does not exist
    std::optional<std::string> candidate;  // requested, and not answered or of unknown outcome
    bool busy = false;
  };
  using Settled = std::function<void(bool done)>;

  void MakeTable(Process& process);
  void Move(Process& process);
  void Count(Process& process);
  void ChangeEvent(Process& process);
  void ReadEvents(Process& process);
  void Submit(Process& process, std::function<storage::MaybeFault(storage::ItemTransaction&)> decide,
              Settled settled);
  void SubmitItem(Process& process, Known* known, const std::string& candidate,
                  const storage::WriteRequest& request);
  void Learn(Known* known, const std::string& found, const std::string& what, const char* when);
  std::set<std::string> Status(const storage::Reader& reader, Process& process, const char* status);
  std::optional<storage::Item> Read(const storage::Reader& reader, Process& process, const char* table,
                                    const std::string& pk, const std::string& sk = {});
  void Complain(const std::string& what) { complaints_->push_back(what); }
  size_t Roll(size_t below) { return static_cast<size_t>(random_() % below); }

  std::mt19937_64 random_;
  std::vector<std::string>* const complaints_;
  // Callbacks of a process that died check this and do nothing.
  std::shared_ptr<int> life_ = std::make_shared<int>();
  bool has_table_ = false, making_ = false;
  size_t names_ = 0, acknowledged_ = 0, moves_ = 0, expired_ = 0;
  Known counter_;
  std::map<std::string, Known> events_;  // id → status
  struct Transfer {
    size_t from, to;
    int amount;
  };
  std::map<std::string, Transfer> moved_, unsure_;  // by id: acknowledged; of unknown outcome
};

}  // namespace parley::sim
