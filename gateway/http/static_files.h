// Serves the web client and the moderation console from memory. Files are read once at start and served by
// exact path; a folder's path serves its index.html ("/" the web client, "/console" the console). Files added
// later are never served. Thread contract: Load before any I/O thread runs; Find from any thread.
#pragma once

#include <string>
#include <unordered_map>

#include "gateway/net/transport.h"

namespace parley::gateway {

class StaticFiles {
 public:
  // Returns "" on success, or a sentence if the directory cannot be read. An empty `dir` serves nothing.
  std::string Load(const std::string& dir);
  // Returns false if the file is unknown. `host` is the request's; the page may connect to this host only.
  bool Find(const std::string& path, const std::string& host, HttpResponse* out) const;

 private:
  struct File {
    std::string type;
    std::string body;
    bool immutable;  // named by a hash of its content
    std::shared_ptr<const std::string> gzipped;
  };
  std::unordered_map<std::string, File> files_;
};

}  // namespace parley::gateway
