#include "fanout/card_projection.h"
#include "fanout/inbox_projection.h"
#include "fanout/project_projection.h"
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
  worker.Add(std::make_unique<fanout::InboxProjection>(
      clock, [](const protocol::TenantId&, const protocol::UserId&) { return false; }));
  worker.Add(std::make_unique<fanout::ProjectProjection>());
  worker.Add(std::make_unique<fanout::CardProjection>());
  if (const auto status = worker.Open(); !status.ok()) return status.detail;
  while (worker.Step()) {
  }
  worker.SaveCursors();
  return worker.fault();
}

}  // namespace parley::gateway
