#include "fanout/hub.h"

#include <algorithm>

#include "protocol/base/prefetch.h"
#include "protocol/compact.h"
#include "protocol/frame.h"
#include "protocol/writer.h"
#include "threads/model/requests.h"

namespace parley::fanout {
namespace {

constexpr size_t kRunEvents = 64;              // bounds a run, which is one piece of a session's outbox
constexpr size_t kRunBytes = size_t{1} << 16;  // the same; the last event may exceed it

constexpr size_t kAhead = 4;

using Run = std::vector<const threads::CommittedChange*>;

size_t EventsIn(std::span<const threads::CommittedChange* const> changes) {
  size_t count = 0;
  for (const threads::CommittedChange* change : changes)
    count += change->events.size() + (change->receipt ? 1 : 0);
  return count;
}

size_t BytesIn(const threads::CommittedChange& change) {
  size_t bytes = 0;
  for (const threads::SharedChange& event : change.events) bytes += event.item.size();
  return bytes;
}

// Returns the one user who may see the change's restricted events, or nullptr if it has no such events. A
// command writes them for at most one user.
const UserId* OnlyFor(const threads::CommittedChange& change) {
  for (const threads::SharedChange& event : change.events) {
    if (event.only_for.value) return &*event.only_for.value;
  }
  return nullptr;
}
const UserId* OnlyFor(std::span<const threads::CommittedChange* const> changes) {
  for (const threads::CommittedChange* change : changes) {
    if (const UserId* user = OnlyFor(*change)) return user;
  }
  return nullptr;
}

// Groups changes by thread, in order. A run ends when the membership changes (the recipients differ
// afterwards), when a request admits a member, before it would mix restricted events of different users, and
// when it is long enough.
std::vector<Run> RunsOf(std::span<const threads::CommittedChangePtr> changes) {
  struct Open {
    size_t run;
    size_t events;
    size_t bytes;
    const UserId* only_for;
  };
  std::vector<Run> runs;
  std::unordered_map<ThreadId, Open> open;
  for (const threads::CommittedChangePtr& change : changes) {
    const threads::CommittedChange* one = change.get();
    const auto [at, fresh] = open.try_emplace(change->thread);
    Open& last = at->second;
    const UserId* only_for = OnlyFor(*one);
    const bool one_class = fresh || !only_for || !last.only_for || *only_for == *last.only_for;
    const bool joins = one_class && !fresh && last.events < kRunEvents && last.bytes < kRunBytes &&
                       runs[last.run].front()->recipients == change->recipients &&
                       runs[last.run].front()->gated == change->gated;
    if (!joins) {
      last = {runs.size(), 0, 0, nullptr};
      runs.emplace_back();
    }
    runs[last.run].push_back(one);
    if (only_for) last.only_for = only_for;
    last.events += EventsIn({&one, 1});
    last.bytes += BytesIn(*change);
  }
  return runs;
}

class EntryPayload final : public PayloadSource {
 public:
  explicit EntryPayload(const std::string& entry) : entry_(entry) {}
  Payloads Make(bool compact, size_t, size_t) override {
    std::string& payload = payloads_[compact ? 1 : 0];
    const auto encode = compact ? protocol::CompactInboxUpdatedEvent : protocol::InboxUpdatedEvent;
    if (payload.empty()) payload = encode(entry_);
    return Payloads(&payload, 1);
  }

