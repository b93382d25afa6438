// One running parley-media, and the bytes to and from it.
//
// Thread contract: blocking; one thread at a time.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace parley::features {

class MediaProcess {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  // The program gets one socket as its input and output, no environment, and no other descriptor of this
  // process. Returns nullptr if it cannot be started.
  static std::unique_ptr<MediaProcess> Start(const std::string& program);
  MediaProcess(const MediaProcess&) = delete;
  MediaProcess& operator=(const MediaProcess&) = delete;
  ~MediaProcess();  // kills it

  pid_t pid() const { return pid_; }
  bool IsAlive();
  // Returns false if the program ended or the time is up.
  bool Send(std::string_view bytes, Deadline deadline);
  // Returns nullopt if the program ended or the time is up.
  std::optional<std::string> Receive(size_t size, Deadline deadline);

 private:
  MediaProcess(pid_t pid, int socket) : pid_(pid), socket_(socket) {}
  bool Await(short event, Deadline deadline) const;

  const pid_t pid_;
  const int socket_;
  bool ended_ = false;  // and waited for
};

}  // namespace parley::features
