#include "features/files/variants.h"

#include <algorithm>
#include <string>

#include "features/files/media_helper.h"
#include "protocol/base/log.h"
#include "protocol/base/reason.h"

namespace parley::features {
namespace {

using protocol::FileVariant;
using protocol::VariantName;

constexpr std::string_view kShown[] = {"image/jpeg",      "image/png",  "image/webp",
                                       "image/gif",       "image/heic", "image/avif",
                                       "application/pdf", "video/mp4",  "video/quicktime"};

bool IsShown(const threads::FileRow& row) {
  return row.blob.value && row.item.mime &&
         std::find(std::begin(kShown), std::end(kShown), row.item.mime->value) != std::end(kShown);
}

VariantName NameOf(media::Kind kind) {
  switch (kind) {
    case media::Kind::kPreview:
      return VariantName::kPreview;
    case media::Kind::kThumb:
      return VariantName::kThumb;
    case media::Kind::kBlurred:
      break;
  }
  return VariantName::kBlurred;
}

protocol::Status WriteTo(const std::string& path, std::string_view bytes) {
  // A file that a crash left can be a stored one under another name, so it is never overwritten.
  PARLEY_CHECK_OK(RemoveFile(path));
  PARLEY_TRY(file, PosixFile::Create(path));
  PARLEY_CHECK_OK(file.WriteAt(0, bytes));
  return file.Sync();
}

// An equal file may have made the variant before, with another version of the library: it stays, and its size
// counts.
protocol::Result<FileVariant> Store(Files& files, const protocol::TenantId& tenant, const std::string& blob,
                                    const std::string& scratch, const media::Copy& copy) {
  FileVariant out;
  out.name = NameOf(copy.kind);
  out.mime.value = copy.format == media::Format::kWebp ? "image/webp" : "image/jpeg";
  out.w = protocol::Pixels{copy.w};
  out.h = protocol::Pixels{copy.h};
  const std::string name = blob + "-" + std::string(protocol::NameOf(out.name));
  PARLEY_CHECK_OK(WriteTo(scratch, copy.bytes));
  const protocol::Status put = files.blobs().Put(tenant, name, scratch);
  static_cast<void>(RemoveFile(scratch).ok());  // Staging::Remove tries again
  if (!put.ok()) return put.error();
  PARLEY_TRY(stored, files.blobs().Open(tenant, name));
  if (!stored) return ErrorFor(protocol::Reason::kStoreDown, "the store of files failed");
  out.size = stored->size();
  return out;
}

protocol::Result<MediaHelper::Made> Ask(Files& files, const protocol::TenantId& tenant,
                                        const std::string& blob) {
  PARLEY_TRY(reader, files.blobs().Open(tenant, blob));
  if (!reader) return MediaHelper::Made{{}, "the bytes are gone"};
  return files.media().Make(reader->size(),
                            [&](int64_t offset, size_t size) { return reader->ReadAt(offset, size); });
}

}  // namespace

protocol::Result<std::optional<Variants>> MakeVariants(Files& files, const protocol::TenantId& tenant,
                                                       const threads::FileRow& row) {
  if (!files.media().on() || !IsShown(row)) return std::optional<Variants>();
  const std::string& blob = row.blob.value->value;
  PARLEY_TRY(made, Ask(files, tenant, blob));
  if (!made.refusal.empty()) {
    protocol::Log(protocol::LogLevel::kWarn, "files", "a file has no variants",
                  {{"tenant", tenant.ToText()}, {"attachment", row.id().ToText()}, {"reason", made.refusal}});
    return std::optional<Variants>();
  }
  PARLEY_TRY(scratch, files.staging().Scratch(tenant, row.id()));
  Variants out;
  for (const media::Copy& copy : made.image.copies) {
    PARLEY_TRY(variant, Store(files, tenant, blob, scratch, copy));
    out.items.push_back(variant);
  }
  return std::optional<Variants>(std::move(out));
}

}  // namespace parley::features
