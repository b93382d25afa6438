#include "bench/load/rooms.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "bench/net/http_call.h"
#include "bench/net/ws_frame.h"
#include "protocol/ops/all.h"

namespace parley::bench {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kDrainSeconds = 60;
constexpr size_t kUnansweredMax =
    100'000;                          // in an open loop, so that a stalled server cannot fill our memory
constexpr uint64_t kSampleEvery = 8;  // measures the latency of every 8th delivery

// Encodes the due time of a send in its clientId, which is readable in every event.
std::string ClientIdFor(int64_t due_ns, uint64_t number) {
  char text[40];
  std::snprintf(text, sizeof text, "%016llx-%08llx", static_cast<unsigned long long>(due_ns),
                static_cast<unsigned long long>(number));
  return text;
}
int64_t DueOf(std::string_view client_id) {
  int64_t ns = 0;
  if (client_id.size() > 16) std::from_chars(client_id.data(), client_id.data() + 16, ns, 16);
  return ns;
}

std::string CallOver(const Origin& origin, const std::string& path, const std::string& json,
                     const std::string& token) {
  HttpAnswer answer = AskHttp(origin, path, json, token);
  if (answer.status == 200 || answer.status == 201) return std::move(answer.body);
  std::fprintf(stderr, "parley-bench: %s was answered with %d: %.400s\n", path.c_str(), answer.status,
               answer.body.c_str());
  std::exit(1);
}

}  // namespace

std::string Rooms::UserOf(size_t room, size_t member) const {
  if (plan_.user) return plan_.user(room, member);
  return plan_.prefix + std::to_string(room) + "_" + std::to_string(member);
}

// Runs before any session listens: members beyond the limit of thread.create join one by one.
MadeRoom Rooms::MakeRoom(size_t room) const {
  constexpr auto kJson = protocol::Encoding::kJson;
  const Target& target = fleet_.target();
  const auto quoted = [&](size_t i) { return '"' + UserOf(room, i) + '"'; };
  const auto member = [&](size_t i) { return "\"userId\":" + quoted(i) + ",\"roleContext\":\"seller\""; };
  const auto token = TokenOf(target, UserOf(room, 0));
  if (!token) std::exit(1);
  std::string list;
  size_t next = 2;
  for (; next < plan_.members && next < protocol::kMaxNamed; ++next)
    list += (list.empty() ? "{" : ",{") + member(next) + "}";
  const std::string reply =
      CallOver(target.address, "/v1/ops/thread.create",
               "{\"kind\":\"project\",\"buyerUserId\":" + quoted(0) + ",\"sellerUserId\":" + quoted(1) +
                   ",\"participants\":[" + list + "]}",
               *token);
  const std::string thread(FindValue(kJson, reply, "thread").value_or("{}"));
  MadeRoom made{std::string(FindText(kJson, thread, "threadId").value_or("")),
                FindInt(kJson, thread, "lastSeq").value_or(0)};
  for (; next < plan_.members; ++next, ++made.last_seq)
    CallOver(target.address, "/v1/ops/participant.add",
             "{\"threadId\":\"" + made.thread + "\"," + member(next) + "}", *token);
  return made;
}

// Each query costs the server time that is counted, so the interval grows with the time waited: at most a
// quarter more than needed.
bool AwaitProjections(const Origin& address, int64_t deadline_ns) {
  const int64_t began = NowNs();
  while (NowNs() < deadline_ns) {
    const auto metrics = HttpGet(address, "/metrics");
    if (metrics && FindMetric(*metrics, "parley_projection_lag") == 0.0) return true;
    const int64_t pause = std::max<int64_t>(2'000'000, (NowNs() - began) / 4);
    std::this_thread::sleep_for(std::chrono::nanoseconds(pause));
  }
  return false;
}

std::string RoomsResult::Objection() const {
  if (refused > 0) return std::to_string(refused) + " sends were refused, the first with " + first_refusal;
  if (overrun) return "the server fell " + std::to_string(kUnansweredMax) + " sends behind";
  if (lost > 0) return std::to_string(lost) + " deliveries were lost";
  if (duplicated > 0) return std::to_string(duplicated) + " deliveries came twice";
  if (!caught_up) return "the server did not catch up in time";
  if (own_idle < 0.01) return "the generator never waited: it was the bottleneck";
  return {};
}

