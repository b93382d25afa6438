// The service behind uploads and downloads: where bytes are, the threads that move them, and which upload is
// being written.
//
// Thread contract: thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "features/files/blob_store.h"
#include "features/files/in_work.h"
#include "features/files/links.h"
#include "features/files/media_helper.h"
#include "features/files/orphan_sweep.h"
#include "features/files/refusals.h"
#include "features/files/scanning.h"
#include "features/files/settings.h"
#include "features/files/staging.h"
#include "features/files/store_health.h"
#include "features/files/verdict_walk.h"
#include "features/host/host.h"
#include "features/host/service.h"
#include "features/host/work_pool.h"
#include "protocol/base/mutex.h"

namespace parley::features {

class Files final : public Service {
 public:
  explicit Files(const ServiceParts& parts);
  void Stop() override;
  std::string Remark() const override;

  const LinkCodec& links() const { return links_; }
  const Staging& staging() const { return staging_; }
  BlobStore& blobs() const { return *blobs_; }
  WorkPool& disks() { return disks_; }  // short: reads and writes of pieces
  WorkPool& work() { return work_; }    // long: whole files
  // For the simulator, as in WorkPool.
  void EndThreads();
  bool Step() { return disks_.Step() || work_.Step(); }
  MediaHelper& media() { return media_; }
  Scanning& scanning() { return scanning_; }
  // How long images and video wait for the band that a service judges; nullopt: no service does.
  const std::optional<int64_t>& band_patience_ms() const { return band_patience_ms_; }
  void WakeAt(protocol::Time at) const;  // the clock
  const std::shared_ptr<InWork>& in_work() const { return in_work_; }
  const std::shared_ptr<InWork>& to_store() const { return to_store_; }  // see store_later.h
  OrphanSweep& orphans() { return orphans_; }
  const storage::Table& table() const { return table_; }
  UploadRefusals& refusals() { return refusals_; }
  // For the clock, which looks once after a start at the files that wait for a verdict of the service.
  VerdictWalk& walk() { return walk_; }
  bool redirects() const { return redirects_; }  // to the store, for bytes that everybody may see
  // The tenant's settings.
  static FileRules RulesOf(const Host& host, const protocol::TenantId& tenant);

  // Reserves an upload for one writer. Returns false if it has one.
  bool Claim(const protocol::AttachmentId& file);
  void Release(const protocol::AttachmentId& file);

  // Stores bytes under a name, and keeps them there until Unpin, although no row needs them yet.
  protocol::Status PutPinned(const protocol::TenantId& tenant, const std::string& blob,
                             const std::string& path);
  void Unpin(const protocol::TenantId& tenant, const std::string& blob);
  // Removes stored bytes and their variants unless a row needs them or they are pinned. Blocking.
  protocol::Status DropBlob(const protocol::TenantId& tenant, const std::string& blob);
  // The same for one name, of a file or a variant, that the store lists. Returns whether it was removed.
  protocol::Result<bool> DropListed(const protocol::TenantId& tenant, const std::string& name);

 private:
  // Returns whether the names were removed, which nothing needs if nothing needs `blob`.
  protocol::Result<bool> RemoveUnneeded(const protocol::TenantId& tenant, const std::string& blob,
                                        const std::vector<std::string>& names);
  protocol::Result<bool> IsNeeded(const protocol::TenantId& tenant, const std::string& blob) const;

  const storage::Table& table_;
  const LinkCodec links_;
  const Staging staging_;
  StoreHealth health_;
  const std::unique_ptr<BlobStore> blobs_;
  Scanning scanning_;
  const std::optional<int64_t> band_patience_ms_;
  const std::function<void(protocol::Time)> due_at_;
  const std::shared_ptr<InWork> in_work_, to_store_;  // running work may outlive the service
  VerdictWalk walk_;
  protocol::Mutex mutex_;
  std::set<protocol::AttachmentId> claimed_ GUARDED_BY(mutex_);
  using BlobName = std::pair<protocol::TenantId, std::string>;
  std::multiset<BlobName> pinned_ GUARDED_BY(mutex_);
  // Bytes that are being removed, so that none are stored under their name meanwhile.
  std::set<BlobName> removing_ GUARDED_BY(mutex_);
  protocol::CondVar removed_;
  MediaHelper media_;
  UploadRefusals refusals_;
  const bool redirects_;
  OrphanSweep orphans_;
  WorkPool disks_, work_;
};

std::unique_ptr<Service> MakeFiles(const ServiceParts& parts);
// REQUIRES: the server has the service.
Files& FilesOf(const Host& host);

}  // namespace parley::features
