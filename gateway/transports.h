// Opens the process's listening sockets: one transport per I/O thread, all on one port and under one set of
// limits.
//
// Thread contract: main's thread, which becomes the first I/O thread in Run; RequestStop from any.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gateway/app/config.h"
#include "gateway/net/transport.h"

namespace parley::gateway {

class Server;

class Transports {
 public:
  explicit Transports(const Config& config);
  ~Transports();
  Transport& first() const { return *owned_.front(); }
  std::vector<Transport*> all() const;

  // Returns "" on success. `readers`: the budget that queued output shares with answers under construction.
  std::string Listen(const Server& server, std::shared_ptr<ReaderBudget> readers);
  // Prints lines for the operator; the last one names the listening address.
  void Announce() const;

  // Runs the first transport on this thread; returns when all are done.
  void Run();
  void RequestStop();
  // Loads the certificate and key again for later connections, and logs the result.
  void Reload();

 private:
  std::string Settle(TransportSettings* settings);

  const Config& config_;
  std::vector<std::unique_ptr<Transport>> owned_;
  std::shared_ptr<TlsIdentity> tls_;
  const std::shared_ptr<Compressor> compressor_;
};

// Names the thread, so that top -H and profiles show which one works.
void NameThread(const std::string& name);

}  // namespace parley::gateway
