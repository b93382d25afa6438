#include "bench/tables/table_load.h"

#include <algorithm>

namespace parley::bench {
namespace {

constexpr double kWarmUp = 0.25;  // as a fraction of the measured time, before it
constexpr int64_t kTableDrainNs = 30'000'000'000;

}  // namespace

TableLoad::TableLoad(TableServer& server, const TablePlan& plan, TableOp op)
    : server_(server), info_(Describe(op)), clients_(plan.clients) {
  const RequestSigner signer = server.Signer();
  const size_t turns = plan.items / plan.clients;  // each document in two states
  for (size_t i = 0; i < plan.clients; ++i) {
    for (size_t turn = 0; turn < turns; ++turn)
      clients_[i].requests.push_back(signer.Request(info_.name, RequestBody(plan, op, i, turn)));
    connections_.emplace_back(poller_, server.address(), *this, i);
  }
}

TableTurn TableLoad::Run(double seconds) {
  const auto ns = [](double s) { return static_cast<int64_t>(s * 1e9); };
  for (size_t i = 0; i < clients_.size(); ++i) SendNext(i);
  PollUntil(NowNs() + ns(seconds * kWarmUp));
  turn_.answered = 0;
  turn_.latency.Reset();
  const CpuTimes before = ReadCpu(server_.pid());
  const int64_t began = NowNs(), waited = poller_.waited_ns();
  PollUntil(began + ns(seconds));
  turn_.seconds = static_cast<double>(NowNs() - began) / 1e9;
  turn_.server = ReadCpu(server_.pid()) - before;
  turn_.own_idle = static_cast<double>(poller_.waited_ns() - waited) / 1e9 / turn_.seconds;
  const TableTurn measured = turn_;
  asking_ = false;
  const int64_t drained = NowNs() + kTableDrainNs;
  while (outstanding_ > 0 && NowNs() < drained) poller_.Poll(drained);
  if (outstanding_ > 0) Object("requests were never answered");
  TableTurn out = measured;
  out.objection = turn_.objection;
  return out;
}

void TableLoad::PollUntil(int64_t end) {
  while (NowNs() < end) poller_.Poll(end);
}

void TableLoad::SendNext(size_t client) {
  Client& one = clients_[client];
  ++outstanding_;
  one.sent_ns = NowNs();
  connections_[client].Send(one.requests[one.next++ % one.requests.size()]);
}

void TableLoad::OnAnswer(HttpClient& connection, int status, std::string_view body) {
  --outstanding_;
  ++turn_.answered;
  turn_.latency.Record(NowNs() - clients_[connection.tag()].sent_ns);
  if (status == 200) server_.updates += static_cast<uint64_t>(info_.updates);
  if (status != 200 || body.find(info_.expected) == std::string_view::npos)
    Object(std::to_string(status) + " " + std::string(body.substr(0, 120)));
  if (asking_) SendNext(connection.tag());
}

void TableLoad::OnLost(HttpClient&) {
  --outstanding_;
  Object("a connection was lost");
}

void TableLoad::Object(std::string what) {
  if (turn_.objection.empty()) turn_.objection = server_.name() + ": " + std::move(what);
}

}  // namespace parley::bench
