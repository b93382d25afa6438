// The main load: rooms of members who send and listen; every acknowledgement and every delivery is accounted
// for.
//
// Closed loop: `outstanding` sends are always unanswered; each reply triggers the next send. Open loop: sends
// are made by the clock at `rate`, whatever the server does, and a latency counts from the due time of its
// send, so a server that stalls cannot hide the sends it delayed (coordinated omission).
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/load/fleet.h"
#include "bench/measure/cpu.h"
#include "bench/measure/histogram.h"

namespace parley::bench {

// An existing room: its thread, and the last seq before any session listens.
struct MadeRoom {
  std::string thread;
  int64_t last_seq = 0;
};

struct RoomsPlan {
  size_t rooms = 100;
  size_t members = 10;       // per room
  size_t online = 10;        // the first of them: connected, and sending
  size_t senders = 0;        // the first of each room; 0: all who are online
  size_t outstanding = 256;  // closed loop: the next member sends when a reply arrives …
  size_t window = 0;         // … or, if above 0, each sender has this many unanswered sends
  double rate = 0;           // open loop, messages a second, if above 0
  size_t body_bytes = 200;
  double warmup_seconds = 1.5;
  double seconds = 4;
  std::string prefix = "u";  // prefix of the user names, unless they are given:
  std::function<std::string(size_t room, size_t member)> user;
  bool await_projections = true;  // at the end; a remote server may not report its lag
  bool progress = false;          // a line a second on stderr
  // Makes a room on a server without HTTP, which has no projections either.
  std::function<MadeRoom(size_t room)> make;
};

struct RoomsResult {
  uint64_t acked = 0;      // within the measurement
  uint64_t delivered = 0;  // events received for them
  uint64_t lost = 0;       // gaps in a receiver's sequence, and missing events
  uint64_t duplicated = 0;
  uint64_t refused = 0;  // sends answered with an error
  std::string first_refusal;
  bool overrun = false;  // open loop: the load stopped because too many sends were unanswered
  double seconds = 0;  // from the first measured send until every reply, delivery and projection is complete
  Histogram ack, delivery;  // delivery: from the due time of a send to its event at a receiver (a sample)
  // The last sampled frame of each kind, with the event's thread and clientId.
  std::string ack_frame, event_frame, event_thread, event_client_id;
  uint64_t sampled_events = 0, sampled_event_bytes = 0;  // message.created, on the wire
  CpuTimes server;
  int64_t own_cpu_ns = 0;
  double own_idle = 0;  // the fraction of time that the generator was idle
  bool caught_up = false;

  double acks_per_second() const { return seconds > 0 ? static_cast<double>(acked) / seconds : 0; }
  double event_bytes() const {
    return static_cast<double>(sampled_event_bytes) /
           static_cast<double>(std::max<uint64_t>(1, sampled_events));
  }
  double deliveries_per_second() const { return seconds > 0 ? static_cast<double>(delivered) / seconds : 0; }
  // The reason why the figures must not be used, or an empty text.
  std::string Objection() const;
};

class Rooms final : private LoadSession::Listener {
 public:
  // Creates the rooms and connects the members. `server` may be 0 for a remote server, whose CPU is unknown.
  Rooms(Poller& poller, const Target& target, const RoomsPlan& plan, pid_t server);

  RoomsResult Run();
  Fleet& fleet() { return fleet_; }
  const std::string& thread(size_t room) const { return threads_[room]; }
  int64_t last_seq(size_t room) const { return room_seq_[room]; }  // acknowledged
  size_t room_of(const LoadSession& session) const { return session.index() / plan_.online; }
  // Called on each acknowledged send, for loads with additional requests. Set before Run.
  std::function<void(LoadSession& sender, size_t room, int64_t seq, int64_t acked_ns)> on_ack;
  std::function<void(LoadSession&, uint64_t tag, int64_t asked_ns, const FrameView&)> on_other_reply;
  std::function<void()> on_tick;  // between waits, at least every 200 us of an open loop
  static constexpr uint64_t kOtherTag = uint64_t{1} << 40;  // tags from here on belong to on_other_reply

 private:
  void OnReply(LoadSession& session, uint64_t tag, int64_t asked_ns, const FrameView& view) override;
  void OnEvent(LoadSession& session, const FrameView& view) override;
  void OnLost(LoadSession& session, uint16_t code) override;
  void SendNext(int64_t due_ns);
  void SendFrom(LoadSession& session, int64_t due_ns);
  std::string UserOf(size_t room, size_t member) const;
  MadeRoom MakeRoom(size_t room) const;
  size_t senders() const { return plan_.senders > 0 ? plan_.senders : plan_.online; }
  void Sample(LoadSession& session, const FrameView& view);
  void SendDue();
  bool Settled() const;
  bool AwaitInboxes(int64_t deadline_ns) const;
  void Progress();
  uint64_t Missing() const;

  const RoomsPlan plan_;
  const pid_t server_;
  Fleet fleet_;
  std::vector<std::string> threads_;
  std::unordered_map<std::string_view, size_t> room_by_thread_;
  std::vector<int64_t> seen_;      // by session: the last seq of its room
  std::vector<int64_t> room_seq_;  // by room: the highest acknowledged
  std::string body_;

  RoomsResult result_;
  bool measuring_ = false, stopping_ = false;
  size_t next_sender_ = 0, unanswered_ = 0;
  uint64_t sent_ = 0, arrived_ = 0, acked_total_ = 0;
  int64_t began_ns_ = 0, open_began_ns_ = 0, progress_ns_ = 0;
  uint64_t open_sent_ = 0, progress_acked_ = 0;
  uint64_t lost_sessions_ = 0;
};

// Waits until every projection of the server has processed the whole change log.
bool AwaitProjections(const Origin& address, int64_t deadline_ns);

}  // namespace parley::bench
