// Closed loop on one server: each client has one request outstanding on its kept-alive connection. Requests
// are made and signed before the clock starts, so that the generator does little more than send them.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "bench/measure/cpu.h"
#include "bench/measure/histogram.h"
#include "bench/net/http_client.h"
#include "bench/tables/table_server.h"

namespace parley::bench {

struct TableTurn {
  uint64_t answered = 0;
  double seconds = 0;
  CpuTimes server;
  Histogram latency;
  double own_idle = 0;    // the fraction of time that the generator was idle
  std::string objection;  // the first unexpected response, or a lost connection
  double per_second() const { return seconds > 0 ? static_cast<double>(answered) / seconds : 0; }
  double cpu_us() const { return CpuUs(server.on_cpu_ns); }
  double CpuUs(int64_t ns) const {
    return answered ? static_cast<double>(ns) / 1e3 / static_cast<double>(answered) : 0;
  }
};

class TableLoad final : public HttpClient::Listener {
 public:
  TableLoad(TableServer& server, const TablePlan& plan, TableOp op);
  TableTurn Run(double seconds);

 private:
  struct Client {
    std::vector<std::string> requests;
    size_t next = 0;
    int64_t sent_ns = 0;
  };
  void OnAnswer(HttpClient& connection, int status, std::string_view body) override;
  void OnLost(HttpClient& connection) override;
  void SendNext(size_t client);
  void PollUntil(int64_t end);
  void Object(std::string what);

  TableServer& server_;
  const TableOpInfo& info_;
  Poller poller_;
  std::vector<Client> clients_;
  std::deque<HttpClient> connections_;
  TableTurn turn_;
  bool asking_ = true;
  size_t outstanding_ = 0;
};

}  // namespace parley::bench
