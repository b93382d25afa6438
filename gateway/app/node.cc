#include "gateway/app/node.h"

#include <algorithm>

#include "accounts/tenants/demo.h"
#include "accounts/tenants/tenant_keys.h"
#include "accounts/users/user_names.h"
#include "fanout/projections.h"
#include "features/all.h"
#include "gateway/app/node_settings.h"
#include "gateway/app/options.h"
#include "gateway/net/transport.h"
#include "protocol/base/crypto.h"
#include "protocol/base/log.h"
#include "protocol/base/reason.h"
#include "protocol/base/sure.h"
#include "protocol/base/watched_clock.h"
#include "storage/declarations/load.h"
#include "storage/engine/service_rules.h"
#include "threads/model/card_kinds.h"
#include "threads/model/change.h"
#include "threads/model/row_reader.h"

namespace parley::gateway {
namespace {

uint64_t SeedFrom(const protocol::Ulid& id) {
  uint64_t seed = 0;
  for (const uint8_t byte : id.bytes) seed = seed * 131 + byte;
  return seed;
}

fanout::Framer FramerFor(const std::shared_ptr<ReaderBudget>& readers) {
  return [readers](fanout::Payloads payloads, protocol::Encoding encoding) -> fanout::FramePtr {
    return MakeFrames(payloads.data(), payloads.size(), encoding == protocol::Encoding::kMsgpack, readers);
  };
}

// Returns the time of the newest change, or nullopt for an empty store.
std::optional<protocol::Time> NewestChange(const storage::Table& table) {
  const storage::Position last = table.LastPosition();
  threads::ChangeEntry entry;
  bool found = false;
  const auto status = last == 0 ? storage::Status()
                                : table.ReadLog(last - 1, 1, [&](storage::Position, std::string_view bytes) {
                                    found = threads::DecodeChangeEntry(bytes, &entry);
                                    return true;
                                  });
  if (!status.ok() || !found) return std::nullopt;
  const auto head = threads::RowReader(table, entry.tenant).Thread(entry.thread);
  if (!head.ok() || !*head) return std::nullopt;
  const protocol::Thread& thread = (*head)->item;
  return std::max(thread.updated_at, thread.last_message_at.value_or(thread.updated_at));
}

// A clock that stopped with its machine knows nothing of the time since. Returns 0 for an empty store.
int64_t AheadOfStore(const storage::Table& table, protocol::Time now) {
  const auto newest = NewestChange(table);
  return newest ? std::max<int64_t>(now.ms - newest->ms, 0) : 0;
}

constexpr int64_t kMsOfADay = int64_t{24} * 3600 * 1000;
constexpr int64_t kAheadAtStartMs = 30 * kMsOfADay;

std::string AheadRemark(int64_t ahead_ms) {
  return "the clock was " + std::to_string(ahead_ms / kMsOfADay) +
         " days ahead of the store's last change at the start: is the time right?";
}

// Time in a thread never goes back: while the clock is behind, messages get the time of the newest one, and
// timed work runs late.
void WarnOfClock(const storage::Table& table, protocol::Time now) {
  const auto newest = NewestChange(table);
  if (!newest || *newest <= now) return;
  protocol::Log(protocol::LogLevel::kWarn, "gateway", "the clock is behind the store",
                {{"now", protocol::FormatTime(now)},
                 {"newest", protocol::FormatTime(*newest)},
                 {"behindMs", newest->ms - now.ms}});
}

constexpr size_t kSignatureChecksMax = 1000;  // waiting checks, of some 0.1 ms each

}  // namespace

const char kNoTenant[] =
    "no tenant exists, so nobody can sign in: POST /v1/tenants with the operator key (docs/operations.md)";

Node::Node(storage::Table& table, const protocol::Clock& clock, protocol::IdSource& ids, Loop& loop,
           const Config& config, protocol::Metrics& metrics, storage::Sealer sealer, std::string operator_key)
    : table_(table),
      clock_(clock),
      ids_(ids),
      sealer_(std::move(sealer)),
      config_(config),
      metrics_(metrics),
      readers_(std::make_shared<ReaderBudget>(static_cast<size_t>(config.reader_bytes))),
      read_pool_(table, readers_, static_cast<size_t>(AnswerBytes(config)),
                 static_cast<size_t>(config.reader_queue), metrics),
      framer_(FramerFor(readers_)),
      authenticator_(tenants_, clock_,
                     AuthenticatorSettingsFor(config, table, sealer_, std::move(operator_key))),
      committer_(table),
      catalog_(storage::SeedTables()),
      item_writer_(table, committer_, catalog_, clock_, ItemWriterSettingsFor(config, sealer_, metrics),
                   *this, metrics),
      table_key_store_(table, item_writer_),
      table_keys_(table_key_store_, sealer_, [](size_t size) { return protocol::RandomBytes(size); }),
      password_hash_pool_({.threads = 0}),
      signature_check_pool_({.threads = 0, .waiting_max = kSignatureChecksMax}),
      proven_secrets_({}, protocol::RandomBytes(32)),
      prover_(password_hash_pool_, proven_secrets_, clock_),
      cursors_(table.identity().secret),
      rate_limits_(sealer_, clock_, cursors_, config_, LimitsFrom(tenants_, config_.rate_limits), metrics),
      check_parts_{sealer_, tenants_, cursors_, RulesFrom(config_, tenants_)},
      people_(features::MakePeople(check_parts_)),
      checks_(ChecksFrom(check_parts_, &rate_limits_)),
      worker_(table, WorkerSettingsFor(config), *this, metrics),
      scrubber_(table, worker_, tenants_, clock_, metrics, SeedFrom(ids.Make(clock_.Now()))),
      changes_(metrics),
      tracer_(clock_),
      executors_(static_cast<size_t>(config.executor_threads), table, committer_, clock_, ids,
                 ExecutorSettingsFor(config, check_parts_, checks_, &tracer_), changes_, *this, metrics),
      sweeper_(*this, metrics),
      folders_(OfferedFolders(config)),
      errors_(clock_) {
  AddIoThread(loop);
  for (const std::string& what : TracesOf(config_)) static_cast<void>(tracer_.Add(what, std::nullopt).ok());
  fanout::AddProjections(
      [this](const protocol::TenantId& tenant, const protocol::UserId& user) {
        return std::any_of(io_threads_.begin(), io_threads_.end(),
                           [&](const auto& io) { return io->hub().Wants(tenant, user); });
      },
      &worker_);
  AddRelays();
  AddServices();
  metrics.AddReadGauge("parley_clock_ahead_seconds",
                       "Seconds by which the clock was set ahead; writes are rejected while it is not 0",
                       [this] { return static_cast<double>(clock_.AheadMs()) / 1000; });
  metrics.AddReadGauge("parley_sessions", "Authenticated sessions", [this] {
    size_t sessions = 0;
    for (const auto& io : io_threads_) sessions += io->hub().sessions();
    return static_cast<double>(sessions);
  });
}

void Node::AddRelays() {
  const features::RelayParts parts{table_,
                                   tenants_,
                                   metrics_,
                                   RelaySettingsFor(config_),
                                   [this](storage::ItemJob& job) { return item_writer_.Submit(job); },
                                   [this] { worker_.Wake(); },
                                   [this] { worker_.Hurry(); },
                                   [this] { sweeper_.OnWake(clock_.Now()); }};
  for (const features::Feature* feature : features::AllFeatures()) {
    for (const features::Relay& relay : feature->relays) {
      relays_.push_back(relay.make(parts));
      if (relay.index == threads::Waits::kAudit) audit_relay_ = relays_.back().get();
      worker_.Add(relays_.back().get());
    }
  }
}

void Node::AddServices() {
  const features::ServiceParts parts{table_,
                                     clock_,
                                     metrics_,
                                     [this](std::string_view key) { return ValueOfOption(config_, key); },
                                     [this] { sweeper_.OnWake(clock_.Now()); },
                                     [this](protocol::Time at) { sweeper_.OnWake(at); }};
  for (const features::Feature* feature : features::AllFeatures()) {
    if (feature->service) services_.emplace(feature->name, feature->service(parts));
  }
}

features::Service* Node::FindService(std::string_view feature) const {
  const auto found = services_.find(feature);
  return found == services_.end() ? nullptr : found->second.get();
}

void Node::StopServices() {
  for (const auto& [name, service] : services_) service->Stop();
}

Node::~Node() {
  StopServices();
  signature_check_pool_.Stop();
  password_hash_pool_.Stop();
}

void Node::AddIoThread(Loop& loop) {
  io_threads_.push_back(std::make_unique<IoThread>(*this, static_cast<uint32_t>(io_threads_.size()), loop,
                                                   framer_, ids_.Another()));
  changes_.Add(&io_threads_.back()->live());
}

std::string Node::Open() {
  storage::Status status = tenants_.Load(table_, clock_.Now(), sealer_, config_.demo);
  if (config_.demo && !tenants_.Find(accounts::kDemoTenant)) StoreDemo();
  if (status.ok()) status = worker_.Open(tenants_.Ids());
  if (status.ok()) status = catalog_.Load(table_);
  if (status.ok()) status = table_keys_.Load();
  if (!status.ok()) return status.detail;
  WarnOfClock(table_, clock_.Now());
  start_ahead_ms_ = AheadOfStore(table_, clock_.Now());
  if (start_ahead_ms_ > kAheadAtStartMs)
    protocol::Log(protocol::LogLevel::kWarn, "gateway", AheadRemark(start_ahead_ms_),
                  {{"now", protocol::FormatTime(clock_.Now())}});
  // Posted, to run on the loop's thread.
  io().loop().Post([this] { sweeper_.Start(); });
  return {};
}

// The demo tenant is served from memory at once; the item writer stores it as soon as it runs.
void Node::StoreDemo() {
  const std::string_view secret = table_.identity().secret;
  auto unstored = accounts::MakeDemoTenant(secret);
  unstored.created_at = unstored.updated_at = clock_.Now();
  tenants_.Publish(std::make_shared<const accounts::Tenant>(std::move(unstored)), 0);
  storage::ItemJob job;
  auto made = std::make_shared<std::optional<accounts::Tenant>>();
  job.decide = [this, made, wish = accounts::DemoTenantWish(secret)](storage::ItemTransaction& tx) {
    accounts::RecordTransaction records(tx, wish.id);
    if (auto tenant = accounts::MakeTenant(records, wish, 0); tenant.ok()) *made = *std::move(tenant);
  };
  job.done = [this, made](const storage::Status& status) {
    if (status.ok() && *made) return tenants_.Publish(std::make_shared<const accounts::Tenant>(**made), 0);
    protocol::Log(protocol::LogLevel::kWarn, "gateway", "the demo tenant is not stored",
                  {{"why", status.detail}});
  };
  static_cast<void>(item_writer_.Submit(job));
}

bool Node::ConfirmClock() {
  const bool doubted = clock_.Confirm();
  worker_.Wake();  // some of its writes were rejected
  return doubted;
}

std::string Node::RenderMetrics() {
  std::vector<const OpMeters*> ops;
  for (const auto& io : io_threads_) ops.push_back(&io->ops());
  return metrics_.Render() + RenderOps(ops);
}

std::vector<std::string> Node::DescribeMetrics() const {
  std::vector<std::string> all = metrics_.Describe();
  for (std::string& line : DescribeOps()) all.push_back(std::move(line));
  std::sort(all.begin(), all.end());
  return all;
}

std::string Node::NotReady(bool with_details) const {
  if (draining_) return "draining";
  if (const int64_t ahead_ms = clock_.AheadMs(); ahead_ms > 0)
    return protocol::ClockInDoubt(ahead_ms).message;
  const auto why = [&](const char* what, const std::string& fault) {
    return with_details ? what + (": " + fault) : std::string(what);
  };
  if (std::string fault = executors_.fault(); !fault.empty()) return why("the store takes no writes", fault);
  if (std::string fault = item_writer_.fault(); !fault.empty())
    return why("the tables take no writes", fault);
  if (std::string fault = table_.WriteFault(); !fault.empty()) return why("the store takes no writes", fault);
  if (std::string fault = worker_.fault(); !fault.empty()) return why("a projection stopped", fault);
  return {};
}

std::string Node::Remarks(bool with_names) const {
  const fanout::Worker::Aside aside = worker_.aside();
  std::string out;
  if (tenants_.size() == 0) out = std::string(kNoTenant) + "\n";
  if (start_ahead_ms_ > kAheadAtStartMs) out += AheadRemark(start_ahead_ms_) + "\n";
  for (const auto& [name, service] : services_) {
    if (const std::string remark = service->Remark(); !remark.empty()) out += remark + "\n";
  }
  if (aside.threads == 0) return out;
  out += "threads set aside: " + std::to_string(aside.threads) + "\n";
  if (!with_names) return out;
  for (const fanout::AsideThread& one : aside.first)
    out += one.projection + ": " + one.tenant.value + " " + one.thread.ToText() + ": " + one.why + "\n";
  return out;
}

protocol::FolderSet Node::FoldersOf(const protocol::TenantId& tenant) const {
  const accounts::TenantPtr found = tenants_.Find(tenant.value);
  return found ? found->folders(folders_) : folders_;
}

threads::ReadContext Node::ContextOf(const storage::Reader& reader, const threads::Caller& caller) const {
  return {reader,
          caller,
          cursors_,
          clock_.Now(),
          static_cast<size_t>(config_.max_page_bytes),
          people_.get(),
          &sealer_,
          FoldersOf(caller.tenant)};
}

bool Node::AdmitSession(const threads::Caller& caller) const {
  size_t sessions = 0;
  for (const auto& io : io_threads_)
    sessions += io->hub().CountSessions(caller.tenant, protocol::Sure(caller.user));
  return sessions < static_cast<size_t>(config_.max_sessions_per_user);
}

void Node::NoteTenantKeyUse(const protocol::TenantId& tenant, const std::string& key_id,
                            const std::string& secret) {
  if (!key_uses_.IsDue(key_id, clock_.Now())) return;
  NoteUse(tenant, [secret](accounts::RecordTransaction& records) {
    return accounts::NoteTenantKeyUse(records, secret);
  });
}

void Node::NoteApiKeyUse(const protocol::TenantId& tenant, const protocol::UserId& user,
                         const std::string& key_id) {
  NoteUse(tenant, [user, key_id](accounts::RecordTransaction& records) {
    return accounts::NoteApiKeyUse(records, user, key_id);
  });
}

// If it fails, the use is not recorded.
void Node::NoteUse(const protocol::TenantId& tenant,
                   std::function<protocol::Status(accounts::RecordTransaction&)> note) {
  storage::ItemJob job;
  job.decide = [tenant, note = std::move(note)](storage::ItemTransaction& tx) {
    accounts::RecordTransaction records(tx, tenant);
    static_cast<void>(note(records).ok());
  };
  job.done = [](const storage::Status&) {};
  static_cast<void>(item_writer_.Submit(job));
}

void Node::Revoke(const Revocation& revocation) {
  for (const auto& io : io_threads_) {
    io->loop().Post([&io = *io, revocation] { io.Revoke(revocation); });
  }
}

void Node::PublishPairChange(const PairChange& change) {
  for (const auto& io : io_threads_)
    io->loop().Post([&ephemera = io->ephemera(), change] { ephemera.OnPairChange(change); });
}

// Returns true if a session learns of some messages through its inbox alone.
bool Node::AnyFollowsInbox() const {
  return std::any_of(io_threads_.begin(), io_threads_.end(),
                     [](const auto& io) { return io->hub().followers() > 0; });
}

// Called right after the change feed received the commits, if any.
void Node::OnAnswers(std::vector<threads::Finished> finished) {
  turns_.fetch_add(1, std::memory_order_release);
  if (io_threads_.size() == 1) {
    io().Answer(std::move(finished));
  } else {
    std::vector<std::vector<threads::Finished>> shares(io_threads_.size());
    for (threads::Finished& one : finished) shares[one.origin].push_back(std::move(one));
    for (size_t i = 0; i < shares.size(); ++i) {
      if (!shares[i].empty()) io_threads_[i]->Answer(std::move(shares[i]));
    }
  }
  if (!changes_.TakeCommitted()) return;
  if (io_threads_.size() > 1) changes_.Ring();  // wakes the loops that have nothing to answer
  // Projections wake after the answers have left, since no answer waits for them.
  if (AnyFollowsInbox()) changes_.backlog().Press();
  worker_.WakeFor(changes_.backlog());
}

void Node::OnItemAnswers(std::vector<storage::ItemJob> done, const storage::Status& status) {
  turns_.fetch_add(1, std::memory_order_release);
  std::vector<std::vector<storage::ItemJob>> shares(io_threads_.size());
  for (storage::ItemJob& job : done) shares[job.origin].push_back(std::move(job));
  for (size_t i = 0; i < shares.size(); ++i) {
    if (shares[i].empty()) continue;
    io_threads_[i]->loop().Post(
        [share = std::make_shared<std::vector<storage::ItemJob>>(std::move(shares[i])), status] {
          for (storage::ItemJob& job : *share) job.done(status);
        });
  }
  worker_.Wake();  // its cursors pass over these writes
}

void Node::OnEntries(std::vector<fanout::EntryNotice> notices, storage::Position through) {
  tracer_.OnProjected(through);
  auto shared = std::make_shared<const std::vector<fanout::EntryNotice>>(std::move(notices));
  for (const auto& io : io_threads_) {
    if (shared->empty() && !io->hub().awaits_pass()) continue;
    io->loop().Post([&hub = io->hub(), shared, through] { hub.DeliverEntries(*shared, through); });
  }
}

}  // namespace parley::gateway
