// Connections that download one resource again and again, each with one request outstanding. The bodies are
// read and dropped. The poller's thread.
#pragma once

#include <netinet/in.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/net/poller.h"

namespace parley::bench {

struct DownloadsResult {
  uint64_t answers = 0;  // whole ones
  uint64_t bytes = 0;    // in their bodies
  double seconds = 0;
  double own_idle = 0;  // the fraction of time that the generator was idle
  std::string fault;    // the reason why the figures must not be used, or an empty text
  double answers_per_second() const { return seconds > 0 ? static_cast<double>(answers) / seconds : 0; }
  double bytes_per_second() const { return seconds > 0 ? static_cast<double>(bytes) / seconds : 0; }
};

class Downloads {
 public:
  // `path`: answered by 200 with a Content-Length of `size`.
  Downloads(Poller& poller, const sockaddr_in& server, const std::string& path, uint64_t size,
            size_t clients);
  ~Downloads();
  DownloadsResult Run(double seconds);

 private:
  class Client;
  Poller& poller_;
  std::string request_;
  const uint64_t size_;
  DownloadsResult counted_;
  std::vector<char> buffer_;
  std::vector<std::unique_ptr<Client>> clients_;
};

}  // namespace parley::bench