 private:
  const std::string& entry_;
  std::array<std::string, 2> payloads_;
};

}  // namespace

const FramePtr& SharedPayload::Frame(Form form) {
  const bool compact = source_ && form.compact;
  FramePtr& frame = frames_[static_cast<size_t>(form.encoding) + (compact ? 2 : 0)];
  if (frame) return frame;
  const Payloads msgpack = source_ ? source_->Make(compact, first_, count_) : msgpack_;
  if (form.encoding == protocol::Encoding::kMsgpack) return frame = (*framer_)(msgpack, form.encoding);
  std::vector<std::string> json;
  json.reserve(msgpack.size());
  for (const std::string& payload : msgpack) json.push_back(protocol::MsgpackToJson(payload));
  return frame = (*framer_)(json, form.encoding);
}

Hub::Hub(Framer framer, protocol::Metrics& metrics)
    : framer_(std::move(framer)),
      audiences_([this](const TenantId& tenant, const UserId& user) { return SessionsOf(tenant, user); }),
      deliveries_(metrics.AddCounter("parley_deliveries_total", "Events handed to sessions")) {}

void Hub::Add(Subscriber* subscriber) {
  audiences_.Outdate();
  protocol::MutexLock lock(&mutex_);
  users_[UserName(subscriber->tenant(), subscriber->user())].push_back(subscriber);
  ++session_count_;
  followers_ += subscriber->follows_inbox() ? 1 : 0;
}

void Hub::Remove(Subscriber* subscriber) {
  audiences_.Outdate();
  if (const auto opened = opened_.find(subscriber); opened != opened_.end()) {
    for (const std::string& name : opened->second) {
      const auto openers = openers_.find(name);
      std::erase(openers->second, subscriber);
      if (openers->second.empty()) openers_.erase(openers);
    }
    opened_.erase(opened);
  }
  for (auto& [name, lookers] : onlookers_) std::erase(lookers, subscriber);
  std::erase_if(onlookers_, [](const auto& one) { return one.second.empty(); });
  protocol::MutexLock lock(&mutex_);
  const auto sessions = users_.find(UserName(subscriber->tenant(), subscriber->user()));
  if (sessions == users_.end() || std::erase(sessions->second, subscriber) == 0) return;
  if (sessions->second.empty()) users_.erase(sessions);
  --session_count_;
  followers_ -= subscriber->follows_inbox() ? 1 : 0;
}

void Hub::OpenThread(Subscriber* subscriber, const ThreadId& thread) {
  const std::string name = ThreadName(subscriber->tenant(), thread);
  if (opened_[subscriber].insert(name).second) openers_[name].push_back(subscriber);
}

void Hub::Look(Subscriber* subscriber, const ThreadId& thread) {
  auto& lookers = onlookers_[ThreadName(subscriber->tenant(), thread)];
  if (std::find(lookers.begin(), lookers.end(), subscriber) == lookers.end()) lookers.push_back(subscriber);
}

void Hub::LookAway(Subscriber* subscriber, const ThreadId& thread) {
  const auto lookers = onlookers_.find(ThreadName(subscriber->tenant(), thread));
  if (lookers == onlookers_.end()) return;
  std::erase(lookers->second, subscriber);
  if (lookers->second.empty()) onlookers_.erase(lookers);
}

// Onlookers that do not receive the change as members.
std::vector<Subscriber*> Hub::OnlookersOf(const threads::CommittedChange& change) const {
  if (onlookers_.empty()) return {};
  const auto lookers = onlookers_.find(ThreadName(change.tenant, change.thread));
  if (lookers == onlookers_.end()) return {};
  std::vector<Subscriber*> out = lookers->second;
  std::erase_if(out, [&](const Subscriber* one) { return change.recipients->Contains(one->user()); });
  return out;
}

void Hub::CloseThread(Subscriber* subscriber, const ThreadId& thread) {
  LookAway(subscriber, thread);
  const std::string name = ThreadName(subscriber->tenant(), thread);
  const auto opened = opened_.find(subscriber);
  if (opened == opened_.end() || opened->second.erase(name) == 0) return;
  const auto openers = openers_.find(name);
  std::erase(openers->second, subscriber);
  if (openers->second.empty()) openers_.erase(openers);
  if (opened->second.empty()) opened_.erase(opened);
}

void Hub::Deliver(std::span<const threads::CommittedChangePtr> changes) {
  for (const threads::CommittedChangePtr& change : changes) {
    for (const threads::SharedChange& event : change->events) {
      if (event.kind == protocol::EventKind::kParticipantRemoved)
        departures_.Note(change->tenant, change->thread, *event.participant, event.seq, change->position);
    }
  }
  for (const auto& run : RunsOf(changes)) DeliverRun(run);
  for (const threads::CommittedChangePtr& change : changes) {
    for (const threads::RequestRow& request : change->requests) DeliverRequest(*change, request);
  }
}

size_t Hub::CountRecipients(const threads::CommittedChange& change) {
  if (change.events.empty() && !change.receipt) return 0;
  return audiences_.Of(change).size() + OnlookersOf(change).size();
}

void Hub::DeliverRequest(const threads::CommittedChange& change, const threads::RequestRow& request) {
  for (const UserId& user : {request.from, request.to}) {
    const auto* sessions = SessionsOf(change.tenant, user);
    if (!sessions) continue;
    const std::string event =
        protocol::RequestUpdatedEvent(change.thread, threads::ShownRequest(request, user));
    SharedPayload payload(Payloads(&event, 1), framer_);
    const std::vector<Subscriber*> recipients = *sessions;
    for (Subscriber* recipient : recipients) recipient->OnNotice(payload);
  }
}

class Hub::RunPayloads final : private PayloadSource {
 public:
  enum class As : uint8_t { kInFull, kMember, kGated };
  RunPayloads(std::span<const threads::CommittedChange* const> changes, As as, const Framer& framer)
      : framer_(framer) {
    const size_t most = EventsIn(changes);
    sources_.reserve(most);
    events_.reserve(most);
    for (const threads::CommittedChange* change : changes) {
      for (const threads::SharedChange& event : change->events) AddEvent(*change, event, as);
      if (change->receipt && as != As::kGated) Add(EventKind::kParticipantRead, 0, nullptr, {change});
    }
  }
  RunPayloads(const RunPayloads&) = delete;  // events point to it
  RunPayloads& operator=(const RunPayloads&) = delete;

