// Gives a session's reads that wait, for an index or for the disk, their turns: one at a time.
//
// Reads that arrive after one from the disk wait for it, since its answer would otherwise be older than
// theirs; writes do not wait. Events delivered during such a read are deferred until after its answer
// (delivery.h).
// Thread contract: the loop's thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>

#include "gateway/app/io_thread.h"
#include "gateway/app/read_pool.h"
#include "gateway/net/loop.h"

namespace parley::gateway {

struct SessionPieces;

class ReadTurns final : public ColdReads {
 public:
  explicit ReadTurns(SessionPieces& pieces) : s_(pieces) {}

  ReadRoad road();          // for a read that takes its turn if memory cannot answer it
  ReadRoad road_in_turn();  // for a read that has its turn already

  // Calls `begin` at once, or when earlier reads have ended.
  void InTurn(std::function<void()> begin);
  // Calls `finish`, which answers the read; then the deferred events are delivered and the next turn begins.
  void EndTurn(const std::function<void()>& finish);
  // As InTurn, for a turn that makes all reads wait until UnblockReads, but defers no events.
  void BlockReads(std::function<void()> begin);
  void UnblockReads(const std::function<void()>& finish);
  // Begins turns that wait, if the client reads.
  void BeginTurns();
  void GiveUp();

  void ReadCold(std::function<void(const storage::Reader&)> read, std::function<void()> then,
                const ReadRoad& road) override;
  bool MustWait() const override { return cold_reads_ > 0; }

 private:
  bool ReadFromMemory(const ReadJob& job);
  void SubmitRead(ReadJob job);

  SessionPieces& s_;
  std::list<std::function<void()>> turns_;   // reads that wait for the one before
  std::shared_ptr<std::atomic<bool>> over_;  // set when the session closes; created with the first job
  std::unique_ptr<Timer> retry_timer_;
  uint32_t cold_reads_ = 0;  // cold reads under way
  bool turn_taken_ = false;  // a read that waits is under way
  bool beginning_ = false;   // in BeginTurns
};

}  // namespace parley::gateway
