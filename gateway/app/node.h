// The server without its sockets: storage, executor, fan-out and I/O threads, wired by hand. main.cc gives it
// threads and a network; tests and the simulator step it.
//
// Stop order (main.cc): stop accepting → drain sessions → stop the readers (reads whose clients are gone are
// dropped) → stop the executor (finishes its queue) → stop the worker → close the table. Thread contract:
// AddIoThread and Open before anything runs; the rest from any I/O thread. executors(), worker() and
// read_pool() have their own threads.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "accounts/records/use_notes.h"
#include "accounts/stored_table_keys.h"
#include "accounts/table_keys.h"
#include "accounts/tenants/tenant_directory.h"
#include "accounts/tokens/credential_check_pool.h"
#include "fanout/change_feed.h"
#include "fanout/log_relay.h"
#include "fanout/worker.h"
#include "features/host/feature.h"
#include "gateway/app/authenticator.h"
#include "gateway/app/config.h"
#include "gateway/app/error_log.h"
#include "gateway/app/io_thread.h"
#include "gateway/app/rate_limits.h"
#include "gateway/app/read_pool.h"
#include "gateway/app/scrubber.h"
#include "gateway/app/sweeper.h"
#include "gateway/net/reader_budget.h"
#include "protocol/base/metrics.h"
#include "storage/committer.h"
#include "storage/engine/catalog.h"
#include "storage/engine/item_writer.h"
#include "threads/engine/executors.h"
#include "threads/model/cursor.h"

namespace parley::gateway {

extern const char kNoTenant[];  // shown to the operator at the first start

class Node final : private threads::AnswerSink, private fanout::NoticeSink, private storage::ItemAnswerSink {
 public:
  // Creates one I/O thread, on `loop`. `sealer` seals the store's secrets. `operator_key`: empty if there is
  // no operator.
  Node(storage::Table& table, const protocol::Clock& clock, protocol::IdSource& ids, Loop& loop,
       const Config& config, protocol::Metrics& metrics, storage::Sealer sealer,
       std::string operator_key = {});
  ~Node();

  // Adds an I/O thread on another loop.
  void AddIoThread(Loop& loop);
  // Reads the projections' cursors and starts the sweeper. Returns "" on success.
  std::string Open();

  storage::Table& table() { return table_; }
  const protocol::Clock& clock() const { return clock_; }
  bool ConfirmClock();  // Clock::Confirm; blocked writes continue
  const Config& config() const { return config_; }
  protocol::Metrics& metrics() { return metrics_; }
  // RenderMetrics makes the answer of /metrics. DescribeMetrics lists its metrics ("name type help", sorted):
  // those of metrics() and those that the I/O threads count per op.
  std::string RenderMetrics();
  std::vector<std::string> DescribeMetrics() const;
  threads::Executors& executors() { return executors_; }
  fanout::Worker& worker() { return worker_; }
  // The position up to which the audit chains include the acts of staff in threads.
  fanout::Watermark& audit_reached() { return audit_relay_->reached(); }
  ReadPool& read_pool() { return read_pool_; }
  const storage::Catalog& catalog() const { return catalog_; }
  storage::ItemWriter& item_writer() { return item_writer_; }
  const Sweeper& sweeper() const { return sweeper_; }
  Scrubber& scrubber() { return scrubber_; }
  const Authenticator& authenticator() const { return authenticator_; }
  accounts::TableKeys& table_keys() { return table_keys_; }
  accounts::CredentialCheckPool& password_hash_pool() { return password_hash_pool_; }
  // Separate, since a signature check takes a thousandth of a slow hash and must not wait for one.
  accounts::CredentialCheckPool& signature_check_pool() { return signature_check_pool_; }
  accounts::SecretProver& prover() { return prover_; }
  // Recorded asynchronously; no request waits for it.
  void NoteTenantKeyUse(const protocol::TenantId& tenant, const std::string& key_id,
                        const std::string& secret);
  void NoteApiKeyUse(const protocol::TenantId& tenant, const protocol::UserId& user,
                     const std::string& key_id);
  const threads::CursorCodec& cursors() const { return cursors_; }
  RateLimits& rate_limits() { return rate_limits_; }
  threads::Checks& checks() { return *checks_; }
  features::Service* FindService(std::string_view feature) const;
  // Call once, when the I/O threads have ended.
  void StopServices();
  // Propagates a block or unblock to all I/O threads, asynchronously.
  void PublishPairChange(const PairChange& change);
  // Numbers decisions about blocks. On the item writer's thread.
  uint64_t NextPairChange() { return ++pair_changes_; }
  const RateLimits& rate_limits() const { return rate_limits_; }
  threads::TenantRules RulesOf(const protocol::TenantId& tenant) const {
    return check_parts_.rules_of(tenant);
  }
  const accounts::TenantDirectory& tenants() const { return tenants_; }
  accounts::TenantDirectory& tenants() { return tenants_; }
  const storage::Sealer& sealer() const { return sealer_; }  // for secret attributes
  // Numbers decisions about tenants, for TenantDirectory::Publish. On the item writer's thread.
  uint64_t NextTenantOrder() { return ++tenant_order_; }

