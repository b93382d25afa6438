// The server without its sockets: storage, executor, fan-out and an I/O thread for each I/O thread, wired by
// hand. main.cc gives it threads and a network; tests and the simulator step it.
//
// Stop order (main.cc): stop accepting → drain sessions → stop the readers (what nobody waits for any more is
// dropped) → stop the executor (finishes what is queued) → stop the worker → close the table. Thread
// contract: AddLane and Open before anything runs; the rest from any I/O thread's thread. executors(),
// worker() and read_pool() have their own threads.
#pragma once

#include <atomic>
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
#include "features/events/expired_events.h"
#include "features/people/stored_people.h"
#include "features/requests/stored_contacts.h"
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

extern const char kNoTenant[];  // what an operator is told at the first start

class Node final : private threads::AnswerSink, private fanout::NoticeSink, private storage::ItemAnswerSink {
 public:
  // With one I/O thread, on `loop`. `sealer`: of the store's secrets. `operator_key`: empty where there is no
  // operator.
  Node(storage::Table& table, const protocol::Clock& clock, protocol::IdSource& ids, Loop& loop,
       const Config& config, protocol::Metrics& metrics, storage::Sealer sealer,
       std::string operator_key = {});
  ~Node();

  // Adds one more I/O thread's I/O thread.
  void AddIoThread(Loop& loop);
  // Reads the projections' cursors, and starts the clock's work. Empty on success.
  std::string Open();

  storage::Table& table() { return table_; }
  const protocol::Clock& clock() const { return clock_; }
  bool ConfirmClock();  // Clock::Confirm, and what was held up goes on
  const Config& config() const { return config_; }
  protocol::Metrics& metrics() { return metrics_; }
  // What /metrics answers, and what each metric of it is ("name type help", sorted): those of metrics(), and
  // what the I/O threads count by op.
  std::string RenderMetrics();
  std::vector<std::string> DescribeMetrics() const;
  threads::Executors& executors() { return executors_; }
  fanout::Worker& worker() { return worker_; }
  // Up to where the audit chains include what staff did in threads.
  fanout::Watermark& audit_reached() { return audit_relay_->reached(); }
  ReadPool& read_pool() { return read_pool_; }
  const storage::Catalog& catalog() const { return catalog_; }
  storage::ItemWriter& item_writer() { return item_writer_; }
  const Sweeper& sweeper() const { return sweeper_; }
  Scrubber& scrubber() { return scrubber_; }
  const Authenticator& authenticator() const { return authenticator_; }
  accounts::TableKeys& table_keys() { return table_keys_; }
  accounts::CredentialCheckPool& password_hash_pool() { return password_hash_pool_; }
  // Apart from those: a check of a signature takes a thousandth of a slow hash, and does not wait for any.
  accounts::CredentialCheckPool& signature_check_pool() { return signature_check_pool_; }
  accounts::SecretProver& prover() { return prover_; }
  // Soon, and at nobody's cost.
  void NoteTenantKeyUse(const protocol::TenantId& tenant, const std::string& key_id,
                        const std::string& secret);
  void NoteApiKeyUse(const protocol::TenantId& tenant, const protocol::UserId& user,
                     const std::string& key_id);
  const threads::CursorCodec& cursors() const { return cursors_; }
  RateLimits& rate_limits() { return rate_limits_; }
  features::StoredPeople& people() { return people_; }
  const features::StoredPeople& people() const { return people_; }
  // Two users are apart, or no longer: on all I/O threads, soon.
  void PublishPairChange(const PairChange& change);
  // Numbers such decisions. On the item writer's thread.
  uint64_t NextPairChange() { return ++pair_changes_; }
  const RateLimits& rate_limits() const { return rate_limits_; }
  const features::StoredContacts& contacts() const { return contacts_; }
  const accounts::TenantDirectory& tenants() const { return tenants_; }
  accounts::TenantDirectory& tenants() { return tenants_; }
  const storage::Sealer& sealer() const { return sealer_; }  // of secret attributes
  // Numbers decisions about tenants, for TenantDirectory::Publish. On the item writer's thread.
  uint64_t NextTenantOrder() { return ++tenant_order_; }

  const std::vector<std::unique_ptr<IoThread>>& io_threads() const { return io_threads_; }
  // The I/O thread that does the clock's work; with one I/O thread, the only one.
  IoThread& io() { return *io_threads_.front(); }

  // Why the node should get no traffic, or empty: a fault in storage or a projection, the clock, or draining.
  // `with_details`: which may name files, tenants and threads.
  std::string NotReady(bool with_details = true) const;
  // Faults in spite of which the node is ready, one per line; empty: none. `with_names`: of tenants and
  // threads, too.
  std::string Remarks(bool with_names) const;
  void SetDraining() { draining_ = true; }
  bool draining() const { return draining_; }

  // Rises when the executor has committed or answered, before anybody is told: a view from before is old
  // then.
  uint64_t turns() const { return turns_.load(std::memory_order_acquire) + changes_.commits(); }

  // The folders that this server offers to a tenant's users.
  protocol::FolderSet FoldersOf(const protocol::TenantId& tenant) const;

  // The input of a read. Both references outlive it. Any thread.
  threads::ReadContext ContextOf(const storage::Reader& reader, const threads::Caller& caller) const;

  ErrorLog& errors() { return errors_; }

  // What is held for all readers; the transports use the same budget.
  const std::shared_ptr<ReaderBudget>& readers() const { return readers_; }

  // Whether this user may have one more session. I/O threads that ask at the same moment may exceed
  // config().max_sessions_per_user by one each.
  bool AdmitSession(const threads::Caller& caller) const;

  // Ends live sessions, on all I/O threads, soon. What makes them end is on disk already, so that nobody
  // comes back.
  void Revoke(const Revocation& revocation);

 private:
  bool AnyFollowsInbox() const;
  void OnAnswers(std::vector<threads::Finished> finished) override;
  void AddRelays();
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
  features::ExpiredEvents expired_events_;
  storage::ItemWriter item_writer_;
  accounts::StoredTableKeys table_key_store_;
  accounts::TableKeys table_keys_;
  accounts::UseNotes key_uses_;
  accounts::CredentialCheckPool password_hash_pool_, signature_check_pool_;
  accounts::ProvenSecrets proven_secrets_;
  accounts::SecretProver prover_;
  threads::CursorCodec cursors_;
  const features::StoredContacts contacts_;
  RateLimits rate_limits_;
  features::StoredPeople people_;
  fanout::Worker worker_;
  std::vector<std::unique_ptr<fanout::LogRelay>> relays_;  // of the features
  fanout::LogRelay* audit_relay_ = nullptr;
  Scrubber scrubber_;
  fanout::ChangeFeed changes_;
  threads::Executors executors_;
  Sweeper sweeper_;
  const protocol::FolderSet folders_;  // where a tenant sets none
  uint64_t tenant_order_ = 0, pair_changes_ = 0;
  std::atomic<uint64_t> turns_{0};
  std::atomic<bool> draining_{false};
  ErrorLog errors_;
  int64_t start_ahead_ms_ = 0;  // how far the clock was ahead of the store's last change
};

}  // namespace parley::gateway
