#include "fanout/projections.h"
#include "fanout/worker.h"
#include "gateway/ctl/ctl.h"
#include "protocol/base/clock.h"

namespace parley::gateway {
namespace {

class Nobody final : public fanout::NoticeSink {
  void OnEntries(std::vector<fanout::EntryNotice>, storage::Position) override {}
};

}  // namespace

std::string CtlProject(storage::Table& table) {
  const protocol::SystemClock clock;
  protocol::Metrics metrics;
  Nobody nobody;
  fanout::Worker worker(table, {}, nobody, metrics);
  fanout::AddProjections(
      clock, [](const protocol::TenantId&, const protocol::UserId&) { return false; }, &worker);
  if (const auto status = worker.Open(); !status.ok()) return status.detail;
  while (worker.Step()) {
  }
  worker.SaveCursors();
  return worker.fault();
}

}  // namespace parley::gateway
