// A parleyd for the bench, on a separate store: started, measured, killed, started again.
#pragma once

#include <netinet/in.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace parley::bench {

// A temporary directory, removed by the destructor.
class ScratchDir {
 public:
  explicit ScratchDir(const std::string& parent);
  ~ScratchDir();
  ScratchDir(const ScratchDir&) = delete;
  ScratchDir& operator=(const ScratchDir&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class ServerProcess {
 public:
  // `flags` come after --data and --demo. Exits the bench with a message if the server does not start.
  ServerProcess(std::string binary, std::string data, std::vector<std::string> flags = {});
  ~ServerProcess();  // kills
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  void Start();  // until it listens
  void Kill();   // SIGKILL
  void Stop();   // SIGTERM, and waits

  pid_t pid() const { return pid_; }
  const sockaddr_in& address() const { return address_; }

 private:
  void Wait(int signal);
  const std::string binary_, data_;
  const std::vector<std::string> flags_;
  pid_t pid_ = 0;
  sockaddr_in address_{};
};

}  // namespace parley::bench
