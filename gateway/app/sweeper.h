// Does what has come due: ends snoozes, archives idle threads, posts safety tips, lets cards lapse, removes
// reservations, quotas and what deleted users left, and carries out what was decided about cases. Sleeps
// until the earliest row of the index of wakes, for an hour at most; posts what it finds due to the executor
// as commands, and retries what cannot be done at a slower pace.
//
// Thread contract: the thread of the node's first I/O thread, but for OnWake; the index is read on a thread
// of the pool.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fanout/keys.h"
#include "features/host/feature.h"
#include "gateway/net/loop.h"
#include "protocol/base/clock.h"
#include "protocol/base/metrics.h"
#include "threads/engine/executor.h"

namespace parley::gateway {

class Node;

class Sweeper {
 public:
  Sweeper(Node& node, protocol::Metrics& metrics);

  // Looks at once for what is due, and from then on whenever the time has come.
  void Start();
  // The index has a new row. From any thread.
  void OnWake(protocol::Time at);
  // Where reading a tenant's index starts: finished work lies before it, in deleted rows.
  protocol::Time ReadsFrom(const protocol::TenantId& tenant) const {
    const auto at = read_from_.find(tenant);
    return at == read_from_.end() ? protocol::Time{0} : at->second;
  }

 private:
  struct Due {
    protocol::TenantId tenant;
    fanout::Wake wake;                     // for reservations: the time alone
    bool reservations = false;             // the tenant's, not a thread's
    std::optional<size_t> quotas_of = {};  // the tenant's, of this executor: likewise
    friend bool operator==(const Due&, const Due&) = default;
  };
  void Arm(protocol::Time at);
  void Retry();
  void Sweep();
  // What a look at the store found.
  struct Found {
    std::vector<Due> due;
    std::optional<protocol::Time> next;                       // when there will be more
    std::vector<std::vector<features::DueTask>> of_features;  // in the order of `due_`
    std::map<protocol::TenantId, protocol::Time> read_from;
  };
  void Act(Found found);
  void Begin(std::vector<std::vector<features::DueTask>> of_features);
  // What is due by `now`, at most a batch of each tenant, and when the next thing will be. On any thread.
  static void FindReservations(const storage::Reader& reader, const protocol::TenantId& tenant,
                               protocol::Time now, Found* out);
  static void FindQuotas(const storage::Reader& reader, const protocol::TenantId& tenant, protocol::Time now,
                         Found* out);
  static Found Find(const storage::Reader& reader, const std::vector<protocol::TenantId>& tenants,
                    protocol::Time now, std::map<protocol::TenantId, protocol::Time> read_from);
  void Post(const Due& due, const std::string& from);
  void OnDone(bool ok);

  Node& node_;
  std::unique_ptr<Timer> timer_;
  protocol::Time armed_at_;
  // The timed work of features, and how many tasks of each still run.
  std::vector<const features::Due*> due_;
  std::vector<size_t> running_;
  size_t outstanding_ = 0;              // commands posted and not yet answered
  bool failed_ = false;                 // one of them was not carried out
  bool looking_ = false;                // a reader thread looks what is due
  std::optional<protocol::Time> told_;  // meanwhile, of the earliest new row
  bool busy_ = false;                   // from a sweep that found something until the index has followed
  bool started_ = false;
  std::map<protocol::TenantId, protocol::Time> read_from_;  // there is no row before it
  std::optional<Due> first_;  // of the last sweep: if it is there again, nothing came of it
  protocol::Counter tasks_;
};

}  // namespace parley::gateway
