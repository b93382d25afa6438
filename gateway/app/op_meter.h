// Counts ops, their times and their error codes, for /metrics.
//
// The labels are bounded: ops are those of features::AllOps, all other names are "unknown"; codes are the
// enumerators. A request reads the clock twice and adds to arrays: no lock, no allocation, no text. The
// arrays are summed and named when /metrics is read.
//
// Thread contract: Begin and Note on the I/O thread; RenderOps on any, concurrently with Note.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base/error.h"

namespace parley::gateway {

// Returns the name of the op with this place in features::AllOps, "unknown" for OpMeter::kUnknown. Any
// thread.
std::string_view OpName(size_t index);

// The ops that one I/O thread received one way.
class OpMeter {
 public:
  OpMeter();

  static constexpr size_t kUnknown = UINT16_MAX;  // the index of unknown ops
  // Inclusive upper bounds of the time buckets; one more bucket counts longer times.
  static constexpr std::array<std::chrono::microseconds, 14> kBounds = {
      std::chrono::microseconds(50),        std::chrono::microseconds(100),
      std::chrono::microseconds(250),       std::chrono::microseconds(500),
      std::chrono::microseconds(1'000),     std::chrono::microseconds(2'500),
      std::chrono::microseconds(5'000),     std::chrono::microseconds(10'000),
      std::chrono::microseconds(25'000),    std::chrono::microseconds(50'000),
      std::chrono::microseconds(100'000),   std::chrono::microseconds(250'000),
      std::chrono::microseconds(1'000'000), std::chrono::microseconds(5'000'000)};

  // A request in progress.
  struct Mark {
    std::chrono::steady_clock::time_point since = {};
    uint16_t op = kUnknown;  // its place in features::AllOps
  };
  static Mark Begin(size_t op) { return {std::chrono::steady_clock::now(), static_cast<uint16_t>(op)}; }

  // Notes the answer; nullopt: no error.
  void Note(const Mark& mark, std::optional<protocol::ErrorCode> error) {
    Note(mark.op, std::chrono::steady_clock::now() - mark.since, error);
  }
  void Note(size_t op, std::chrono::nanoseconds took, std::optional<protocol::ErrorCode> error);

 private:
  friend class OpTotals;
  using Count = std::atomic<uint64_t>;
  struct Row {
    std::array<Count, kBounds.size() + 1> buckets = {};
    Count nanoseconds = 0;
    std::array<Count, protocol::kErrorCodeCount> errors = {};
  };
  std::vector<Row> rows_;  // the last one: unknown ops
};

// The meters of an I/O thread.
struct OpMeters {
  OpMeter socket, http;
};

// Returns the Prometheus text of all I/O threads together. Omits ops without requests, and codes that an op
// has not returned; totals by code are complete.
std::string RenderOps(const std::vector<const OpMeters*>& io_threads);
// Returns "name type help" for each metric, sorted.
std::vector<std::string> DescribeOps();

}  // namespace parley::gateway
