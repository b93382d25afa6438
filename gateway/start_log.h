// Logs what a server starts with, so that the log of an incident says which build served which store.
// Thread contract: main's thread, before other threads start.
#pragma once

#include "gateway/app/config.h"
#include "gateway/app/node.h"

namespace parley::gateway {

// One line each: the build; the store and its last position; the addresses and TLS; the tenants; and, on as
// many lines as they need, the options that differ from their defaults. No option holds a secret: keys are in
// files.
void LogStart(const Config& config, Node& node);

}  // namespace parley::gateway
