#include "features/files/process.h"

#include <utility>

#include "features/files/files.h"
#include "features/files/scan_stage.h"
#include "features/files/variants.h"

namespace parley::features {

void SubmitMove(Host& host, const protocol::TenantId& tenant, threads::FileMove move,
                std::function<void(const threads::Answer&)> then) {
  threads::Job job;
  job.tenant = tenant;
  job.thread = move.thread;
  job.decide = [tenant, move = std::move(move)](threads::Transaction& tx) {
    return threads::MoveFile(tx, tenant, move);
  };
  job.done = std::move(then);
  host.Submit(std::move(job));
}

void CancelUpload(Host& host, const protocol::TenantId& tenant, const protocol::ThreadId& thread,
                  const protocol::AttachmentId& file, std::function<void(const threads::Answer&)> then) {
  threads::FileMove move;
  move.thread = thread;
  move.id = file;
  move.to = threads::FileState::kCancelled;
  SubmitMove(host, tenant, std::move(move),
             [&host, tenant, file, then = std::move(then)](const threads::Answer& answer) {
               // If it fails, the sweep removes the bytes.
               WorkPool::Job job = [&files = FilesOf(host), tenant, file] {
                 static_cast<void>(files.staging().Remove(tenant, file).ok());
               };
               if (answer.ok()) static_cast<void>(FilesOf(host).disks().Submit(tenant.ToText(), job));
               then(answer);
             });
}

namespace {

using MadeVariants = std::optional<Variants>;

// The row, unless the file needs no variants any more. If services scan, one may have released the file
// already.
protocol::Result<std::optional<threads::FileRow>> ReadUnprepared(Files& files, const FileWork& work) {
  if (files.scanning().by() != ScanChoice::By::kService) return ReadScanning(files, work);
  const threads::RowReader rows(files.table(), work.tenant);
  PARLEY_TRY(row, threads::ReadFile(rows, work.thread, work.file));
  const bool is_wanted =
      row && (row->state() == threads::FileState::kScanning || row->state() == threads::FileState::kReady);
  if (!is_wanted) row.reset();
  return std::move(row);
}

// The second stage, on a work thread.
void Prepare(Host& host, const FileWorkPtr& work, const std::function<void(MadeVariants)>& then) {
  Files& files = FilesOf(host);
  auto row = ReadUnprepared(files, *work);
  if (row.ok() && !*row) return;
  if (row.ok() && (**row).item.variants.value) return host.Post([then] { then(std::nullopt); });
  auto made = row.ok() ? MakeVariants(files, work->tenant, **row) : std::move(row.error());
  if (made.ok()) return host.Post([then, made = *std::move(made)] { then(made); });
  files.work().SubmitLater(
      work->tenant.ToText(), [&host, work, then] { Prepare(host, work, then); },
      PauseAfter(++work->failures));
}

threads::FileMove ReadyMove(const protocol::ThreadId& thread, const protocol::AttachmentId& file) {
  threads::FileMove move;
  move.thread = thread;
  move.id = file;
  move.to = threads::FileState::kReady;
  move.from = threads::FileState::kScanning;
  move.scanned = true;
  return move;
}

// If a service scans, its verdict makes the file ready. If one judges bands, the file waits for it, and the
// clock ends the wait.
void Finish(Host& host, const FileWorkPtr& work, MadeVariants variants) {
  Files& files = FilesOf(host);
  threads::FileMove move = ReadyMove(work->thread, work->file);
  if (files.scanning().by() == ScanChoice::By::kService) {
    move.to = move.from = std::nullopt;
    move.scanned = false;
  }
  move.variants = std::move(variants);
  move.first_band = 0;
  move.band_patience_ms = files.band_patience_ms();
  SubmitMove(host, work->tenant, std::move(move), [&host, work](const threads::Answer& answer) {
    const auto& patience = FilesOf(host).band_patience_ms();
    if (answer.ok() && patience) FilesOf(host).WakeAt({host.clock().Now().ms + *patience});
  });
}

}  // namespace

void EndPatience(Host& host, const protocol::TenantId& tenant, const protocol::ThreadId& thread,
                 const protocol::AttachmentId& file) {
  threads::FileMove move = ReadyMove(thread, file);
  move.scanned = false;  // the row says that it was
  SubmitMove(host, tenant, std::move(move), [](const threads::Answer&) {});
}

void ProcessFile(Host& host, const protocol::TenantId& tenant, const protocol::ThreadId& thread,
                 const protocol::AttachmentId& file) {
  const std::shared_ptr<InWork>& in_work = FilesOf(host).in_work();
  if (!in_work->Begin(file)) return;
  auto work = std::make_shared<FileWork>(in_work, tenant, thread, file);
  ScanFile(host, work, [&host, work] {
    WorkPool::Job prepare = [&host, work] {
      Prepare(host, work, [&host, work](MadeVariants made) { Finish(host, work, std::move(made)); });
    };
    FilesOf(host).work().SubmitDue(work->tenant.ToText(), prepare);
  });
}

}  // namespace parley::features
