#include "features/files/stored_check.h"

#include <utility>

#include "features/files/digest.h"
#include "protocol/base/encoding.h"
#include "threads/model/file_mark.h"
#include "threads/model/file_row.h"
#include "threads/model/keys.h"

namespace parley::features {
namespace {

using protocol::TenantId;
using threads::FileRow;

constexpr size_t kReadStep = size_t{256} << 10;

class StoredCheck {
 public:
  StoredCheck(const storage::Table& table, BlobStore& blobs, bool hashes,
              const std::function<void(const std::string&)>& differs, StoredReport* report)
      : snapshot_(table.NewSnapshot()), blobs_(blobs), hashes_(hashes), differs_(differs), report_(*report) {}

  storage::Status CheckRows() {
    return snapshot_->ScanAll(
        storage::TableTag::kThreads,
        [this](const storage::PartitionKey& partition, const storage::SortKey& sort, storage::RowView view) {
          protocol::AttachmentId file;
          FileRow row;
          const auto tenant = TenantId::FromText(partition.tenant());
          if (!tenant || !threads::ParseFileKey(sort.bytes(), &file)) return true;
          if (!threads::DecodeFile(view.payload, &row)) {
            Differs(tenant->ToText() + ": " + file.ToText() + ": its row cannot be read");
          } else if (row.blob.value) {
            CheckFile(*tenant, row);
          }
          return report_.trouble.empty();
        });
  }

  storage::Status CountOrphans() {
    const auto list = blobs_.List();
    while (report_.trouble.empty()) {
      const auto page = list->Next();
      if (!page.ok()) report_.trouble = page.error().message;
      if (!page.ok() || page->empty()) break;
      for (const ListedBlob& one : *page) {
        bool needed = false;
        const auto status =
            snapshot_->Scan(threads::BlobPartition(one.tenant, one.blob.substr(0, one.blob.find('-'))),
                            threads::FileRefs(), storage::Direction::kForward, 1,
                            [&](std::string_view, storage::RowView) { return needed = true; });
        if (!status.ok()) return status;
        report_.orphans += needed ? 0 : 1;
      }
    }
    return {};
  }

 private:
  void CheckFile(const TenantId& tenant, const FileRow& row) {
    const std::string name = tenant.ToText() + ": " + row.id().ToText();
    const std::string& blob = row.blob.value->value;
    ++report_.files;
    if (const auto bytes = OpenSized(tenant, blob, name, row.item.size.value.value_or(0)); bytes && hashes_)
      CheckHash(*bytes, name, row.item.sha256.value ? row.item.sha256.value->value : blob);
    if (!row.item.variants.value) return;
    for (const protocol::FileVariant& one : row.item.variants.value->items) {
      const std::string variant(protocol::NameOf(one.name));
      OpenSized(tenant, blob + "-" + variant, name + ", " + variant, one.size);
    }
  }

  // nullptr: the bytes are missing, or have another size, or cannot be read.
  std::unique_ptr<BlobReader> OpenSized(const TenantId& tenant, const std::string& blob,
                                        const std::string& name, int64_t size) {
    auto opened = blobs_.Open(tenant, blob);
    if (!opened.ok()) {
      report_.trouble = opened.error().message;
      return nullptr;
    }
    ++report_.blobs;
    if (!*opened) {
      Differs(name + ": its stored bytes are missing: " + blob);
      return nullptr;
    }
    if ((*opened)->size() == size) return std::move(*opened);
    Differs(name + ": has " + std::to_string((*opened)->size()) + " stored bytes instead of " +
            std::to_string(size));
    return nullptr;
  }

  void CheckHash(BlobReader& bytes, const std::string& name, const std::string& sha256) {
    Digest digest(Digest::Kind::kSha256);
    for (int64_t at = 0; at < bytes.size();) {
      const auto piece = bytes.ReadAt(at, kReadStep);
      if (!piece.ok() || piece->empty()) {
        report_.trouble = piece.ok() ? "stored bytes end early" : piece.error().message;
        return;
      }
      digest.Add(*piece);
      at += static_cast<int64_t>(piece->size());
    }
    if (protocol::Hex(digest.Finish()) != sha256) Differs(name + ": its stored bytes have another SHA-256");
  }

  void Differs(const std::string& what) {
    ++report_.differences;
    differs_(what);
  }

  const storage::Snapshot snapshot_;
  BlobStore& blobs_;
  const bool hashes_;
  const std::function<void(const std::string&)>& differs_;
  StoredReport& report_;
};

}  // namespace

storage::Status CheckStored(const storage::Table& table, BlobStore& blobs, bool hashes,
                            const std::function<void(const std::string&)>& differs, StoredReport* report) {
  StoredCheck check(table, blobs, hashes, differs, report);
  if (auto status = check.CheckRows(); !status.ok()) return status;
  return check.CountOrphans();
}

}  // namespace parley::features
