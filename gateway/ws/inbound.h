// Takes a session's frames one by one, and answers their requests.
//
// The transport's callback only queues a frame; a task on the loop decodes and handles it (Pump). Reading
// pauses while too many requests, or too large ones, are unanswered.
// Thread contract: the loop's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <unordered_set>
#include <utility>

#include "gateway/app/io_thread.h"
#include "gateway/ws/ws_request.h"

namespace parley::gateway {

struct SessionPieces;

class Inbound final : public Pumped {
 public:
  explicit Inbound(SessionPieces& pieces) : s_(pieces) {}

  void Take(std::string payload, bool binary);
  void SchedulePump();
  void PumpIfQueued();
  void Pump() override;
  void HandleRest();  // handles all frames, without a connection
  void Clear() { queue_.clear(); }
  bool idle() const { return in_flight_ == 0 && queue_.empty(); }

  // Answers a request. Each request is finished once, or settled without an answer.
  void Finish(const Ticket& ticket, Answer answer);
  Done Finisher(const Ticket& ticket);  // does nothing once the session is destroyed
  void Settle(const Ticket& ticket);

 private:
  bool TakeNext();                       // handles the oldest frame; false: the session closed over it
  bool Admit(const WsRequest& request);  // false: closed for a bad id
  void AnswerEnd();                      // once everything is answered
  void UpdateReading();

  SessionPieces& s_;
  // Nearly always empty, and an empty list takes no memory while an empty deque takes half a KiB.
  std::list<std::pair<std::string, bool>> queue_;
  size_t queue_bytes_ = 0;
  std::unordered_set<uint32_t> outstanding_;
  uint32_t in_flight_ = 0;
  bool pump_posted_ = false;
  bool reading_paused_ = false;
};

}  // namespace parley::gateway
