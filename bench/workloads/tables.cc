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

// The measurements of one operation on one server, a value for each round.
struct Rounds {
  std::vector<double> per_second, cpu_us;
  TableTurn last;
};

std::string Miscounted(const TableServer& server, size_t items) {
  if (!server.fault().empty()) return {};
  const auto contents = server.Count();
  if (!contents) return server.name() + " could not be read afterwards";
  if (contents->items == items && contents->updates == server.updates) return {};
  return server.name() + ": " + std::to_string(contents->items) + " items of " + std::to_string(items) +
         ", " + std::to_string(contents->updates) + " updates of " + std::to_string(server.updates);
}

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
    double best_rate = 0, best_us = 0;
    for (size_t i = 0; i < servers_.size(); ++i) {
      if (!refusals_[i].empty()) continue;
      Rounds& rounds = rounds_[i];
      rounds.last = TableLoad(*servers_[i], plan_, op_).Run(seconds_);
      const double rate = rounds.last.per_second(), us = rounds.last.cpu_us();
      rounds.per_second.push_back(rate);
      rounds.cpu_us.push_back(us);
      Object(rounds.last.objection);
      if (i == 0) continue;
      best_rate = std::max(best_rate, rate);
      best_us = best_us == 0 ? us : std::min(best_us, us);
    }
    if (best_rate == 0 || !rounds_.contains(0)) return;
    rate_ratios_.push_back(rounds_[0].per_second.back() / best_rate);
    us_ratios_.push_back(rounds_[0].cpu_us.back() / best_us);
  }

  // Checks that every acknowledged update is in an item exactly once.
  void CheckItems() {
    for (size_t i = 0; i < servers_.size(); ++i) {
      if (refusals_[i].empty()) Object(Miscounted(*servers_[i], plan_.items));
    }
  }

  void Report(const std::string& id) const {
    const TableOpInfo& info = Describe(op_);
    const std::string what = std::string(info.what) + ", " + Clients();
    const auto rate = Best(&Rounds::per_second, true), us = Best(&Rounds::cpu_us, false);
    std::string objection = objection_;
    if (!rounds_.contains(0)) objection = "Parley: " + refusals_[0];
    if (objection.empty() && !rate) objection = "there is no other server to compare with";
    const double ask = info.writes ? 3 : 2;
    Add({id,
         what + ", requests/s",
         0,
         ", requests/s",
         0,
         Median(rate_ratios_),
         {ask, ask * 2, false},
         Note(),
         objection},
        &Rounds::per_second, rate);
    Add({id,
         what + ", server CPU, us",
         0,
         ", us",
         0,
         Median(us_ratios_),
         {1 / ask, 0.5 / ask, true},
         "",
         objection},
        &Rounds::cpu_us, us);
    if (rounds_.contains(0)) context_.report->AddCurve(what, rounds_.at(0).last.latency);
  }

 private:
  std::string Clients() const { return std::to_string(plan_.clients) + " clients"; }
  using Values = std::vector<double> Rounds::*;
  // The best of the others.
  std::optional<size_t> Best(Values values, bool most) const {
    std::optional<size_t> best;
    for (const auto& [i, rounds] : rounds_) {
      if (i == 0) continue;
      const double difference = best ? Median(rounds.*values) - Median(rounds_.at(*best).*values) : 0;
      if (!best || (most ? difference > 0 : difference < 0)) best = i;
    }
    return best;
  }
  // Fills in its value and its base.
  void Add(Finding finding, Values values, std::optional<size_t> best) const {
    if (rounds_.contains(0)) finding.value = Median(rounds_.at(0).*values);
    if (best) finding.base = Median(rounds_.at(*best).*values);
    finding.base_what = (best ? servers_[*best]->name() : "nobody") + finding.base_what;
    context_.report->Add(std::move(finding));
  }
  void Object(const std::string& what) {
    if (objection_.empty()) objection_ = what;
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
  std::vector<double> rate_ratios_, us_ratios_, engine_rate_, engine_us_;
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
      comparison.CheckItems();
      comparison.Report(id);
    }
  }
}

}  // namespace parley::bench