Rooms::Rooms(Poller& poller, const Target& target, const RoomsPlan& plan, pid_t server)
    : plan_(plan), server_(server), fleet_(poller, target), body_(plan.body_bytes, 'x') {
  std::vector<std::string> users;
  for (size_t room = 0; room < plan_.rooms; ++room) {
    for (size_t i = 0; i < plan_.online; ++i) {
      users.push_back(UserOf(room, i));
    }
  }
  threads_.reserve(plan_.rooms);
  for (size_t room = 0; room < plan_.rooms; ++room) {
    const MadeRoom made = plan_.make ? plan_.make(room) : MakeRoom(room);
    threads_.push_back(made.thread);
    room_by_thread_.emplace(threads_.back(), room);
    room_seq_.push_back(made.last_seq);
  }
  if (!fleet_.Connect(users)) {
    std::fprintf(stderr, "parley-bench: %zu of %zu sessions got in\n", fleet_.live(), users.size());
    std::exit(1);
  }
  fleet_.set_listener(this);
  for (size_t i = 0; i < users.size(); ++i) seen_.push_back(room_seq_[i / plan_.online]);
}

uint64_t Rooms::Missing() const {
  uint64_t missing = 0;
  for (size_t i = 0; i < seen_.size(); ++i) {
    const int64_t held = room_seq_[i / plan_.online] - seen_[i];
    missing += held > 0 ? static_cast<uint64_t>(held) : 0;
  }
  return missing;
}

void Rooms::SendNext(int64_t due_ns) {
  // Consecutive sends go to different rooms.
  const size_t at = next_sender_++ % (plan_.rooms * senders());
  SendFrom(fleet_.at(at % plan_.rooms * plan_.online + at / plan_.rooms), due_ns);
}

void Rooms::SendFrom(LoadSession& session, int64_t due_ns) {
  session.Request("message.send",
                  Args({{"threadId", threads_[room_of(session)]},
                        {"clientId", ClientIdFor(due_ns, sent_)},
                        {"type", "text"},
                        {"body", body_}}),
                  measuring_ ? 1 : 0, due_ns);
  ++sent_;
  ++unanswered_;
}

void Rooms::SendDue() {
  const int64_t now = NowNs();
  for (;;) {
    const int64_t due =
        open_began_ns_ + static_cast<int64_t>(static_cast<double>(open_sent_) * 1e9 / plan_.rate);
    if (due > now) return;
    if (unanswered_ >= kUnansweredMax) {
      result_.overrun = true;
      return;
    }
    ++open_sent_;
    SendNext(due);
  }
}

void Rooms::OnReply(LoadSession& session, uint64_t tag, int64_t asked_ns, const FrameView& view) {
  const int64_t now = NowNs();
  if (tag >= kOtherTag) {
    if (on_other_reply) on_other_reply(session, tag, asked_ns, view);
    return;
  }
  --unanswered_;
  if (!view.ok) {
    if (++result_.refused == 1)
      result_.first_refusal = std::string(FindText(session.encoding(), view.body, "code").value_or("?")) +
                              ": " +
                              std::string(FindText(session.encoding(), view.body, "message").value_or("?"));
  } else {
    ++acked_total_;
    const size_t room = room_of(session);
    const int64_t seq = FindInt(session.encoding(), view.body, "seq").value_or(0);
    room_seq_[room] = std::max(room_seq_[room], seq);
    if (tag == 1) {
      ++result_.acked;
      result_.ack.Record(now - asked_ns);
      if (result_.acked % kSampleEvery == 1) result_.ack_frame = view.frame;
    }
    if (on_ack && measuring_) on_ack(session, room, seq, now);
  }
  if (stopping_ || plan_.rate > 0) return;
  if (plan_.window > 0) {
    SendFrom(session, now);
  } else {
    SendNext(now);
  }
}

void Rooms::OnEvent(LoadSession& session, const FrameView& view) {
  if (view.seq == 0) return;
  const auto room = room_by_thread_.find(view.thread);
  int64_t& seen = seen_[session.index()];
  if (room == room_by_thread_.end()) {  // the reply to its thread.create is pending
    seen = std::max(seen, view.seq);
    return;
  }
  if (view.seq <= seen) {
    ++result_.duplicated;
    return;
  }
  result_.lost += static_cast<uint64_t>(view.seq - seen - 1);
  seen = view.seq;
  ++arrived_;
  if (measuring_ && arrived_ % kSampleEvery == 0 && view.event == "message.created") Sample(session, view);
}