  size_t size() const { return events_.size(); }
  LiveRun Run(const ThreadId& thread) {
    return {thread, events_, removes_, SharedPayload(*this, 0, sources_.size(), framer_)};
  }

 private:
  using EventKind = protocol::EventKind;
  struct Source {
    const threads::CommittedChange* change;
    const threads::SharedChange* event = nullptr;  // nullptr for the change's receipt
  };

  void AddEvent(const threads::CommittedChange& change, const threads::SharedChange& event, As as) {
    const bool hidden = as == As::kGated || (event.only_for.value && as == As::kMember);
    if (hidden) return Add(EventKind::kSkip, event.seq, nullptr, {&change, &event});
    removes_ |= event.kind == EventKind::kParticipantRemoved;
    Add(event.kind, event.seq, event.participant ? &*event.participant : nullptr, {&change, &event});
  }
  void Add(EventKind kind, int64_t seq, const UserId* participant, Source source) {
    events_.push_back({kind, seq, participant, SharedPayload(*this, sources_.size(), 1, framer_)});
    sources_.push_back(source);
  }

  Payloads Make(bool compact, size_t first, size_t count) override {
    std::vector<std::string>& payloads = payloads_[compact ? 1 : 0];
    payloads.resize(sources_.size());
    for (size_t i = first; i < first + count; ++i) {
      if (payloads[i].empty()) payloads[i] = Encode(events_[i].kind, sources_[i], compact);
    }
    return Payloads(payloads).subspan(first, count);
  }
  static std::string Encode(EventKind kind, const Source& source, bool compact) {
    const ThreadId& thread = source.change->thread;
    if (!source.event) {
      const auto& receipt = source.change->receipt;
      return protocol::ParticipantReadEvent(thread, receipt->user, receipt->message, receipt->at);
    }
    if (kind == EventKind::kSkip) return protocol::SkipEvent(thread, source.event->seq);
    const auto encode = compact ? protocol::CompactSharedEvent : protocol::SharedEvent;
    return encode(kind, thread, source.event->seq, source.change->at, source.event->item);
  }

