// The web client and the moderation console: read into memory once at start, served by exact path; a folder's
// own path gives its index.html ("/" the web client, "/console" the console). Nothing that was not found then
// is ever served. Thread contract: Load before any I/O thread runs; Find from any thread.
#pragma once

#include <string>
#include <unordered_map>

#include "gateway/net/transport.h"

namespace parley::gateway {

class StaticFiles {
 public:
  // Empty on success; a sentence when the directory cannot be read. An empty `dir` serves nothing.
  std::string Load(const std::string& dir);
  // False when there is no such file. `host`: whose page it is, by the request; pages speak with it only.
  bool Find(const std::string& path, const std::string& host, HttpResponse* out) const;

 private:
  struct File {
    std::string type;
    std::string body;
    bool immutable;  // named by its content
    std::shared_ptr<const std::string> gzipped;
  };
  std::unordered_map<std::string, File> files_;
};

}  // namespace parley::gateway
