#include "features/files/media_helper.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "protocol/base/log.h"
#include "protocol/base/reason.h"

namespace parley::features {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using MadeImage = MediaHelper::Made;
using Clock = std::chrono::steady_clock;

constexpr size_t kPipeBytes = size_t{256} << 10;
constexpr const char* kName = "parley-media";

MadeImage Refused(std::string why) {
  return {{}, std::move(why)};
}

// The reply that the protocol allows, or a reason.
MadeImage Decoded(std::string_view body) {
  const auto status = static_cast<media::Status>(body[0]);
  body.remove_prefix(1);
  if (status == media::Status::kRefused) return Refused(std::string(body.substr(0, media::kReasonBytesMax)));
  MadeImage out;
  if (status == media::Status::kMade && media::DecodeMade(body, &out.image) && !out.image.copies.empty())
    return out;
  return Refused("the reply breaks the protocol");
}

MadeImage Ended(MediaProcess::Deadline deadline) {
  return Refused(Clock::now() < deadline ? "the helper ended" : "the helper took too long");
}

// One job. `works`: set if the process can have another one.
protocol::Result<MadeImage> Ask(MediaProcess& process, int64_t size, const MediaHelper::Read& read,
                                MediaProcess::Deadline deadline, bool* works) {
  std::string head;
  media::PutNumber(static_cast<uint64_t>(size), &head);
  if (!process.Send(head, deadline)) return Ended(deadline);
  for (int64_t at = 0; at < size;) {
    const size_t step = std::min<size_t>(kPipeBytes, static_cast<size_t>(size - at));
    PARLEY_TRY(piece, read(at, step));
    if (piece.size() != step)
      return ErrorFor(protocol::Reason::kStoreUnreadable, "the stored bytes are too few");
    if (!process.Send(piece, deadline)) return Ended(deadline);
    at += static_cast<int64_t>(step);
  }
  const auto reply_head = process.Receive(media::kReplyHeadBytes, deadline);
  if (!reply_head) return Ended(deadline);
  std::string_view bytes = *reply_head;
  uint32_t reply_size = 0;
  media::TakeNumber(&bytes, &reply_size);
  if (reply_size == 0 || reply_size > media::kReplyBytesMax) return Refused("the reply breaks the protocol");
  const auto body = process.Receive(reply_size, deadline);
  if (!body) return Ended(deadline);
  *works = true;
  return Decoded(*body);
}

// "": none.
std::string BesideThisProgram() {
  std::string path(4096, '\0');
  const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
  if (size <= 0) return {};
  path.resize(static_cast<size_t>(size));
  path = path.substr(0, path.rfind('/') + 1) + kName;
  return ::access(path.c_str(), X_OK) == 0 ? path : std::string();
}

}  // namespace

MediaHelper::MediaHelper(Settings settings, protocol::Metrics& metrics)
    : settings_(std::move(settings)),
      jobs_(metrics.AddCounter("parley_media_jobs_total", "Files given to parley-media")),
      failures_(metrics.AddCounter("parley_media_failures_total", "Files that got no variants from it")),
      restarts_(metrics.AddCounter("parley_media_restarts_total", "Starts in place of one that ended")) {
  if (!on()) protocol::Log(protocol::LogLevel::kInfo, "files", "no parley-media, so images get no variants");
}

MediaHelper::~MediaHelper() {
  Stop();
}

std::string MediaHelper::ProgramFor(const std::string& option) {
  if (option == "none") return {};
  return option.empty() ? BesideThisProgram() : option;
}

protocol::Result<MadeImage> MediaHelper::Make(int64_t size, const Read& read) {
  if (size <= 0 || size > static_cast<int64_t>(media::kInputBytesMax))
    return Refused("the file is too large");
  jobs_.Add();
  ProcessPtr process = Take();
  if (!process && stopped()) return ErrorFor(protocol::Reason::kStoreUnreadable, "the server stops");
  bool works = false;
  protocol::Result<MadeImage> made = Refused("the helper cannot be started");
  if (process) {
    const auto deadline = Clock::now() + std::chrono::milliseconds(settings_.timeout_ms);
    made = Ask(*process, size, read, deadline, &works);
  }
  GiveBack(std::move(process), works);
  if (!works && stopped()) return ErrorFor(protocol::Reason::kStoreUnreadable, "the server stops");
  if (!made.ok() || !made->refusal.empty()) failures_.Add();
  return made;
}

MediaHelper::ProcessPtr MediaHelper::Take() {
  {
    const protocol::MutexLock lock(&mutex_);
    if (!AwaitTurn()) return nullptr;
    ++taken_;
    if (ProcessPtr process = TakeIdle()) return process;
  }
  ProcessPtr process = Start();
  const protocol::MutexLock lock(&mutex_);
  if (process) running_.push_back(process->pid());
  // Stop did not see this one.
  if (process && stopped_) ::kill(process->pid(), SIGKILL);
  return process;
}

// Waits for a process, or for the time to start one. Returns false after Stop.
bool MediaHelper::AwaitTurn() {
  for (;;) {
    if (stopped_) return false;
    if (taken_ >= settings_.processes_max) {
      changed_.Wait(&mutex_);
    } else if (idle_.empty() && Clock::now() < not_before_) {
      changed_.WaitUntil(&mutex_, not_before_);
    } else {
      return true;
    }
  }
}

MediaHelper::ProcessPtr MediaHelper::TakeIdle() {
  while (!idle_.empty()) {
    ProcessPtr process = std::move(idle_.back());
    idle_.pop_back();
    if (process->IsAlive()) {
      running_.push_back(process->pid());
      return process;
    }
    ++lost_;
  }
  return nullptr;
}

MediaHelper::ProcessPtr MediaHelper::Start() {
  {
    const protocol::MutexLock lock(&mutex_);
    if (lost_ > 0) {
      --lost_;
      restarts_.Add();
    }
  }
  ProcessPtr process = MediaProcess::Start(settings_.program);
  if (!process)
    protocol::Log(protocol::LogLevel::kError, "files", "parley-media cannot be started",
                  {{"program", settings_.program}});
  return process;
}

void MediaHelper::GiveBack(ProcessPtr process, bool works) {
  const protocol::MutexLock lock(&mutex_);
  --taken_;
  if (process) std::erase(running_, process->pid());
  if (works && !stopped_) {
    idle_.push_back(std::move(process));
  } else {
    if (process) ++lost_;
    not_before_ = Clock::now() + std::chrono::milliseconds(settings_.pause_ms);
  }
  changed_.SignalAll();
}

bool MediaHelper::stopped() {
  const protocol::MutexLock lock(&mutex_);
  return stopped_;
}

void MediaHelper::Stop() {
  const protocol::MutexLock lock(&mutex_);
  stopped_ = true;
  for (const pid_t pid : running_) ::kill(pid, SIGKILL);
  idle_.clear();
  changed_.SignalAll();
}

}  // namespace parley::features
