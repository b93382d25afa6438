#include "features/files/scan_stage.h"

#include <utility>

#include "features/files/due.h"
#include "features/files/process.h"
#include "protocol/base/log.h"
#include "protocol/base/reason.h"

namespace parley::features {
namespace {

using Kind = ScanResult::Kind;

constexpr const char* kTooLarge = "too large to scan";
constexpr const char* kNotScanned = "could not be scanned";
// So many times the scanner is asked about a file of which it tells nothing, although it answers.
constexpr int kScansMax = 5;

// nullptr: the file is no longer `scanning`.
protocol::Result<std::unique_ptr<BlobReader>> OpenBytes(const Files& files, const FileWork& work) {
  PARLEY_TRY(row, ReadScanning(files, work));
  if (!row || !row->blob.value) return std::unique_ptr<BlobReader>();
  PARLEY_TRY(bytes, files.blobs().Open(work.tenant, row->blob.value->value));
  if (!bytes) return ErrorFor(protocol::Reason::kStoreUnreadable, "the bytes are missing");
  return std::move(bytes);
}

// `judged`: the scanner has examined the file; otherwise it is scanned again before it becomes ready.
void Quarantine(Host& host, const FileWorkPtr& work, const std::string& reason, bool judged) {
  threads::FileMove move;
  move.thread = work->thread;
  move.id = work->file;
  move.to = threads::FileState::kQuarantined;
  move.reason = reason;
  move.by_scanner = judged;
  move.condemns = judged && reason != kTooLarge;  // a daemon with other limits may take equal files
  SubmitMove(host, work->tenant, std::move(move),
             [&host, work](const threads::Answer&) { WakeIfFilesDue(host, work->tenant); });
}

void OnExamined(Host& host, const FileWorkPtr& work, const ScanResult& result,
                const std::function<void()>& passed) {
  work->failures = 0;
  if (result.kind == Kind::kClean) return passed();
  Quarantine(host, work, result.kind == Kind::kTooLarge ? kTooLarge : result.detail, true);
}

void Scan(Host& host, const FileWorkPtr& work, const std::function<void()>& passed);

// A failure of the file alone counts; while the scanner does not answer, all wait alike.
void ScanLater(Host& host, const FileWorkPtr& work, std::chrono::milliseconds pause,
               const std::function<void()>& passed) {
  if (pause.count() == 0) pause = PauseAfter(++work->failures);
  FilesOf(host).work().SubmitLater(
      work->tenant.ToText(), [&host, work, passed] { Scan(host, work, passed); }, pause);
}

// Such a file would hold a thread again and again.
void GiveUp(Host& host, const FileWorkPtr& work, const std::string& why) {
  FilesOf(host).scanning().CountGivenUp();
  protocol::Log(protocol::LogLevel::kError, "files", "a file cannot be scanned, and goes into quarantine",
                {{"file", work->file.ToText()}, {"why", why}});
  host.Post([&host, work] { Quarantine(host, work, kNotScanned, false); });
}

void LogFirst(const FileWork& work, const std::string& why) {
  if (work.failures > 0) return;
  protocol::Log(protocol::LogLevel::kWarn, "files", "a file was not scanned, and waits",
                {{"file", work.file.ToText()}, {"why", why}});
}

// On a work thread.
void Scan(Host& host, const FileWorkPtr& work, const std::function<void()>& passed) {
  Files& files = FilesOf(host);
  auto bytes = OpenBytes(files, *work);
  if (!bytes.ok()) {
    LogFirst(*work, bytes.error().message);
    return ScanLater(host, work, {}, passed);
  }
  if (!*bytes) return;
  const Scanning::Examined examined = files.scanning().Examine(**bytes);
  if (examined.result.kind != Kind::kNotReachable) {
    return host.Post(
        [&host, work, result = examined.result, passed] { OnExamined(host, work, result, passed); });
  }
  if (examined.pause.count() == 0) {
    if (++work->scans >= kScansMax) return GiveUp(host, work, examined.result.detail);
    LogFirst(*work, examined.result.detail);
  }
  ScanLater(host, work, examined.pause, passed);
}

}  // namespace

protocol::Result<std::optional<threads::FileRow>> ReadScanning(const Files& files, const FileWork& work) {
  const threads::RowReader rows(files.table(), work.tenant);
  PARLEY_TRY(row, threads::ReadFile(rows, work.thread, work.file));
  if (row && (row->state() != threads::FileState::kScanning || row->judge_by.value)) row.reset();
  return std::move(row);
}

void ScanFile(Host& host, const FileWorkPtr& work, std::function<void()> passed) {
  Files& files = FilesOf(host);
  if (files.scanning().by() != ScanChoice::By::kClamd) return passed();
  WorkPool::Job job = [&host, work, passed] { Scan(host, work, passed); };
  if (!files.work().Submit(work->tenant.ToText(), job)) ScanLater(host, work, {}, passed);
}

}  // namespace parley::features
