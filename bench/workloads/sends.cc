// P1, P2, P4 (the main load) and P3 (one sender alone).
#include <algorithm>

#include "bench/baselines/raw_load.h"
#include "bench/load/rooms.h"
#include "bench/load/store_limits.h"
#include "bench/process/server_process.h"
#include "bench/workloads/workload.h"

namespace parley::bench {
namespace {

constexpr size_t kRooms = 26, kMembers = 10;  // one send outstanding per member
constexpr size_t kOutstanding = 256, kWriters = 256;
constexpr size_t kRecorded = 20'000;
constexpr size_t kEventBytes = 620;  // a message.created with a body of 200 bytes, framed

std::string CpuNote(const RoomsResult& result) {
  std::string note = "server CPU per ack:";
  const auto us = [&](int64_t ns) {
    return static_cast<double>(ns) / 1e3 / static_cast<double>(std::max<uint64_t>(1, result.acked));
  };
  char text[64];
  for (const auto& [thread, ns] : result.server.by_thread) {
    std::snprintf(text, sizeof text, " %s %.1f us", thread == "parleyd" ? "loop" : thread.c_str(), us(ns));
    if (us(ns) >= 0.5) note += text;
  }
  std::snprintf(text, sizeof text, "; generator idle %.0f %%", result.own_idle * 100);
  return note + text;
}

}  // namespace

void RunSends(const Context& context) {
  const auto rows = RecordSends({kRooms, kMembers, kRecorded, 200});
  std::vector<double> acks, deliveries, committer, writers, raw;
  RoomsResult last;
  std::string objection;
  for (int round = 0; round < context.rounds; ++round) {
    const ScratchDir one(context.scratch), two(context.scratch), three(context.scratch);
    committer.push_back(MeasureCommitter(one.path(), rows, kOutstanding).commits_per_second);
    writers.push_back(MeasureIndependentWriters(two.path(), rows, kWriters).commits_per_second);
    raw.push_back(
        MeasureRawBroadcast(kRooms * kMembers, kEventBytes, kMembers, context.seconds / 3).per_second);
    ServerProcess server(context.parleyd, three.path());
    Target target;
    target.address = server.address();
    RoomsPlan plan;
    plan.rooms = kRooms;
    plan.members = plan.online = kMembers;
    plan.outstanding = kOutstanding;
    plan.seconds = context.seconds;
    Poller poller;
    Rooms rooms(poller, target, plan, server.pid());
    last = rooms.Run();
    acks.push_back(last.acks_per_second());
    deliveries.push_back(last.deliveries_per_second());
    if (objection.empty()) objection = last.Objection();
  }
  const auto ratio = [&](const std::vector<double>& values, const std::vector<double>& bases) {
    std::vector<double> ratios;
    for (size_t i = 0; i < values.size(); ++i) ratios.push_back(values[i] / bases[i]);
    return Median(ratios);
  };
  context.report->AddCurve("send to ack, 256 outstanding", last.ack);
  context.report->AddCurve("send to delivery, 256 outstanding", last.delivery);
  context.report->Add({"P1", "durable sends, 256 outstanding, rooms of 10, acks/s", Median(acks),
                       "RocksDB, one committer, same rows, commits/s", Median(committer),
                       ratio(acks, committer), GoalOf("P1"), CpuNote(last), objection});
  context.report->Add({"P2", "the same, acks/s", Median(acks), "RocksDB, 256 independent writers, commits/s",
                       Median(writers), ratio(acks, writers), GoalOf("P2"), "", objection});
  context.report->Add({"P4", "deliveries/s at that load", Median(deliveries),
                       "raw epoll, coalesced broadcast of such frames/s", Median(raw), ratio(deliveries, raw),
                       GoalOf("P4"), "", objection});
}

void RunLoneSender(const Context& context) {
  std::vector<double> ratios, acks, syncs;
  RoomsResult last;
  std::string objection;
  for (int round = 0; round < context.rounds; ++round) {
    const ScratchDir dir(context.scratch);
    ServerProcess server(context.parleyd, dir.path());
    Target target;
    target.address = server.address();
    RoomsPlan plan;
    plan.rooms = 1;
    plan.members = plan.online = 2;
    plan.outstanding = 1;
    plan.seconds = context.seconds / 2;
    plan.warmup_seconds = 0.3;
    Poller poller;
    Rooms rooms(poller, target, plan, server.pid());
    last = rooms.Run();
    const double sync = static_cast<double>(MeasureSync(dir.path(), 2048, 1000)) / 1e6;
    const double ack = static_cast<double>(last.ack.Percentile(50)) / 1e6;
    acks.push_back(ack);
    syncs.push_back(sync);
    ratios.push_back(ack / sync);
    if (objection.empty()) objection = last.Objection();
  }
  context.report->AddCurve("one sender alone, send to ack", last.ack);
  context.report->Add({"P3", "one sender alone, ack p50, ms", Median(acks), "one fdatasync of 2 KiB, p50, ms",
                       Median(syncs), Median(ratios), GoalOf("P3"), "", objection});
}

}  // namespace parley::bench
