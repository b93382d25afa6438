#include "features/files/upload_offset.h"

#include <memory>
#include <utility>

#include "features/files/files.h"
#include "features/files/finish_upload.h"
#include "features/files/upload_state.h"
#include "features/host/cold_reads.h"
#include "protocol/base/reason.h"

namespace parley::features {
namespace {

using protocol::Error;
using protocol::Result;
using threads::FileRow;
using WhenFound = std::function<void(Result<UploadOffset>)>;

constexpr int kLocked = 423;  // tus clients ask again, and after other errors begin a new upload

UploadOffset Complete(const FileRow& row) {
  return {row, row.declared_size};
}

Error Busy() {
  return ErrorFor(protocol::Reason::kFilesBusy, "too many files are being written");
}

void ReadRow(Host& host, const UploadLink& link, std::function<void(Result<FileRow>)> then) {
  ReadAnywhere<FileRow>(
      host, host.road(link.tenant),
      [&host = std::as_const(host), link](const storage::Reader& reader) {
        return ReadUpload(host, reader, link);
      },
      std::move(then));
}

// While `claim` exists, no other request changes the staged bytes.
using Claim = std::shared_ptr<void>;

Claim Claimed(Files& files, const UploadLink& link) {
  if (!files.Claim(link.file)) return nullptr;
  return {static_cast<void*>(&files), [&files, file = link.file](void*) { files.Release(file); }};
}

void FinishStaged(Host& host, const UploadLink& link, const FileRow& row, Result<StagedFile> staged,
                  const Claim& claim, const WhenFound& then) {
  if (!staged.ok()) return then(std::move(staged.error()));
  if (staged->offset() != row.declared_size) return then(UploadOffset{row, staged->offset()});
  auto whole = std::make_shared<const StagedFile>(std::move(staged.value()));
  FinishUpload(host, link, row, std::move(whole), [row, claim, then](protocol::Status finished) {
    if (!finished.ok()) return then(std::move(finished.error()));
    then(Complete(row));
  });
}

void Finish(Host& host, const UploadLink& link, const FileRow& row, const Claim& claim,
            const WhenFound& then) {
  Files& files = FilesOf(host);
  WorkPool::Job job = [&host, &files, link, row, claim, then] {
    auto staged = std::make_shared<Result<StagedFile>>(files.staging().Open(link.tenant, link.file));
    host.Post([&host, link, row, staged, claim, then] {
      FinishStaged(host, link, row, std::move(*staged), claim, then);
    });
  };
  if (!files.disks().Submit(link.tenant.ToText(), job)) then(Busy());
}

// The row is read again, since the request that had claimed the upload may just have finished it.
void ClaimAndFinish(Host& host, const UploadLink& link, const WhenFound& then) {
  const Claim claim = Claimed(FilesOf(host), link);
  if (!claim) {
    Error error = ErrorFor(protocol::Reason::kSameUnderWay, "another request finishes it");
    error.http_status = kLocked;
    return then(std::move(error));
  }
  ReadRow(host, link, [&host, link, claim, then](const Result<FileRow>& row) {
    if (!row.ok()) return then(row.error());
    if (IsComplete(*row)) return then(Complete(*row));
    Finish(host, link, *row, claim, then);
  });
}

// The offset of an incomplete upload is in the file, which a disk thread examines.
void FindStaged(Host& host, const UploadLink& link, const FileRow& row, const WhenFound& then) {
  Files& files = FilesOf(host);
  WorkPool::Job job = [&host, &files, link, row, then] {
    auto offset = std::make_shared<Result<int64_t>>(files.staging().OffsetOf(link.tenant, link.file));
    const auto touched = files.staging().TouchedAt(link.tenant, link.file);
    host.Post([&host, link, offset, row, touched, then] {
      if (!offset->ok()) return then(std::move(offset->error()));
      if (**offset == row.declared_size) return ClaimAndFinish(host, link, then);
      then(UploadOffset{row, **offset, touched});
    });
  };
  if (!files.disks().Submit(link.tenant.ToText(), job)) then(Busy());
}

}  // namespace

void FindUploadOffset(Host& host, const UploadLink& link, WhenFound then) {
  ReadRow(host, link, [&host, link, then = std::move(then)](const Result<FileRow>& row) {
    if (!row.ok()) return then(row.error());
    if (IsComplete(*row)) return then(Complete(*row));
    FindStaged(host, link, *row, then);
  });
}

}  // namespace parley::features
