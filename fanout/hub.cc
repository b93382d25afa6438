#include "fanout/hub.h"

#include <algorithm>

#include "protocol/frame.h"
#include "protocol/writer.h"

namespace parley::fanout {
namespace {
constexpr size_t kMaxAudiences = 8192;
}

const FramePtr& SharedPayload::Frame(protocol::Encoding encoding) {
  FramePtr& frame = frames_[static_cast<size_t>(encoding)];
  if (!frame)
    frame = framer_(encoding == protocol::Encoding::kJson ? protocol::MsgpackToJson(msgpack_) : msgpack_,
                    encoding);
  return frame;
}

Hub::Hub(Framer framer, protocol::Metrics& metrics)
    : framer_(std::move(framer)),
      events_(metrics.AddCounter("parley_events_total", "Durable events that came out of the log")),
      deliveries_(metrics.AddCounter("parley_deliveries_total", "Events handed to sessions")) {}

void Hub::Add(Subscriber* subscriber) {
  ++generation_;
  std::lock_guard lock(mutex_);
  users_[UserName(subscriber->tenant(), subscriber->user())].push_back(subscriber);
  ++session_count_;
}

void Hub::Remove(Subscriber* subscriber) {
  ++generation_;
  if (const auto opened = opened_.find(subscriber); opened != opened_.end()) {
    for (const std::string& name : opened->second) {
      const auto openers = openers_.find(name);
      std::erase(openers->second, subscriber);
      if (openers->second.empty()) openers_.erase(openers);
    }
    opened_.erase(opened);
  }
  std::lock_guard lock(mutex_);
  const auto sessions = users_.find(UserName(subscriber->tenant(), subscriber->user()));
  if (sessions == users_.end() || std::erase(sessions->second, subscriber) == 0) return;
  if (sessions->second.empty()) users_.erase(sessions);
  --session_count_;
}

void Hub::OpenThread(Subscriber* subscriber, const ThreadId& thread) {
  const std::string name = ThreadName(subscriber->tenant(), thread);
  if (opened_[subscriber].insert(name).second) openers_[name].push_back(subscriber);
}

void Hub::CloseThread(Subscriber* subscriber, const ThreadId& thread) {
  const std::string name = ThreadName(subscriber->tenant(), thread);
  const auto opened = opened_.find(subscriber);
  if (opened == opened_.end() || opened->second.erase(name) == 0) return;
  const auto openers = openers_.find(name);
  std::erase(openers->second, subscriber);
  if (openers->second.empty()) openers_.erase(openers);
  if (opened->second.empty()) opened_.erase(opened);
}

const std::vector<Subscriber*>& Hub::AudienceOf(const threads::CommittedChange& change) {
  if (audiences_.size() >= kMaxAudiences) audiences_.clear();
  Audience& audience = audiences_[change.recipients.get()];
  if (audience.generation == generation_) return audience.sessions;
  audience.members = change.recipients;
  audience.generation = generation_;
  audience.sessions.clear();
  for (const UserId& user : change.recipients->ids) {
    const auto sessions = users_.find(UserName(change.tenant, user));
    if (sessions == users_.end()) continue;
    audience.sessions.insert(audience.sessions.end(), sessions->second.begin(), sessions->second.end());
  }
  return audience.sessions;
}

void Hub::Deliver(const threads::CommittedChange& change) {
  // Sessions that are closed while they are handed an event (a full outbox) leave the hub later, from the
  // loop.
  const std::vector<Subscriber*>& recipients = AudienceOf(change);
  const auto give = [&](protocol::EventKind kind, int64_t seq, const UserId* participant,
                        std::string msgpack) {
    SharedPayload payload(std::move(msgpack), framer_);
    const LiveEvent event{change.thread, kind, seq, participant, payload};
    events_.Add();
    deliveries_.Add(static_cast<double>(recipients.size()));
    for (Subscriber* recipient : recipients) recipient->OnEvent(event);
  };
  if (!recipients.empty()) {
    for (const threads::SharedChange& event : change.events) {
      give(event.kind, event.seq, event.participant ? &*event.participant : nullptr,
           protocol::SharedEvent(event.kind, change.thread, event.seq, change.at, event.item));
    }
    if (change.receipt) {
      give(protocol::EventKind::kParticipantRead, 0, nullptr,
           protocol::ParticipantReadEvent(change.thread, change.receipt->user, change.receipt->message,
                                          change.receipt->at));
    }
  }
}

void Hub::DeliverEntries(const std::vector<EntryNotice>& notices) {
  for (const EntryNotice& notice : notices) {
    const auto sessions = users_.find(UserName(notice.tenant, notice.user));
    if (sessions == users_.end()) continue;
    SharedPayload payload(protocol::InboxUpdatedEvent(notice.entry), framer_);
    const std::vector<Subscriber*> recipients = sessions->second;
    for (Subscriber* recipient : recipients) recipient->OnEntry(notice, payload);
  }
}

void Hub::DeliverEphemeral(const TenantId& tenant, const ThreadId& thread, std::string msgpack,
                           const UserId* except) {
  SharedPayload payload(std::move(msgpack), framer_);
  for (Subscriber* opener : Openers(tenant, thread)) {
    if (!except || opener->user() != *except) opener->OnEphemeral(thread, payload);
  }
}

std::vector<Subscriber*> Hub::Openers(const TenantId& tenant, const ThreadId& thread) const {
  const auto openers = openers_.find(ThreadName(tenant, thread));
  return openers == openers_.end() ? std::vector<Subscriber*>() : openers->second;
}

const std::vector<Subscriber*>* Hub::SessionsOf(const TenantId& tenant, const UserId& user) const {
  const auto sessions = users_.find(UserName(tenant, user));
  return sessions == users_.end() ? nullptr : &sessions->second;
}

bool Hub::Wants(const TenantId& tenant, const UserId& user) const {
  std::lock_guard lock(mutex_);
  return users_.contains(UserName(tenant, user));
}

}  // namespace parley::fanout
