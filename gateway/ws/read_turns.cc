#include "gateway/ws/read_turns.h"

#include <utility>

#include "gateway/ws/session_pieces.h"
#include "storage/guarded_reader.h"

namespace parley::gateway {
namespace {

constexpr int64_t kReadRetryMs = 200;  // if the readers' budget is used up, or too many reads wait

}  // namespace

ReadRoad ReadTurns::road() {
  return {s_.Share<ColdReads>(this), false};
}

ReadRoad ReadTurns::road_in_turn() {
  return {s_.Share<ColdReads>(this), true};
}

void ReadTurns::InTurn(std::function<void()> begin) {
  turns_.push_back(std::move(begin));
  BeginTurns();
}

// Only one read begins here at a time, however many end together, so that they do not nest.
void ReadTurns::BeginTurns() {
  if (beginning_) return;
  beginning_ = true;
  while (!turn_taken_ && !turns_.empty() && !s_.closing()) {
    if (s_.out.HasBacklog(4) && !s_.input_ended) break;  // the next answer waits until OnWritable
    const std::function<void()> begin = std::move(turns_.front());
    turns_.pop_front();
    turn_taken_ = true;
    s_.delivery.StartDeferring();
    begin();
  }
  beginning_ = false;
}

void ReadTurns::EndTurn(const std::function<void()>& finish) {
  s_.delivery.StopDeferring();
  finish();
  s_.delivery.DeliverDeferred();
  turn_taken_ = false;
  if (s_.state == SessionCore::State::kResuming) s_.resumption.Step();
  BeginTurns();
}

void ReadTurns::BlockReads(std::function<void()> begin) {
  ++cold_reads_;
  InTurn([this, begin = std::move(begin)] {
    s_.delivery.StopDeferring();  // no answer is being made for which events must wait
    begin();
  });
}

void ReadTurns::UnblockReads(const std::function<void()>& finish) {
  --cold_reads_;
  EndTurn(finish);
}

void ReadTurns::ReadCold(std::function<void(const storage::Reader&)> read, std::function<void()> then,
                         const ReadRoad& road) {
  if (!s_.connection) return;
  const bool has_turn = road.has_turn;
  if (!over_) over_ = std::make_shared<std::atomic<bool>>(false);
  ReadJob job{std::move(read), std::move(then), &s_.io.loop(), over_,
              s_.identity ? s_.tenant().ToText() : std::string()};
  ++cold_reads_;
  job.finish = [this, weak = s_.weak_from_this(), has_turn, finish = std::move(job.finish)] {
    const auto session = weak.lock();
    if (!session) return;
    --cold_reads_;
    has_turn ? finish() : EndTurn(finish);
  };
  if (has_turn) return SubmitRead(std::move(job));
  const bool at_once = !turn_taken_;
  InTurn([this, at_once, job = std::move(job)] {
    if (at_once || !ReadFromMemory(job)) SubmitRead(job);
  });
}

// Reads that waited for a turn may find their rows in memory by now.
bool ReadTurns::ReadFromMemory(const ReadJob& job) {
  const auto view = s_.io.View();
  const storage::MemoryAttempt attempt(*view, IoThread::kBytesOnLoop);
  job.read(attempt);
  if (attempt.missed()) return false;
  s_.node().read_pool().CountFromMemory();
  job.finish();
  return true;
}

// If too many reads wait, a session's read retries instead of failing.
void ReadTurns::SubmitRead(ReadJob job) {
  if (s_.io.MakeRoom() && s_.node().read_pool().Submit(job)) return;
  retry_timer_ =
      s_.io.loop().CallAfter(kReadRetryMs, [this, weak = s_.weak_from_this(), job = std::move(job)] {
        if (const auto session = weak.lock()) SubmitRead(job);
      });
}

void ReadTurns::GiveUp() {
  if (over_) over_->store(true, std::memory_order_relaxed);
  retry_timer_.reset();
  turns_.clear();
  s_.delivery.DropDeferred();
}

}  // namespace parley::gateway
