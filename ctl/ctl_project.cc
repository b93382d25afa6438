#include <algorithm>
#include <memory>
#include <vector>

#include "ctl/ctl.h"
#include "fanout/projections.h"
#include "fanout/worker.h"
#include "features/all.h"
#include "storage/declarations/load.h"
#include "storage/engine/item_writer.h"
#include "storage/engine/service_rules.h"

namespace parley::ctl {
namespace {

class Nobody final : public fanout::NoticeSink {
  void OnEntries(std::vector<fanout::EntryNotice>, storage::Position) override {}
};

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

using Relays = std::vector<std::unique_ptr<fanout::LogRelay>>;
Relays AddRelays(const features::RelayParts& parts, fanout::Worker* worker) {
  Relays relays;
  for (const features::Feature* feature : features::AllFeatures()) {
    for (const features::Relay& relay : feature->relays) {
      relays.push_back(relay.make(parts));
      worker->Add(relays.back().get());
    }
  }
  return relays;
}

}  // namespace

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
  accounts::TenantDirectory tenants;
  if (const auto status = tenants.Load(table, clock.Now(), sealer, false); !status.ok()) return status.detail;
  const auto relays = AddRelays({table,
                                 tenants,
                                 metrics,
                                 {},
                                 [&](storage::ItemJob& job) { return writer.Submit(job); },
                                 [] {},
                                 [] {},
                                 [] {}},
                                &worker);
  const auto writing = [&] {
    return std::any_of(relays.begin(), relays.end(), [](const auto& relay) { return relay->writing(); });
  };
  if (const auto status = worker.Open(); !status.ok()) return status.detail;
  while (worker.Step() || (writing() && writer.Step())) {
  }
  worker.SaveCursors();
  return worker.fault().empty() ? writer.fault() : worker.fault();
}

}  // namespace parley::ctl
