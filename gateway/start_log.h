// Logs the configuration of a start, so that the log of an incident names the build and the store. Thread
// contract: main's thread, before other threads start.
#pragma once

#include "gateway/app/config.h"
#include "gateway/app/node.h"

namespace parley::gateway {

// Logs one line each for the build; the store and its last position; the addresses and TLS; the tenants; and
// as many lines as needed for the options that differ from their defaults. No option contains a secret: keys
// are in files.
void LogStart(const Config& config, Node& node);

}  // namespace parley::gateway
