// Another project's server as a process of the bench: without privileges, on loopback, its files in a
// directory of its own; killed with the bench.
#pragma once

#include <netinet/in.h>
#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "bench/process/server_process.h"

namespace parley::bench {

class ForeignServer {
 public:
  // `words`: the command for a directory and a port, its first word searched as by a shell. Waits until it
  // listens; fault() explains a failure.
  using Command = std::function<std::vector<std::string>(const std::string& dir, uint16_t port)>;
  ForeignServer(const std::string& scratch, const Command& words);
  ~ForeignServer();
  ForeignServer(const ForeignServer&) = delete;
  ForeignServer& operator=(const ForeignServer&) = delete;

  const std::string& fault() const { return fault_; }  // empty if it listens
  pid_t pid() const { return pid_; }
  const sockaddr_in& address() const { return address_; }

 private:
  void Start(std::vector<std::string> words);
  void AwaitListening();

  const ScratchDir dir_;
  pid_t pid_ = 0;
  sockaddr_in address_{};
  std::string fault_;
};

}  // namespace parley::bench