  const Framer& framer_;
  std::vector<Source> sources_;
  std::vector<LiveEvent> events_;
  std::array<std::vector<std::string>, 2> payloads_;  // made so far; the second array is compact
  bool removes_ = false;
};

void Hub::DeliverRun(std::span<const threads::CommittedChange* const> changes) {
  // A session whose outbox overflows leaves the hub later, in a task of the loop, so `recipients` stays
  // valid.
  const std::vector<Subscriber*>& recipients = audiences_.Of(*changes.front());
  const std::vector<Subscriber*> onlookers = OnlookersOf(*changes.front());
  if (recipients.empty() && onlookers.empty()) return;
  RunPayloads in_full(changes, RunPayloads::As::kInFull, framer_);
  if (in_full.size() == 0) return;
  const UserId* only_for = OnlyFor(changes);
  std::optional<RunPayloads> with_skips, gated_out;
  LiveRun full = in_full.Run(changes.front()->thread);
  std::optional<LiveRun> skips, nothing;
  const ThreadId& thread = changes.front()->thread;
  if (only_for) skips.emplace(with_skips.emplace(changes, RunPayloads::As::kMember, framer_).Run(thread));
  const std::optional<UserId>& gated = changes.front()->gated;
  if (gated) nothing.emplace(gated_out.emplace(changes, RunPayloads::As::kGated, framer_).Run(thread));
  deliveries_.Add(static_cast<double>(in_full.size() * (recipients.size() + onlookers.size())));
  for (size_t i = 0; i < recipients.size(); ++i) {
    // A large audience does not fit into the processor's cache, so prefetch the next recipients.
    if (i + kAhead < recipients.size()) protocol::Prefetch(recipients[i + kAhead], 2);
    Subscriber& recipient = *recipients[i];
    if (gated == recipient.user() && !recipient.is_staff()) {
      if (gated_out->size() > 0) recipient.OnRun(*nothing);
      continue;
    }
    recipient.OnRun(!only_for || recipient.is_staff() || recipient.user() == *only_for ? full : *skips);
  }
  full.looked_at = true;
  for (Subscriber* onlooker : onlookers) onlooker->OnRun(full);  // staff, who see everything
}

void Hub::DeliverEntries(const std::vector<EntryNotice>& notices, storage::Position through) {
  for (const EntryNotice& notice : notices) {
    if (departures_.IsStale(notice, through)) continue;
    const auto* sessions = SessionsOf(notice.tenant, notice.user);
    if (!sessions) continue;
    EntryPayload source(notice.entry);
    SharedPayload payload(source, 0, 1, framer_);
    const std::vector<Subscriber*> recipients = *sessions;
    for (Subscriber* recipient : recipients) recipient->OnEntry(notice, payload);
  }
  departures_.Passed(through);
}

std::vector<Subscriber*> Hub::Openers(const TenantId& tenant, const ThreadId& thread) const {
  const auto openers = openers_.find(ThreadName(tenant, thread));
  return openers == openers_.end() ? std::vector<Subscriber*>() : openers->second;
}

// On the loop's thread, which is the only writer: reading needs no lock.
const std::vector<Subscriber*>* Hub::SessionsOf(const TenantId& tenant, const UserId& user) const {
  const auto sessions = users_.find(UserName(tenant, user));
  return sessions == users_.end() ? nullptr : &sessions->second;
}

size_t Hub::CountSessions(const TenantId& tenant, const UserId& user) const {
  protocol::MutexLock lock(&mutex_);
  const auto sessions = users_.find(UserName(tenant, user));
  return sessions == users_.end() ? 0 : sessions->second.size();
}

}  // namespace parley::fanout
