// D1 … D5 with 64 clients, D6 … D10 with 8: the DynamoDB API beside two other servers of the same protocol.
#include <algorithm>
#include <map>

#include "bench/process/server_process.h"
#include "bench/tables/engine_load.h"
#include "bench/tables/table_load.h"
#include "bench/tables/table_server.h"
#include "bench/workloads/workload.h"

namespace parley::bench {
namespace {

using Servers = std::vector<std::unique_ptr<TableServer>>;  // ours first

// What was measured of one operation on one server, a value for each round.
struct Rounds {
  std::vector<double> per_second, cpu_us;
  TableTurn last;
};

// One operation with one number of clients.
class OpComparison {
 public:
  OpComparison(const Context& context, Servers& servers, TablePlan plan, TableOp op)
      : context_(context), servers_(servers), plan_(plan), op_(op), seconds_(context.seconds / 3) {
    for (auto& server : servers_) {
      std::string refusal = server->fault().empty() ? server->Refusal(plan_, op_) : server->fault();
      if (!refusal.empty()) absent_ += "; " + server->name() + " is left out: " + refusal;
      refusals_.push_back(std::move(refusal));
    }
  }

  void Round(EngineLoad& engine) {
    const EngineTurn alone = engine.Run(plan_, op_, seconds_ / 2);
    engine_rate_.push_back(alone.per_second);
    engine_us_.push_back(alone.cpu_us);
    double ours = 0, best = 0;
    for (size_t i = 0; i < servers_.size(); ++i) {
      if (!refusals_[i].empty()) continue;
      Rounds& rounds = rounds_[i];
      rounds.last = TableLoad(*servers_[i], plan_, op_).Run(seconds_);
      rounds.per_second.push_back(rounds.last.per_second());
      rounds.cpu_us.push_back(rounds.last.cpu_us());
      if (objection_.empty()) objection_ = rounds.last.objection;
      (i == 0 ? ours : best) = std::max(i == 0 ? ours : best, rounds.last.per_second());
    }
    if (best > 0) ratios_.push_back(ours / best);
  }

  void Tell(const std::string& id) const {
    const TableOpInfo& info = Describe(op_);
    const auto best = Best();
    const double ask = info.writes ? 3 : 2;
    std::string objection = objection_;
    if (!refusals_[0].empty()) objection = "Parley: " + refusals_[0];
    if (objection.empty() && !best) objection = "there is no other server to compare with";
    if (!rounds_.empty())
      context_.report->AddCurve(std::string(info.name) + ", " + Clients(),
                                rounds_.begin()->second.last.latency);
    context_.report->Add({id,
                          std::string(info.what) + ", " + Clients() + ", requests/s",
                          rounds_.contains(0) ? Median(rounds_.at(0).per_second) : 0,
                          best ? servers_[*best]->name() + ", requests/s" : "nobody",
                          best ? Median(rounds_.at(*best).per_second) : 0,
                          Median(ratios_),
                          {ask, ask * 2, false},
                          Note(),
                          objection});
  }

 private:
  std::string Clients() const { return std::to_string(plan_.clients) + " clients"; }
  // The better of the others.
  std::optional<size_t> Best() const {
    std::optional<size_t> best;
    for (const auto& [i, rounds] : rounds_) {
      if (i > 0 && (!best || Median(rounds.per_second) > Median(rounds_.at(*best).per_second))) best = i;
    }
    return best;
  }
  std::string Note() const {
    std::string note;
    char text[160];
    for (const auto& [i, rounds] : rounds_) {
      std::snprintf(text, sizeof text, "%s%s %.0f/s, %.0f us CPU a request", i ? ", " : "",
                    servers_[i]->name().c_str(), Median(rounds.per_second), Median(rounds.cpu_us));
      note += text;
      if (i == 0) note += Threads(rounds.last);
    }
    std::snprintf(text, sizeof text, "; the engine in process %.0f/s, %.1f us", Median(engine_rate_),
                  Median(engine_us_));
    return note + text + absent_;
  }
  static std::string Threads(const TableTurn& turn) {
    std::string out;
    char text[96];
    for (const auto& [thread, ns] : turn.server.by_thread) {
      if (turn.CpuUs(ns) < 0.5) continue;
      std::snprintf(text, sizeof text, "%s%s %.1f", out.empty() ? " (" : ", ",
                    thread == "parleyd" ? "loop" : thread.c_str(), turn.CpuUs(ns));
      out += text;
    }
    std::snprintf(text, sizeof text, "; generator idle %.0f %%)", turn.own_idle * 100);
    return out + (out.empty() ? " (" : "") + text;
  }

  const Context& context_;
  Servers& servers_;
  const TablePlan plan_;
  const TableOp op_;
  const double seconds_;
  std::vector<std::string> refusals_;
  std::map<size_t, Rounds> rounds_;
  std::vector<double> ratios_, engine_rate_, engine_us_;
  std::string objection_, absent_;
};

bool IsWanted(const Context& context, TableOp op) {
  const auto& wanted = context.operations;
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), Describe(op).name) != wanted.end();
}

Servers StartAll(const Context& context) {
  Servers servers;
  servers.push_back(TableServer::StartParley(context.parleyd, context.scratch));
  servers.push_back(TableServer::StartDynalite(context.modules, context.scratch));
  servers.push_back(TableServer::StartDynoxide(context.modules, context.scratch));
  for (auto& server : servers) server->Fill(context.items);
  return servers;
}

// Every update that was acknowledged is in an item, once.
std::string Miscounted(const TableServer& server, size_t items) {
  if (!server.fault().empty()) return {};
  const auto contents = server.Count();
  if (!contents) return server.name() + " could not be read afterwards";
  if (contents->items == items && contents->updates == server.updates) return {};
  return server.name() + ": " + std::to_string(contents->items) + " items of " + std::to_string(items) +
         ", " + std::to_string(contents->updates) + " updates of " + std::to_string(server.updates);
}

}  // namespace

void RunTables(const Context& context) {
  Servers servers = StartAll(context);
  const ScratchDir dir(context.scratch);
  EngineLoad engine(dir.path(), context.items);
  int number = 0;
  const int rounds = std::max(context.rounds, 5);
  for (const size_t clients : context.clients) {
    for (const TableOp op : kTableOps) {
      const std::string id = "D" + std::to_string(++number);
      if (!IsWanted(context, op)) continue;
      OpComparison comparison(context, servers, {context.items, clients}, op);
      for (int round = 0; round < rounds; ++round) comparison.Round(engine);
      comparison.Tell(id);
    }
  }
  for (const auto& server : servers) {
    const std::string wrong = Miscounted(*server, context.items);
    if (!wrong.empty()) std::fprintf(stderr, "   %s\n", wrong.c_str());
  }
}

}  // namespace parley::bench
