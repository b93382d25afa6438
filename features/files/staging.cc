#include "features/files/staging.h"

#include <utility>

#include "features/files/cleaned_copy.h"
#include "features/files/tus.h"

namespace parley::features {
namespace {

std::string MarkOf(const std::string& path) {
  return path + ".unconfirmed";
}

std::string ScratchOf(const std::string& path) {
  return path + ".scratch";
}

std::string DirectoryOf(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

// The offset from which bytes are unconfirmed; nullopt if all are confirmed. An unreadable mark, torn by a
// crash, is older than the first unconfirmed byte, because it is synced before.
protocol::Result<std::optional<int64_t>> UnconfirmedFrom(const std::string& path) {
  PARLEY_TRY(mark, PosixFile::Open(MarkOf(path)));
  if (!mark) return std::optional<int64_t>();
  PARLEY_TRY(text, mark->ReadAt(0, 32));
  return ParseByteCount(text);
}

}  // namespace

protocol::Status StagedFile::Append(std::string_view bytes) {
  PARLEY_CHECK_OK(file_.WriteAt(offset_, bytes));
  offset_ += static_cast<int64_t>(bytes.size());
  return protocol::Ok();
}

protocol::Status StagedFile::BeginUnconfirmed() {
  confirmed_ = offset_;
  PARLEY_TRY(mark, PosixFile::Create(MarkOf(path_)));
  PARLEY_CHECK_OK(mark.Truncate(0));
  PARLEY_CHECK_OK(mark.WriteAt(0, std::to_string(confirmed_)));
  PARLEY_CHECK_OK(mark.Sync());
  return SyncDirectory(DirectoryOf(path_));
}

protocol::Status StagedFile::Confirm() {
  PARLEY_CHECK_OK(Sync());
  PARLEY_CHECK_OK(RemoveFile(MarkOf(path_)));
  return SyncDirectory(DirectoryOf(path_));
}

protocol::Status StagedFile::DropUnconfirmed() {
  PARLEY_CHECK_OK(file_.Truncate(confirmed_));
  offset_ = confirmed_;
  return Confirm();
}

protocol::Status StagedFile::Restart() {
  PARLEY_CHECK_OK(RemoveFile(path_));
  PARLEY_TRY(created, PosixFile::Create(path_));
  file_ = std::move(created);
  offset_ = 0;
  return SyncDirectory(DirectoryOf(path_));
}

std::string Staging::PathOf(const protocol::TenantId& tenant, const protocol::AttachmentId& file) const {
  return directory_ + "/" + tenant.ToText() + "/" + file.ToText();
}

protocol::Result<StagedFile> Staging::Open(const protocol::TenantId& tenant,
                                           const protocol::AttachmentId& file) const {
  const std::string path = PathOf(tenant, file);
  PARLEY_CHECK_OK(MakeDirectories(DirectoryOf(path)));
  PARLEY_TRY(from, UnconfirmedFrom(path));
  PARLEY_TRY(opened, PosixFile::Create(path));
  PARLEY_TRY(size, opened.Size());
  if (from && *from < size) {
    PARLEY_CHECK_OK(opened.Truncate(*from));
    size = *from;
  }
  if (from) PARLEY_CHECK_OK(opened.Sync());
  PARLEY_CHECK_OK(RemoveFile(MarkOf(path)));  // even if it is torn
  if (from || size == 0) PARLEY_CHECK_OK(SyncDirectory(DirectoryOf(path)));
  return StagedFile(std::move(opened), path, size);
}

protocol::Result<int64_t> Staging::OffsetOf(const protocol::TenantId& tenant,
                                            const protocol::AttachmentId& file) const {
  const std::string path = PathOf(tenant, file);
  PARLEY_TRY(opened, PosixFile::Open(path));
  if (!opened) return 0;
  PARLEY_CHECK_OK(opened->Sync());
  PARLEY_TRY(size, opened->Size());
  PARLEY_TRY(from, UnconfirmedFrom(path));
  return from ? std::min(*from, size) : size;
}

std::optional<protocol::Time> Staging::TouchedAt(const protocol::TenantId& tenant,
                                                 const protocol::AttachmentId& file) const {
  return WrittenAt(PathOf(tenant, file));
}

protocol::Result<std::string> Staging::Scratch(const protocol::TenantId& tenant,
                                               const protocol::AttachmentId& file) const {
  const std::string path = PathOf(tenant, file);
  PARLEY_CHECK_OK(MakeDirectories(DirectoryOf(path)));
  return ScratchOf(path);
}

protocol::Status Staging::Remove(const protocol::TenantId& tenant, const protocol::AttachmentId& file) const {
  const std::string path = PathOf(tenant, file);
  PARLEY_CHECK_OK(RemoveFile(MarkOf(path)));
  PARLEY_CHECK_OK(RemoveFile(CleanedPathOf(path)));
  PARLEY_CHECK_OK(RemoveFile(ScratchOf(path)));
  return RemoveFile(path);
}

std::optional<protocol::AttachmentId> Staging::UploadOf(const std::string& name) {
  const size_t dot = std::min(name.find('.'), name.size());
  const std::string path = name.substr(0, dot);
  if (name != path && name != MarkOf(path) && name != ScratchOf(path) && name != CleanedPathOf(path))
    return std::nullopt;
  return protocol::AttachmentId::FromText(path);
}

}  // namespace parley::features
