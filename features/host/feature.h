// Describes a feature: the parts that its folder adds to the server. The router, the fan-out worker, the
// sweeper, the table of routes, verify and the generated documents iterate over features (features/all.h) and
// know none by name.
//
// Thread contract: features are immutable.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accounts/tenants/tenant_directory.h"
#include "fanout/log_relay.h"
#include "fanout/verify/facts.h"
#include "features/host/operation.h"
#include "features/host/service.h"
#include "protocol/base/doc_page.h"
#include "threads/engine/checks.h"
#include "threads/engine/transaction.h"
#include "threads/model/cursor.h"
#include "threads/model/people.h"
#include "threads/model/retention.h"

namespace parley::features {

// The parts of the server that a relay uses; all of them outlive it.
struct RelayParts {
  storage::Table& table;
  const accounts::TenantDirectory& tenants;
  protocol::Metrics& metrics;
  fanout::RelaySettings settings;
  std::function<bool(storage::ItemJob&)> submit;  // as ItemWriter::Submit
  std::function<void()> wake, hurry;              // wake the fan-out worker, soon or now; any thread
  std::function<void()> due;                      // timed work has appeared; the worker's thread
};

// Follows the change log. `index`: the relay is the index for which Host::Await waits; kNothing: for none.
struct Relay {
  threads::Waits index = threads::Waits::kNothing;
  std::unique_ptr<fanout::LogRelay> (*make)(const RelayParts& parts);
};

// The parts of the server that checks use; all of them outlive it.
struct CheckParts {
  const storage::Sealer& sealer;
  const accounts::TenantDirectory& tenants;
  const threads::CursorCodec& cursors;
  std::function<threads::TenantRules(const protocol::TenantId&)> rules_of;  // as Host::RulesOf
};

// Fills the feature's part of a tenant's rules. Any thread.
using FillRules = std::function<void(const accounts::Tenant& tenant, threads::TenantRules* rules)>;

// One piece of timed work: starts on the host's thread and calls `done` when it has ended, done or not.
using DueTask = std::function<void(Host& host, std::function<void()> done)>;

struct DueSearch {
  const storage::Reader& reader;
  const std::vector<protocol::TenantId>& tenants;
  protocol::Time now;
  const storage::Sealer& sealer;
  size_t limit = 0;            // tasks of each tenant
  Service* service = nullptr;  // the feature's; nullptr: it has none
  // Set it if further work is due at a known time.
  std::optional<protocol::Time>* next = nullptr;
};

// Timed work. The sweeper calls `find` whenever it wakes, and starts the returned tasks unless tasks of the
// same row are still running. A task that fails is found again.
struct Due {
  std::vector<DueTask> (*find)(const DueSearch& search);  // on a thread of the reader pool
};

// Called with each expired item of any table that the item writer removes; on its thread.
using OnExpiredItem = std::function<void(const storage::TableDef& def, const storage::Item& item)>;

// Compares rows of the feature with each other while the server runs, a few at a time. One thread.
class RowScrub {
 public:
  virtual ~RowScrub() = default;
  // Compares the tenant's next rows, at most `limit`, and returns how many; reports each difference in a
  // sentence.
  virtual size_t Step(const storage::Reader& reader, const protocol::TenantId& tenant, size_t limit,
                      const std::function<void(const std::string&)>& differs) = 0;
};

struct HttpRoute;

struct Feature {
  std::string_view name;  // the folder's
  Operations operations = {};
  std::span<const Guard> guards = {};
  std::span<const Followup> followups = {};
  // `option`: as ServiceParts::option.
  FillRules (*rules)(const std::function<std::string(std::string_view)>& option) = nullptr;  // nullptr: none
  // What reads of threads ask about people; one feature has it.
  std::unique_ptr<const threads::People> (*people)(const CheckParts& parts) = nullptr;
  // Adds the feature's answers to the questions of commands; nullptr: none.
  void (*checks)(const CheckParts& parts, threads::Checks* checks) = nullptr;
  std::span<const Relay> relays = {};
  std::span<const Due> due = {};
  // Checks a tenant's settings, or a patch of them, beyond their types: BAD_REQUEST with `fields`. Any
  // thread.
  protocol::Status (*check_settings)(const std::string& json) = nullptr;     // nullptr: none
  OnExpiredItem (*expired)(protocol::Metrics& metrics) = nullptr;            // nullptr: none
  std::vector<HttpRoute> (*routes)() = nullptr;                              // nullptr: none
  std::unique_ptr<Service> (*service)(const ServiceParts& parts) = nullptr;  // nullptr: none
  std::span<const threads::Retention> retention = {};       // the kinds of its rows; see docs/retention.md
  std::span<const fanout::MakeFacts> facts = {};            // for verify
  std::unique_ptr<RowScrub> (*scrub)() = nullptr;           // nullptr: none
  std::vector<protocol::DocPage> (*documents)() = nullptr;  // generated pages of docs/; nullptr: none
};

}  // namespace parley::features
