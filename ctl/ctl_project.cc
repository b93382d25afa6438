#include "ctl/ctl.h"
#include "fanout/projections.h"
#include "fanout/worker.h"
#include "features/events/event_relay.h"
#include "features/moderation/audit_relay.h"
#include "storage/declarations/load.h"
#include "storage/engine/item_writer.h"
#include "storage/engine/service_rules.h"

namespace parley::ctl {
namespace {

class Nobody final : public fanout::NoticeSink {
  void OnEntries(std::vector<fanout::EntryNotice>, storage::Position) override {}
};

}  // namespace

class AtOnce final : public storage::ItemAnswerSink {
  void OnItemAnswers(std::vector<storage::ItemJob> done, const storage::Status& status) override {
    for (storage::ItemJob& job : done) job.done(status);
  }
};

// Only requested work; the server does the upkeep.
storage::ItemWriterSettings WriterSettings(const storage::Sealer& sealer) {
  storage::ItemWriterSettings settings;
  settings.sealer = sealer;
  settings.busy_upkeep_ms = INT64_MAX;
  return settings;
}

std::string CtlProject(storage::Table& table, const storage::Sealer& sealer) {
  protocol::Metrics metrics;
  AtOnce at_once;
  const protocol::SystemClock clock;
  storage::Committer committer(table);
  storage::Catalog catalog(storage::SeedTables());
  if (const auto status = catalog.Load(table); !status.ok()) return status.detail;
  storage::ItemWriter writer(table, committer, catalog, clock, WriterSettings(sealer), at_once, metrics);
  Nobody nobody;
  fanout::Worker worker(table, {}, nobody, metrics);
  fanout::AddProjections([](const protocol::TenantId&, const protocol::UserId&) { return false; }, &worker);
  features::EventRelay relay(
      table, [&](storage::ItemJob& job) { return writer.Submit(job); }, [] {}, {}, metrics);
  features::AuditRelay audit(
      table, [&](storage::ItemJob& job) { return writer.Submit(job); }, [] {}, {}, metrics);
  worker.Add(&relay);
  worker.Add(&audit);
  if (const auto status = worker.Open(); !status.ok()) return status.detail;
  while (worker.Step() || ((relay.writing() || audit.writing()) && writer.Step())) {
  }
  worker.SaveCursors();
  return worker.fault().empty() ? writer.fault() : worker.fault();
}

}  // namespace parley::ctl
