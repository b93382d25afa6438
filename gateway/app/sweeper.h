// Runs timed work: ends snoozes, archives idle threads, posts safety tips, expires cards, removes
// reservations, quotas and the data of deleted users, and applies decisions about cases. It sleeps until the
// earliest row of the wake index, for an hour at most, posts due work to the executor as commands, and
// retries failed work at a slower pace.
//
// Thread contract: the node's first I/O thread, except OnWake; the index is read on a thread of the pool.
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

  // Checks for due work now, and from then on whenever some is due.
  void Start();
  // The index has a new row. From any thread.
  void OnWake(protocol::Time at);
  // The time from which a tenant's index is read: finished work lies before it, in deleted rows.
  protocol::Time ReadsFrom(const protocol::TenantId& tenant) const {
    const auto at = read_from_.find(tenant);
    return at == read_from_.end() ? protocol::Time{0} : at->second;
  }

 private:
  struct Due {
    protocol::TenantId tenant;
    fanout::Wake wake;                     // for reservations and quotas, only the time
    bool reservations = false;             // the tenant's, not a thread's
    std::optional<size_t> quotas_of = {};  // the tenant's, in this executor
    friend bool operator==(const Due&, const Due&) = default;
  };
  void Arm(protocol::Time at);
  void Retry();
  void Sweep();
  // The results of a check of the store.
  struct Found {
    std::vector<Due> due;
    std::optional<protocol::Time> next;                       // when the next work is due
    std::vector<std::vector<features::DueTask>> of_features;  // in the order of `due_`
    std::map<protocol::TenantId, protocol::Time> read_from;
  };
  void Act(Found found);
  void Begin(std::vector<std::vector<features::DueTask>> of_features);
  // Find the work due by `now`, at most a batch per tenant, and the time of the next. On any thread.
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
  struct OfFeature {
    const features::Feature* feature;
    const features::Due* due;
  };
  // The timed work of features, and the number of running tasks of each.
  std::vector<OfFeature> due_;
  std::vector<size_t> running_;
  bool skipped_ = false;                    // tasks were found while others of their kind ran
  size_t outstanding_ = 0;                  // commands posted and not yet answered
  bool failed_ = false;                     // one of them failed
  bool looking_ = false;                    // a reader thread looks for due work
  std::optional<protocol::Time> reported_;  // the earliest new row reported since that began
  bool busy_ = false;                       // from a sweep with results until the index has caught up
  bool started_ = false;
  std::map<protocol::TenantId, protocol::Time> read_from_;  // no undone row lies before it
  std::optional<Due> first_;  // the first result of the last sweep: if it is found again, it had no effect
  protocol::Counter tasks_;
};

}  // namespace parley::gateway
