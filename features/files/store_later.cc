#include "features/files/store_later.h"

#include <utility>

#include "features/files/finish_upload.h"
#include "threads/model/file_row.h"

namespace parley::features {
namespace {

void TryLater(Host& host, const FileWorkPtr& work);

void EndTry(Host& host, const FileWorkPtr& work, const protocol::Status& status) {
  FilesOf(host).Release(work->file);
  if (!status.ok() && status.error().code != protocol::ErrorCode::kUnsupportedType) TryLater(host, work);
}

// nullopt: there is nothing to store.
protocol::Result<std::optional<threads::FileRow>> ReadComplete(const Files& files, const FileWork& work,
                                                               const StagedFile& staged) {
  const threads::RowReader rows(files.table(), work.tenant);
  PARLEY_TRY(row, threads::ReadFile(rows, work.thread, work.file));
  if (row && (row->state() != threads::FileState::kUploading || row->declared_size != staged.offset()))
    row.reset();
  return std::move(row);
}

// On a work thread. REQUIRES: the upload is claimed.
void TryClaimed(Host& host, const FileWorkPtr& work) {
  Files& files = FilesOf(host);
  auto staged = files.staging().Open(work->tenant, work->file);
  if (!staged.ok()) return EndTry(host, work, staged.error());
  const auto shared = std::make_shared<const StagedFile>(std::move(*staged));
  auto row = ReadComplete(files, *work, *shared);
  if (!row.ok()) return EndTry(host, work, row.error());
  if (!*row) return files.Release(work->file);
  host.Post([&host, work, shared, row = **row] {
    FinishUpload(host, {work->tenant, work->thread, work->file, row.by}, row, shared,
                 [&host, work](const protocol::Status& status) { EndTry(host, work, status); });
  });
}

void TryLater(Host& host, const FileWorkPtr& work) {
  FilesOf(host).work().SubmitLater(
      work->tenant.ToText(),
      [&host, work] {
        // A request that has claimed it finishes it, or finds it incomplete.
        if (FilesOf(host).Claim(work->file)) TryClaimed(host, work);
      },
      PauseAfter(++work->failures));
}

}  // namespace

void StoreLater(Host& host, const protocol::TenantId& tenant, const protocol::ThreadId& thread,
                const protocol::AttachmentId& file) {
  const std::shared_ptr<InWork>& waiting = FilesOf(host).to_store();
  if (waiting->Begin(file)) TryLater(host, std::make_shared<FileWork>(waiting, tenant, thread, file));
}

}  // namespace parley::features
