// A user of the tenant demo who uploads files, as scripts do: one PUT each, on a connection of its own.
// Blocking; one thread.
#pragma once

#include <netinet/in.h>

#include <optional>
#include <string>
#include <string_view>

namespace parley::bench {

class Uploader {
 public:
  // Creates a thread to upload to. `fault()` says why it failed.
  Uploader(const sockaddr_in& server, const std::string& user);

  // Returns the attachment's id once the server has answered for all bytes; nullopt: see fault().
  // `bytes_per_second`: at most; 0: as fast as the server takes them.
  std::optional<std::string> Upload(std::string_view bytes, const std::string& mime,
                                    double bytes_per_second = 0);
  // Waits until the file is ready, and returns the path from which its bytes, or a variant's, are served.
  std::optional<std::string> LinkTo(const std::string& attachment, const std::string& variant = "original");
  const std::string& fault() const { return fault_; }

 private:
  std::string Ask(const std::string& method, const std::string& path, const std::string& json);
  bool Put(const std::string& url, std::string_view bytes, double bytes_per_second);

  const sockaddr_in server_;
  std::string token_, thread_, fault_;
};

// Bytes that the server takes for a ZIP archive: it neither cleans them nor makes variants. Those of
// different `number` differ.
std::string ArchiveBytes(size_t size, uint64_t number);
// A PNG picture with noise.
std::string PictureBytes(uint32_t width, uint32_t height);

}  // namespace parley::bench
