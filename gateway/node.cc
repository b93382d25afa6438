#include "gateway/node.h"

#include "fanout/card_projection.h"
#include "fanout/inbox_projection.h"
#include "fanout/project_projection.h"
#include "gateway/options.h"
#include "gateway/session.h"
#include "protocol/base/crypto.h"

namespace parley::gateway {
namespace {

threads::ExecutorSettings ExecutorSettingsFor(const Config& config,
                                              const accounts::TenantDirectory& tenants) {
  threads::ExecutorSettings settings;
  settings.limits.max_body_bytes = static_cast<size_t>(config.max_body_bytes);
  settings.limits.edit_window_ms = config.edit_window_ms;
  settings.limits.idle_archive_ms = config.idle_archive_days * 24 * 3600 * 1000;
  settings.policy = [&tenants, ports = FindCardPorts(config).value_or(0)](const protocol::TenantId& id) {
    const accounts::Tenant* tenant = tenants.Find(id.value);
    return threads::TenantPolicy{tenant && tenant->user_projects, ports};
  };
  return settings;
}

fanout::WorkerSettings WorkerSettingsFor(const Config& config) {
  fanout::WorkerSettings settings;
  settings.gather_ms = config.fanout_gather_ms;
  return settings;
}

}  // namespace

protocol::Error IndexBehind() {
  protocol::Error error(protocol::ErrorCode::kUnavailable, "the index is behind");
  error.retry_after_ms = 1000;
  return error;
}

Node::Node(storage::Table& table, const protocol::Clock& clock, protocol::IdSource& ids, Loop& loop,
           const accounts::TenantDirectory& tenants, const Config& config, fanout::Framer framer,
           protocol::Metrics& metrics)
    : table_(table),
      clock_(clock),
      loop_(loop),
      tenants_(tenants),
      config_(config),
      metrics_(metrics),
      hub_(std::move(framer), metrics),
      live_(
          hub_, [&loop](std::function<void()> task) { loop.Post(std::move(task)); },
          [this](const threads::CommittedChange& change) { OnSeen(change); }),
      ephemera_(hub_, loop, clock, {config.presence_ttl_ms, config.typing_ttl_ms, 5'000}),
      authenticator_(tenants, clock),
      cursors_(table.identity().secret),
      worker_(table, WorkerSettingsFor(config), *this, metrics),
      executor_(table, clock, ids, ExecutorSettingsFor(config, tenants), *this, *this, metrics),
      sweeper_(*this, metrics),
      folders_(OfferedFolders(config)),
      correlation_prefix_(protocol::Base64Url(protocol::RandomBytes(6)) + "-") {
  worker_.Add(std::make_unique<fanout::InboxProjection>(
      clock, [this](const protocol::TenantId& tenant, const protocol::UserId& user) {
        return hub_.Wants(tenant, user);
      }));
  worker_.Add(std::make_unique<fanout::ProjectProjection>());
  worker_.Add(std::make_unique<fanout::CardProjection>());
  metrics.AddReadGauge("parley_sessions", "Authenticated sessions",
                       [this] { return static_cast<double>(hub_.sessions()); });
}

Node::~Node() = default;

std::string Node::Open() {
  const storage::Status status = worker_.Open();
  if (!status.ok()) return status.detail;
  // On the loop's thread, once it runs.
  loop_.Post([this] { sweeper_.Start(); });
  return {};
}

std::string Node::NotReady() const {
  if (draining_) return "draining";
  if (std::string fault = executor_.fault(); !fault.empty()) return "the store takes no writes: " + fault;
  if (std::string fault = table_.WriteFault(); !fault.empty()) return "the store takes no writes: " + fault;
  if (std::string fault = worker_.fault(); !fault.empty()) return "a projection stopped: " + fault;
  return {};
}

void Node::PumpSoon(std::weak_ptr<Session> session) {
  heard_.push_back(std::move(session));
  PostPump();
}

void Node::Submit(threads::Job job) {
  commands_.push_back(std::move(job));
  PostPump();
}

void Node::PostPump() {
  if (std::exchange(pump_posted_, true)) return;
  loop_.Post([this] { Pump(); });
}

void Node::Pump() {
  for (const auto& weak : std::exchange(heard_, {})) {
    if (const auto session = weak.lock()) session->Pump();
  }
  pump_posted_ = false;
  if (!commands_.empty()) executor_.Submit(std::exchange(commands_, {}));
  if (!heard_.empty()) PostPump();  // who is not done: others had their turn
}

void Node::AwaitProjection(std::string_view projection, std::function<void(bool)> done) {
  const storage::Position needed = table_.LastPosition();
  if (worker_.watermark(projection).position() >= needed) return done(true);
  if (worker_.stopped(projection)) return done(false);
  struct Wait {
    std::function<void(bool)> done;
    std::unique_ptr<Timer> timer;
    fanout::Watermark::Token token;
    void Finish(bool reached) {
      timer.reset();
      if (auto call = std::exchange(done, nullptr)) call(reached);
    }
  };
  auto wait = std::make_shared<Wait>();
  wait->done = std::move(done);
  // The timer holds the wait weakly: the wait owns the timer.
  fanout::Watermark& watermark = worker_.watermark(projection);
  wait->timer = loop_.CallAfter(config_.inbox_wait_ms, [&watermark, weak = std::weak_ptr<Wait>(wait)] {
    const auto alive = weak.lock();
    if (!alive) return;
    watermark.Forget(alive->token);
    alive->Finish(false);
  });
  wait->token = worker_.WhenAt(projection, needed,
                               [&loop = loop_, wait] { loop.Post([wait] { wait->Finish(true); }); });
}

std::string Node::NewCorrelationId() {
  return correlation_prefix_ + std::to_string(++next_correlation_);
}

bool Node::AdmitSession(const threads::Caller& caller) const {
  const auto* sessions = hub_.SessionsOf(caller.tenant, *caller.user);
  return !sessions || sessions->size() < static_cast<size_t>(config_.max_sessions_per_user);
}

// Comes right behind OnCommitted, if anything was committed.
void Node::OnAnswers(std::vector<threads::Finished> finished) {
  auto shared = std::make_shared<std::vector<threads::Finished>>(std::move(finished));
  loop_.Post([shared] {
    for (threads::Finished& one : *shared) one.done(std::move(one.answer));
  });
  if (committed_.exchange(false)) worker_.Wake();
}

void Node::OnEntries(std::vector<fanout::EntryNotice> notices) {
  auto shared = std::make_shared<std::vector<fanout::EntryNotice>>(std::move(notices));
  loop_.Post([this, shared] { hub_.DeliverEntries(*shared); });
}

void Node::OnCommitted(std::vector<threads::CommittedChangePtr> changes) {
  live_.OnCommitted(std::move(changes));
  committed_ = true;  // the index is woken after the answers left: nobody waits for it
}

// Presence is shown for members: keep what is watched in step.
void Node::OnSeen(const threads::CommittedChange& change) {
  for (const threads::SharedChange& event : change.events) {
    if (!event.participant) continue;
    const bool member = event.kind != protocol::EventKind::kParticipantRemoved;
    ephemera_.OnMembership(change.tenant, change.thread, *event.participant, member);
  }
}

}  // namespace parley::gateway
