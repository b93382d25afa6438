// Has smaller copies of images made by parley-media, a program of its own (media/README.md): starts it when
// it is needed, at most one per processor, and again after it died or took too long.
//
// Thread contract: thread-safe. Make blocks; call it on the threads for long work.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "features/files/media_process.h"
#include "media/frames.h"
#include "protocol/base/metrics.h"
#include "protocol/base/mutex.h"
#include "protocol/base/result.h"

namespace parley::features {

class MediaHelper {
 public:
  struct Settings {
    std::string program;  // path; empty: no copies are made
    size_t processes_max = 1;
    int64_t timeout_ms = 30'000;  // for one file
    int64_t pause_ms = 1'000;     // until the next start after one died
  };
  MediaHelper(Settings settings, protocol::Metrics& metrics);
  ~MediaHelper();  // stops

  // The program that the option `files_media` names: empty: parley-media beside this program, if it is there;
  // "none": empty.
  static std::string ProgramFor(const std::string& option);

  bool on() const { return !settings_.program.empty(); }

  // Reads `size` bytes at `offset` of the file.
  using Read = std::function<protocol::Result<std::string>(int64_t offset, size_t size)>;
  struct Made {
    media::Image image;   // without copies if there is a reason
    std::string refusal;  // why there are no copies, for the log; empty: there are
  };
  // Errors are those of `read`, and UNAVAILABLE after Stop: a later call may succeed.
  protocol::Result<Made> Make(int64_t size, const Read& read);

  // Ends running work; later calls fail.
  void Stop();

 private:
  using Deadline = MediaProcess::Deadline;
  using ProcessPtr = std::unique_ptr<MediaProcess>;

  // Takes an idle process or starts one, and waits if all are busy. Returns nullptr after Stop, and if the
  // program cannot be started.
  ProcessPtr Take() EXCLUDES(mutex_);
  bool AwaitTurn() REQUIRES(mutex_);
  ProcessPtr TakeIdle() REQUIRES(mutex_);
  ProcessPtr Start() EXCLUDES(mutex_);
  // `works`: it can have another job. Otherwise it is killed.
  void GiveBack(ProcessPtr process, bool works) EXCLUDES(mutex_);
  bool stopped() EXCLUDES(mutex_);

  const Settings settings_;
  protocol::Counter jobs_, failures_, restarts_;
  protocol::Mutex mutex_;
  protocol::CondVar changed_;
  bool stopped_ GUARDED_BY(mutex_) = false;
  size_t taken_ GUARDED_BY(mutex_) = 0;  // processes in use, or being started
  size_t lost_ GUARDED_BY(mutex_) = 0;   // died, and are not replaced yet
  std::vector<ProcessPtr> idle_ GUARDED_BY(mutex_);
  std::vector<pid_t> running_ GUARDED_BY(mutex_);  // in use
  Deadline not_before_ GUARDED_BY(mutex_) = {};    // the next start
};

}  // namespace parley::features
