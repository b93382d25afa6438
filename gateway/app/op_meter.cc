#include "gateway/app/op_meter.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "features/ops.h"

namespace parley::gateway {

namespace {

// In the order of AllOps, and "unknown".
const std::vector<std::string_view>& OpNames() {
  static const auto names = [] {
    std::vector<std::string_view> all;
    protocol::ForEachOp(features::AllOps{}, [&]<class Op>() { all.push_back(Op::kName); });
    all.emplace_back("unknown");
    return all;
  }();
  return names;
}

struct Family {
  std::string_view name, type, help;
};
constexpr Family kErrors = {"parley_errors_total", "counter",
                            "Op requests answered with an error, by way and code"};
constexpr Family kOpErrors = {"parley_op_errors_total", "counter",
                              "The same by op; ops without errors are omitted"};
constexpr Family kSeconds = {"parley_op_seconds", "histogram",
                             "Time from receiving a request to its answer, by way and op"};

// Adds to one thread's own counter, which other threads only read: no addition can be lost.
void Add(std::atomic<uint64_t>& count, uint64_t n) {
  count.store(count.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
}

std::string Seconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", seconds);
  return text;
}

double SecondsOf(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

void PutHead(const Family& family, std::string* out) {
  *out += "# HELP " + std::string(family.name) + " " + std::string(family.help) + "\n";
  *out += "# TYPE " + std::string(family.name) + " " + std::string(family.type) + "\n";
}

void PutLine(std::string_view name, const std::string& labels, const std::string& value, std::string* out) {
  *out += std::string(name) + "{" + labels + "} " + value + "\n";
}

std::string Label(std::string_view name, std::string_view value) {
  return std::string(name) + "=\"" + std::string(value) + "\"";
}

std::string_view NameOfCode(size_t code) {
  return protocol::Describe(static_cast<protocol::ErrorCode>(code)).name;
}

}  // namespace

std::string_view OpName(size_t index) {
  return OpNames()[std::min(index, OpNames().size() - 1)];
}

OpMeter::OpMeter() : rows_(OpNames().size()) {}

void OpMeter::Note(size_t op, std::chrono::nanoseconds took, std::optional<protocol::ErrorCode> error) {
  Row& row = rows_[std::min(op, rows_.size() - 1)];
  size_t bucket = 0;
  while (bucket < kBounds.size() && took > kBounds[bucket]) ++bucket;
  Add(row.buckets[bucket], 1);
  Add(row.nanoseconds, static_cast<uint64_t>(std::max<int64_t>(took.count(), 0)));
  if (error) Add(row.errors[static_cast<size_t>(*error)], 1);
}

// The sums of several meters.
class OpTotals {
 public:
  OpTotals(std::string_view way, const std::vector<const OpMeters*>& io_threads,
           const OpMeter OpMeters::*which)
      : way_(Label("way", way)), rows_(OpNames().size()) {
    for (const OpMeters* io : io_threads) {
      for (size_t op = 0; op < rows_.size(); ++op) Sum((io->*which).rows_[op], &rows_[op]);
    }
  }

  void PutErrors(std::string* out) const {
    for (size_t code = 0; code < protocol::kErrorCodeCount; ++code) {
      uint64_t total = 0;
      for (const Row& row : rows_) total += row.errors[code];
      PutLine(kErrors.name, way_ + "," + Label("code", NameOfCode(code)), std::to_string(total), out);
    }
  }

  void PutOpErrors(std::string* out) const {
    for (size_t op = 0; op < rows_.size(); ++op) {
      for (size_t code = 0; code < protocol::kErrorCodeCount; ++code) {
        if (rows_[op].errors[code] == 0) continue;
        PutLine(kOpErrors.name, LabelsOf(op) + "," + Label("code", NameOfCode(code)),
                std::to_string(rows_[op].errors[code]), out);
      }
    }
  }

  void PutSeconds(std::string* out) const {
    const std::string buckets = std::string(kSeconds.name) + "_bucket";
    for (size_t op = 0; op < rows_.size(); ++op) {
      const Row& row = rows_[op];
      uint64_t total = 0;
      for (const uint64_t count : row.buckets) total += count;
      if (total == 0) continue;
      const std::string labels = LabelsOf(op);
      uint64_t so_far = 0;
      for (size_t i = 0; i < OpMeter::kBounds.size(); ++i) {
        so_far += row.buckets[i];
        PutLine(buckets, labels + "," + Label("le", Seconds(SecondsOf(OpMeter::kBounds[i]))),
                std::to_string(so_far), out);
      }
      PutLine(buckets, labels + "," + Label("le", "+Inf"), std::to_string(total), out);
      const std::chrono::nanoseconds sum(static_cast<int64_t>(row.nanoseconds));
      PutLine(std::string(kSeconds.name) + "_sum", labels, Seconds(SecondsOf(sum)), out);
      PutLine(std::string(kSeconds.name) + "_count", labels, std::to_string(total), out);
    }
  }

 private:
  struct Row {
    std::array<uint64_t, OpMeter::kBounds.size() + 1> buckets = {};
    uint64_t nanoseconds = 0;
    std::array<uint64_t, protocol::kErrorCodeCount> errors = {};
  };
  static void Sum(const OpMeter::Row& from, Row* to) {
    for (size_t i = 0; i < to->buckets.size(); ++i)
      to->buckets[i] += from.buckets[i].load(std::memory_order_relaxed);
    to->nanoseconds += from.nanoseconds.load(std::memory_order_relaxed);
    for (size_t i = 0; i < to->errors.size(); ++i)
      to->errors[i] += from.errors[i].load(std::memory_order_relaxed);
  }
  std::string LabelsOf(size_t op) const { return way_ + "," + Label("op", OpName(op)); }

  const std::string way_;
  std::vector<Row> rows_;
};

std::string RenderOps(const std::vector<const OpMeters*>& io_threads) {
  const OpTotals socket("socket", io_threads, &OpMeters::socket), http("http", io_threads, &OpMeters::http);
  std::string out;
  PutHead(kErrors, &out);
  for (const OpTotals* totals : {&socket, &http}) totals->PutErrors(&out);
  PutHead(kOpErrors, &out);
  for (const OpTotals* totals : {&socket, &http}) totals->PutOpErrors(&out);
  PutHead(kSeconds, &out);
  for (const OpTotals* totals : {&socket, &http}) totals->PutSeconds(&out);
  return out;
}

std::vector<std::string> DescribeOps() {
  std::vector<std::string> out;
  for (const Family& one : {kErrors, kOpErrors, kSeconds})
    out.push_back(std::string(one.name) + " " + std::string(one.type) + " " + std::string(one.help));
  return out;
}

}  // namespace parley::gateway
