#include "features/files/finish_upload.h"

#include <algorithm>
#include <utility>

#include "features/files/cleaned_copy.h"
#include "features/files/digest.h"
#include "features/files/magic.h"
#include "features/files/process.h"
#include "protocol/base/encoding.h"
#include "protocol/base/reason.h"

namespace parley::features {
namespace {

using protocol::Error;
using protocol::ErrorCode;

constexpr int64_t kPixelsMax = 1'000'000;
constexpr size_t kStep = size_t{256} << 10;

Error Unsupported(const char* field, const char* what) {
  Error error(ErrorCode::kUnsupportedType, what);
  error.fields = {{field, what}};
  return error;
}

protocol::Result<std::string> HashOf(const StagedFile& staged) {
  Digest digest(Digest::Kind::kSha256);
  for (int64_t at = 0; at < staged.offset();) {
    PARLEY_TRY(bytes, staged.ReadAt(at, kStep));
    if (bytes.empty()) return ErrorFor(protocol::Reason::kStoreDown, "the store of files failed");
    digest.Add(bytes);
    at += static_cast<int64_t>(bytes.size());
  }
  return protocol::Hex(digest.Finish());
}

std::optional<protocol::Pixels> PixelsOf(std::optional<int64_t> side) {
  if (!side || *side > kPixelsMax) return std::nullopt;
  return protocol::Pixels{*side};
}

threads::StoredFile Stored(const std::string& hash, int64_t size, const clean::MediaFacts& facts) {
  threads::StoredFile out;
  out.blob.value = out.sha256.value = hash;
  out.size = size;
  out.w = PixelsOf(facts.w);
  out.h = PixelsOf(facts.h);
  out.duration_ms.value = facts.duration_ms;
  return out;
}

// `hash`: of the staged bytes, if it is known.
protocol::Result<threads::StoredFile> StoreAsItIs(const StagedFile& staged, const protocol::TenantId& tenant,
                                                  std::optional<std::string> hash,
                                                  const clean::MediaFacts& facts, Files& files) {
  if (!hash) {
    PARLEY_TRY(found, HashOf(staged));
    hash = std::move(found);
  }
  PARLEY_CHECK_OK(files.PutPinned(tenant, *hash, staged.path()));
  return Stored(*hash, staged.offset(), facts);
}

}  // namespace

protocol::Result<threads::StoredFile> StoreUpload(const StagedFile& staged, const protocol::TenantId& tenant,
                                                  const threads::FileRow& row, Files& files) {
  PARLEY_TRY(head, staged.ReadAt(0, kMagicBytes));
  if (!row.item.mime || !FitsType(row.item.mime->value, head))
    return Unsupported("mime", "the bytes are not of the declared type");
  std::optional<std::string> hash;
  if (row.declared_sha256.value) {
    PARLEY_TRY(found, HashOf(staged));
    if (row.declared_sha256.value->value != found)
      return Unsupported("sha256", "the bytes are not those that were declared");
    hash = std::move(found);
  }
  StagedReader reader(staged);
  const std::string& mime = row.item.mime->value;
  if (row.keep_metadata.value.value_or(false)) {
    PARLEY_TRY(facts, clean::ReadMediaFacts(reader, mime));
    return StoreAsItIs(staged, tenant, std::move(hash), facts, files);
  }
  CleanedCopy copy(staged);
  PARLEY_TRY(cleaned, clean::Clean(reader, mime, copy));
  if (cleaned.kind == clean::Cleaned::Kind::kUnchanged)
    return StoreAsItIs(staged, tenant, std::move(hash), cleaned.facts, files);
  PARLEY_CHECK_OK(copy.Finish());
  PARLEY_CHECK_OK(files.PutPinned(tenant, copy.hash(), copy.path()));
  return Stored(copy.hash(), cleaned.size, cleaned.facts);
}

namespace {

using Then = std::function<void(protocol::Status)>;

void OnStored(Host& host, const UploadLink& link, protocol::Result<threads::StoredFile> stored,
              const Then& then) {
  if (!stored.ok() && stored.error().code != ErrorCode::kUnsupportedType)
    return then(std::move(stored.error()));
  threads::FileMove move;
  move.thread = link.thread;
  move.id = link.file;
  std::optional<Error> refusal;
  const std::string blob = stored.ok() ? stored->blob.value : std::string();
  if (stored.ok()) {
    move.to = threads::FileState::kScanning;
    move.stored = *std::move(stored);
  } else {
    refusal = std::move(stored.error());
    move.to = threads::FileState::kFailed;
    move.reason = refusal->message;
  }
  SubmitMove(host, link.tenant, std::move(move), [&host, link, refusal, blob, then](const auto& answer) {
    Files& files = FilesOf(host);
    // A commit that failed may still be on disk. Its bytes stay pinned until the restart that shows it.
    const bool unknown = !answer.ok() && answer.error().code == ErrorCode::kUnavailable;
    if (!blob.empty() && !unknown) files.Unpin(link.tenant, blob);
    if (!answer.ok()) return then(answer.error());
    static_cast<void>(files.staging().Remove(link.tenant, link.file).ok());  // the sweep tries again
    if (refusal) return then(*refusal);
    ProcessFile(host, link.tenant, link.thread, link.file);
    then(protocol::Ok());
  });
}

}  // namespace

void FinishUpload(Host& host, const UploadLink& link, const threads::FileRow& row,
                  std::shared_ptr<const StagedFile> staged, Then then) {
  Files& files = FilesOf(host);
  WorkPool::Job job = [&host, &files, link, row, staged = std::move(staged), then] {
    auto stored = std::make_shared<protocol::Result<threads::StoredFile>>(
        StoreUpload(*staged, link.tenant, row, files));
    host.Post([&host, link, stored, then] { OnStored(host, link, std::move(*stored), then); });
  };
  if (!files.work().Submit(link.tenant.ToText(), job))
    then(ErrorFor(protocol::Reason::kFilesBusy, "too many files are being examined"));
}

}  // namespace parley::features
