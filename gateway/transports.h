// The process's listening sockets: one transport for each I/O thread, all on one port and with one set of
// bounds, as the options say.
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

  // Empty on success. `readers`: the budget that answers under construction share with the output.
  std::string Listen(const Server& server, std::shared_ptr<ReaderBudget> readers);
  // Lines for the operator, the last one saying that the server listens.
  void Announce() const;

  // The first on this thread; returns when all are done.
  void Run();
  void RequestStop();
  // Takes the certificate and key anew, for connections to come; the log says what came of it.
  void Reload();

 private:
  std::string Settle(TransportSettings* settings);

  const Config& config_;
  std::vector<std::unique_ptr<Transport>> owned_;
  std::shared_ptr<TlsIdentity> tls_;
  const std::shared_ptr<Compressor> compressor_;
};

// Named, so that top -H and profiles show which thread works.
void NameThread(const std::string& name);

}  // namespace parley::gateway