  const std::vector<std::unique_ptr<IoThread>>& io_threads() const { return io_threads_; }
  // The I/O thread that runs the sweeper; the only one, unless io_threads is set.
  IoThread& io() { return *io_threads_.front(); }

  // Returns the reason why the node should get no traffic, or "": a fault in storage or a projection, the
  // clock, or draining. `with_details`: the reason may name files, tenants and threads.
  std::string NotReady(bool with_details = true) const;
  // Returns faults that do not affect readiness, one per line, or "". `with_names`: they may name tenants and
  // threads.
  std::string Remarks(bool with_names) const;
  void SetDraining() { draining_ = true; }
  bool draining() const { return draining_; }

  // Rises when the executor has committed or answered, before anyone is notified: older snapshots are then
  // stale.
  uint64_t turns() const { return turns_.load(std::memory_order_acquire) + changes_.commits(); }

  // The folders that this server offers to a tenant's users.
  protocol::FolderSet FoldersOf(const protocol::TenantId& tenant) const;

  // Makes the input of a read. Both references must outlive it. Any thread.
  threads::ReadContext ContextOf(const storage::Reader& reader, const threads::Caller& caller) const;

  ErrorLog& errors() { return errors_; }
  threads::Tracer& tracer() { return tracer_; }

  // The budget of all readers, which the transports share.
  const std::shared_ptr<ReaderBudget>& readers() const { return readers_; }

  // Returns true if this user may have one more session. I/O threads that ask at the same moment may each
  // exceed config().max_sessions_per_user by one.
  bool AdmitSession(const threads::Caller& caller) const;

  // Ends live sessions on all I/O threads, asynchronously. The revocation is already on disk, so none can
  // reconnect.
  void Revoke(const Revocation& revocation);

 private:
  bool AnyFollowsInbox() const;
  void OnAnswers(std::vector<threads::Finished> finished) override;
  void AddRelays();
  void AddServices();
  void StoreDemo();
  void NoteUse(const protocol::TenantId& tenant,
               std::function<protocol::Status(accounts::RecordTransaction&)> note);
  void OnItemAnswers(std::vector<storage::ItemJob> done, const storage::Status& status) override;
  void OnEntries(std::vector<fanout::EntryNotice> notices, storage::Position through) override;
  void OnWake(protocol::Time at) override { sweeper_.OnWake(at); }

  storage::Table& table_;
  const protocol::Clock& clock_;
  protocol::IdSource& ids_;
  const storage::Sealer sealer_;
  accounts::TenantDirectory tenants_;
  const Config config_;
  protocol::Metrics& metrics_;
  const std::shared_ptr<ReaderBudget> readers_;
  ReadPool read_pool_;
  const fanout::Framer framer_;
  std::vector<std::unique_ptr<IoThread>> io_threads_;
  Authenticator authenticator_;
  storage::Committer committer_;
  storage::Catalog catalog_;
  storage::ItemWriter item_writer_;
  accounts::StoredTableKeys table_key_store_;
  accounts::TableKeys table_keys_;
  accounts::UseNotes key_uses_;
  accounts::CredentialCheckPool password_hash_pool_, signature_check_pool_;
  accounts::ProvenSecrets proven_secrets_;
  accounts::SecretProver prover_;
  threads::CursorCodec cursors_;
  RateLimits rate_limits_;
  const features::CheckParts check_parts_;
  const std::unique_ptr<const threads::People> people_;
  const std::shared_ptr<threads::Checks> checks_;
  fanout::Worker worker_;
  std::vector<std::unique_ptr<fanout::LogRelay>> relays_;                    // the features'
  std::map<std::string_view, std::unique_ptr<features::Service>> services_;  // by their feature's name
  fanout::LogRelay* audit_relay_ = nullptr;
  Scrubber scrubber_;
  fanout::ChangeFeed changes_;
  threads::Tracer tracer_;
  threads::Executors executors_;
  Sweeper sweeper_;
  const protocol::FolderSet folders_;  // for tenants that set none
  uint64_t tenant_order_ = 0, pair_changes_ = 0;
  std::atomic<uint64_t> turns_{0};
  std::atomic<bool> draining_{false};
  ErrorLog errors_;
  int64_t start_ahead_ms_ = 0;  // how far the clock was ahead of the store's last change
};

}  // namespace parley::gateway