void Rooms::Sample(LoadSession& session, const FrameView& view) {
  const std::string_view client_id = FindText(session.encoding(), view.item, "clientId").value_or("");
  const int64_t due = DueOf(client_id);
  if (due < began_ns_) return;
  result_.delivery.Record(NowNs() - due);
  ++result_.sampled_events;
  result_.sampled_event_bytes += WireBytes(view.frame.size());
  result_.event_frame = view.frame;
  result_.event_thread = view.thread;
  result_.event_client_id = client_id;
}

void Rooms::OnLost(LoadSession& session, uint16_t code) {
  std::fprintf(stderr, "parley-bench: %s was closed with %u\n", session.user().c_str(),
               static_cast<unsigned>(code));
  ++lost_sessions_;
}

bool Rooms::Settled() const {
  return lost_sessions_ > 0 || (unanswered_ == 0 && Missing() == 0);
}

// Reads an inbox, because the server may delay projections that no client waits for.
bool Rooms::AwaitInboxes(int64_t deadline_ns) const {
  const Target& target = fleet_.target();
  const auto token = TokenOf(target, UserOf(0, 0));
  if (!token) return false;
  CallOver(target.address, "/v1/ops/inbox.list", "{}", *token);
  return AwaitProjections(target.address, deadline_ns);
}

void Rooms::Progress() {
  const int64_t now = NowNs();
  if (!plan_.progress || now - progress_ns_ < kSecond) return;
  std::fprintf(
      stderr, "  %-9s %8.0f acks/s  %zu unanswered  %llu lost\n", measuring_ ? "measuring" : "warming",
      static_cast<double>(acked_total_ - progress_acked_) * 1e9 / static_cast<double>(now - progress_ns_),
      unanswered_, static_cast<unsigned long long>(result_.lost));
  progress_ns_ = now;
  progress_acked_ = acked_total_;
}

RoomsResult Rooms::Run() {
  Poller& poller = fleet_.poller();
  result_ = {};
  measuring_ = stopping_ = false;
  progress_ns_ = NowNs();
  open_began_ns_ = NowNs();
  open_sent_ = 0;
  const auto run_for = [&](double seconds) {
    const int64_t end = NowNs() + static_cast<int64_t>(seconds * 1e9);
    while (NowNs() < end && lost_sessions_ == 0) {
      if (plan_.rate > 0) SendDue();
      if (on_tick) on_tick();
      const int64_t step = plan_.rate > 0 ? std::min<int64_t>(end, NowNs() + 200'000) : end;
      poller.Poll(std::min(step, NowNs() + kSecond));
      Progress();
    }
  };
  if (plan_.rate <= 0) {
    next_sender_ = 0;
    const size_t first = plan_.window > 0 ? plan_.window * plan_.rooms * senders() : plan_.outstanding;
    for (size_t i = 0; i < first; ++i) SendNext(NowNs());
  }
  run_for(plan_.warmup_seconds);

  measuring_ = true;
  began_ns_ = NowNs();
  const uint64_t arrived_before = arrived_;
  const int64_t own_before = OwnThreadCpuNs(), waited_before = poller.waited_ns();
  const CpuTimes server_before = server_ ? ReadCpu(server_) : CpuTimes{};
  run_for(plan_.seconds);
  const int64_t sent_ns = NowNs();
  result_.own_idle =
      static_cast<double>(poller.waited_ns() - waited_before) / static_cast<double>(sent_ns - began_ns_);
  stopping_ = true;
  const int64_t deadline = NowNs() + kDrainSeconds * kSecond;
  // Settled() examines every session, so it runs only when a wait ends, not after each event.
  while (!Settled() && NowNs() < deadline) poller.Poll(deadline);
  result_.caught_up =
      Settled() && lost_sessions_ == 0 && (plan_.make || !plan_.await_projections || AwaitInboxes(deadline));
  result_.seconds = static_cast<double>(NowNs() - began_ns_) / 1e9;
  result_.delivered = arrived_ - arrived_before;
  result_.lost += Missing();
  result_.own_cpu_ns = OwnThreadCpuNs() - own_before;
  if (server_) result_.server = ReadCpu(server_) - server_before;
  return result_;
}

}  // namespace parley::bench
