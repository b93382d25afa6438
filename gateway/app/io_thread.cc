#include "gateway/app/io_thread.h"

#include "gateway/app/node.h"
#include "gateway/app/options.h"

namespace parley::gateway {
namespace {

EphemeraSettings EphemeraSettingsFor(const Config& config) {
  EphemeraSettings settings;
  settings.presence_ttl_ms = config.presence_ttl_ms;
  settings.typing_ttl_ms = config.typing_ttl_ms;
  return settings;
}

}  // namespace

class IoThread::Strangers final : public ColdReads {
 public:
  Strangers(Node& node, Loop& loop) : node_(node), loop_(loop) {}
  void ReadCold(std::function<void(const storage::Reader&)> read, std::function<void()> then,
                const ReadRoad& road) override {
    ReadJob job{std::move(read), std::move(then), &loop_, {}, road.owner};
    if (!node_.read_pool().Submit(job)) job.finish();
  }
  bool MustWait() const override { return false; }

 private:
  Node& node_;
  Loop& loop_;
};

IoThread::IoThread(Node& node, uint32_t index, Loop& loop, fanout::Framer framer,
                   std::unique_ptr<protocol::IdSource> ids)
    : node_(node),
      index_(index),
      loop_(loop),
      strangers_(std::make_shared<Strangers>(node, loop)),
      ids_(std::move(ids)),
      hub_(std::move(framer), node.metrics()),
      live_(
          hub_, [&loop](std::function<void()> task) { loop.Post(std::move(task)); },
          [this](const threads::CommittedChange& change) { OnSeen(change); },
          node.metrics().AddHistogram(
              "parley_delivery_seconds",
              "Time from a commit until a loop had handed its events to its sessions",
              {0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1}),
          index),
      ephemera_(hub_, loop, node.clock(), *this, EphemeraSettingsFor(node.config())),
      missed_pages_(loop, node.metrics()) {}

void IoThread::PumpSoon(std::weak_ptr<Pumped> session) {
  with_input_.push_back(std::move(session));
  PostPump();
}

void IoThread::Submit(threads::Job job) {
  job.origin = index_;
  commands_.push_back(std::move(job));
  PostPump();
}

void IoThread::PostPump() {
  if (std::exchange(pump_posted_, true)) return;
  loop_.Post([this] { Pump(); });
}

void IoThread::Pump() {
  for (const auto& weak : std::exchange(with_input_, {})) {
    if (const auto session = weak.lock()) session->Pump();
  }
  pump_posted_ = false;
  if (!commands_.empty()) node_.executors().Submit(std::exchange(commands_, {}));
  if (!with_input_.empty()) PostPump();  // unfinished sessions go on after the others
}

bool IoThread::RelieveHere() {
  const ReaderBudget& readers = *node_.readers();
  const auto answer = static_cast<size_t>(AnswerBytes(node_.config()));
  if (const size_t lacks = readers.Lacks(answer); lacks > 0 && relieve_) relieve_(lacks);
  return readers.Lacks(answer) == 0;
}

bool IoThread::MakeRoom() {
  if (RelieveHere()) return true;
  for (const auto& io : node_.io_threads()) {
    if (io.get() != this) io->loop().Post([other = io.get()] { other->RelieveHere(); });
  }
  return false;
}

void IoThread::AwaitWatermark(fanout::Watermark& watermark, storage::Position needed,
                              std::function<void(bool)> done) {
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
  wait->timer = loop_.CallAfter(node_.config().inbox_wait_ms, [&watermark, weak = std::weak_ptr<Wait>(wait)] {
    const auto alive = weak.lock();
    if (!alive) return;
    watermark.Forget(alive->token);
    alive->Finish(false);
  });
  wait->token =
      watermark.WhenAt(needed, [&loop = loop_, wait] { loop.Post([wait] { wait->Finish(true); }); });
  node_.worker().Hurry();
}

std::shared_ptr<const storage::Reader> IoThread::View() {
  // Read before the view is taken: at worst it shows more than they say.
  const uint64_t turns = node_.turns(), passes = node_.worker().passes();
  if (view_ && turns == view_turns_ && passes == view_passes_) return view_;
  if (!view_) loop_.Post([this] { view_.reset(); });  // kept longer it would keep what was deleted
  view_ = node_.table().NewSnapshot();
  view_turns_ = turns;
  view_passes_ = passes;
  return view_;
}

void IoThread::Answer(std::vector<threads::Finished> finished) {
  auto shared = std::make_shared<std::vector<threads::Finished>>(std::move(finished));
  loop_.Post([this, shared] {
    live_.Deliver();  // before the answers, so that an answer and its events leave in one write
    for (threads::Finished& one : *shared) one.done(std::move(one.answer));
  });
}

namespace {

// The author, or nullopt for system and restricted messages.
std::optional<UserId> AuthorOf(const threads::SharedChange& event) {
  if (event.kind != protocol::EventKind::kMessageCreated || event.only_for.value) return std::nullopt;
  protocol::Document item;
  if (!threads::DecodeStored(event.item, &item)) return std::nullopt;
  const protocol::Value* author = item.root.Find("authorUserId");
  return author && author->as_text() ? UserId::FromText(*author->as_text()) : std::nullopt;
}

}  // namespace

// Keeps the watched members in step with the thread's, because presence is shown for members. An author stops
// typing when their message arrives.
void IoThread::OnSeen(const threads::CommittedChange& change) {
  if (ephemera_.AnyTyping(change.tenant, change.thread)) {
    for (const threads::SharedChange& event : change.events) {
      if (const auto author = AuthorOf(event)) ephemera_.EndTyping(change.tenant, change.thread, *author);
    }
  }
  if (change.blocks_hold) ephemera_.OnBlocksHold(change.tenant, change.thread, *change.blocks_hold);
  for (const threads::RequestRow& request : change.requests) {
    if (request.state == protocol::RequestState::kAccepted)
      ephemera_.OnLetIn(change.tenant, change.thread, request.to);
  }
  for (const threads::SharedChange& event : change.events) {
    if (!event.participant) continue;
    const bool member = event.kind != protocol::EventKind::kParticipantRemoved;
    ephemera_.OnMembership(change.tenant, change.thread, *event.participant, member);
  }
}

void IoThread::Revoke(const Revocation& revocation) {
  ++revocations_;
  if (revoke_) revoke_(revocation);
}

void IoThread::OnPresence(const TenantId& tenant, const UserId& user, bool online) {
  ForwardToOthers([tenant, user, online](Ephemera& other) { other.OnPeerPresence(tenant, user, online); });
}

void IoThread::OnTyping(const TenantId& tenant, const ThreadId& thread, const UserId& user, bool typing) {
  ForwardToOthers(
      [tenant, thread, user, typing](Ephemera& other) { other.OnPeerTyping(tenant, thread, user, typing); });
}

void IoThread::ForwardToOthers(std::function<void(Ephemera&)> what) {
  for (const auto& io : node_.io_threads()) {
    if (io.get() == this) continue;
    io->loop().Post([what, &ephemera = io->ephemera()] { what(ephemera); });
  }
}

}  // namespace parley::gateway
