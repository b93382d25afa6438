// An object of a feature that lives as long as the server: its threads, its memory, its connections to other
// programs. Handlers find it by Host::FindService.
//
// Thread contract: `Stop` on the main thread, once, after the I/O threads have ended; the rest as the feature
// says.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "protocol/base/clock.h"
#include "protocol/base/metrics.h"
#include "storage/table.h"

namespace parley::features {

class Service {
 public:
  virtual ~Service() = default;
  virtual void Stop() = 0;  // finishes running work; nothing of it runs afterwards
  // A fault that does not affect readiness, in one line without names of tenants and threads, or "". Any
  // thread; returns at once.
  virtual std::string Remark() const { return {}; }
};

// The parts of the server that a service uses; all of them outlive it.
struct ServiceParts {
  const storage::Table& table;
  const protocol::Clock& clock;
  protocol::Metrics& metrics;
  // The value of an option of the server, as text, by its key: "files_dir".
  std::function<std::string(std::string_view key)> option;
  // Timed work has appeared, or will be due at that time. Any thread, until Stop.
  std::function<void()> due = {};
  std::function<void(protocol::Time at)> due_at = {};
};

}  // namespace parley::features
