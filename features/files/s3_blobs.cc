#include "features/files/s3_blobs.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "features/files/s3_client.h"
#include "features/files/s3_upload.h"
#include "features/files/s3_xml.h"
#include "protocol/base/reason.h"

namespace parley::features {
namespace {

using protocol::TenantId;

constexpr int64_t kReadAhead = int64_t{1} << 20;

protocol::Error BadS3Name() {
  return ErrorFor(protocol::Reason::kStoreUnreadable, "not a name of stored bytes");
}

// Fetches what is asked for, and more once the reads follow each other.
class S3Reader final : public BlobReader {
 public:
  S3Reader(std::shared_ptr<S3Client> client, std::string path, int64_t size)
      : client_(std::move(client)), path_(std::move(path)), size_(size) {}
  int64_t size() const override { return size_; }

  protocol::Result<std::string> ReadAt(int64_t offset, size_t size) override {
    const int64_t wanted = std::min<int64_t>(static_cast<int64_t>(size), size_ - offset);
    if (wanted <= 0) return std::string();
    if (offset < begin_ || offset + wanted > End()) {
      const bool follows = offset > 0 && offset == next_;
      PARLEY_CHECK_OK(
          Fetch(offset, std::min(follows ? std::max(wanted, kReadAhead) : wanted, size_ - offset)));
    }
    next_ = offset + wanted;
    return held_.substr(static_cast<size_t>(offset - begin_), static_cast<size_t>(wanted));
  }

 private:
  int64_t End() const { return begin_ + static_cast<int64_t>(held_.size()); }

  protocol::Status Fetch(int64_t offset, int64_t size) {
    S3Request request;
    request.path = path_;
    request.headers = {
        {"range", "bytes=" + std::to_string(offset) + "-" + std::to_string(offset + size - 1)}};
    PARLEY_TRY(answer, client_->Ask(request, {}, static_cast<size_t>(size)));
    if (answer.status == 404 || static_cast<int64_t>(answer.body.size()) != size)
      return ErrorFor(protocol::Reason::kStoreUnreadable, "the bytes are missing");
    begin_ = offset;
    held_ = std::move(answer.body);
    return protocol::Ok();
  }

  const std::shared_ptr<S3Client> client_;
  const std::string path_;
  const int64_t size_;
  std::string held_;  // the bytes from `begin_` on
  int64_t begin_ = 0, next_ = -1;
};

class S3List final : public BlobList {
 public:
  explicit S3List(std::shared_ptr<S3Client> client) : client_(std::move(client)) {}

  protocol::Result<std::vector<ListedBlob>> Next() override {
    constexpr size_t kListed = 64;
    while (found_.empty() && !over_) PARLEY_CHECK_OK(ReadPage());
    std::vector<ListedBlob> out;
    for (; out.size() < kListed && !found_.empty(); found_.pop_front()) out.push_back(found_.front());
    return out;
  }

 private:
  protocol::Status ReadPage() {
    S3Request request;
    const S3Settings& settings = client_->settings();
    request.path = settings.base.empty() ? "/" : settings.base;
    request.query = {{"list-type", "2"}, {"max-keys", "1000"}, {"prefix", settings.prefix}};
    if (!token_.empty()) request.query.emplace_back("continuation-token", token_);
    PARLEY_TRY(answer, client_->Ask(request));
    if (answer.status == 404)
      return ErrorFor(protocol::Reason::kStoreUnreadable, "the bucket of files is missing");
    for (const std::string_view entry : XmlElements(answer.body, "Contents")) Add(entry);
    token_ = XmlText(answer.body, "NextContinuationToken").value_or("");
    over_ = XmlText(answer.body, "IsTruncated") != "true" || token_.empty();
    return protocol::Ok();
  }

  // Skips objects that are not ours.
  void Add(std::string_view entry) {
    const std::string& prefix = client_->settings().prefix;
    const std::string key = XmlText(entry, "Key").value_or("");
    const auto at = protocol::ParseTime(XmlText(entry, "LastModified").value_or(""));
    if (!key.starts_with(prefix) || !at) return;
    const size_t slash = key.find('/', prefix.size());
    if (slash == std::string::npos) return;
    const auto tenant = TenantId::FromText(key.substr(prefix.size(), slash - prefix.size()));
    std::string blob = key.substr(slash + 1);
    if (tenant && AreBlobNames(*tenant, blob)) found_.push_back({*tenant, std::move(blob), *at});
  }

  const std::shared_ptr<S3Client> client_;
  std::deque<ListedBlob> found_;
  std::string token_;
  bool over_ = false;
};

class S3Blobs final : public BlobStore {
 public:
  S3Blobs(S3Settings settings, StoreHealth& health)
      : client_(std::make_shared<S3Client>(std::move(settings), health)) {}

  // An object appears whole or not at all.
  protocol::Status Put(const TenantId& tenant, const std::string& blob, const std::string& path) override {
    if (!AreBlobNames(tenant, blob)) return BadS3Name();
    PARLEY_TRY(known, SizeOf(tenant, blob));
    if (known) return protocol::Ok();
    PARLEY_TRY(file, PosixFile::Open(path));
    if (!file) return ErrorFor(protocol::Reason::kStoreDown, "the staged bytes are missing");
    return UploadToS3(*client_, PathOf(tenant, blob), *file);
  }

  protocol::Result<std::unique_ptr<BlobReader>> Open(const TenantId& tenant,
                                                     const std::string& blob) override {
    if (!AreBlobNames(tenant, blob)) return BadS3Name();
    PARLEY_TRY(size, SizeOf(tenant, blob));
    if (!size) return std::unique_ptr<BlobReader>();
    return std::unique_ptr<BlobReader>(std::make_unique<S3Reader>(client_, PathOf(tenant, blob), *size));
  }

  protocol::Status Remove(const TenantId& tenant, const std::string& blob) override {
    if (!AreBlobNames(tenant, blob)) return BadS3Name();
    S3Request request;
    request.method = "DELETE";
    request.path = PathOf(tenant, blob);
    auto answer = client_->Ask(request);
    return answer.ok() ? protocol::Ok() : protocol::Status(std::move(answer.error()));
  }

  std::unique_ptr<BlobList> List() override { return std::make_unique<S3List>(client_); }

  std::string LinkTo(const TenantId& tenant, const std::string& blob, const SentAs& as, protocol::Time now,
                     int64_t seconds) override {
    if (!AreBlobNames(tenant, blob)) return {};
    S3Request request;
    request.path = PathOf(tenant, blob);
    request.query = {{"response-content-disposition", as.disposition}, {"response-content-type", as.mime}};
    return PresignS3(client_->settings(), std::move(request), now, seconds);
  }

  void Stop() override { client_->Stop(); }

 private:
  std::string PathOf(const TenantId& tenant, const std::string& blob) const {
    return S3PathOf(client_->settings(), tenant.ToText() + "/" + blob);
  }

  // nullopt: no such object.
  protocol::Result<std::optional<int64_t>> SizeOf(const TenantId& tenant, const std::string& blob) {
    S3Request request;
    request.method = "HEAD";
    request.path = PathOf(tenant, blob);
    PARLEY_TRY(answer, client_->Ask(request));
    if (answer.status == 404) return std::optional<int64_t>();
    if (answer.length < 0) return ErrorFor(protocol::Reason::kStoreUnreadable, "the bytes have no size");
    return std::optional(answer.length);
  }

  const std::shared_ptr<S3Client> client_;  // a reader may outlive the store
};

}  // namespace

std::unique_ptr<BlobStore> NewS3Blobs(S3Settings settings, StoreHealth& health) {
  return std::make_unique<S3Blobs>(std::move(settings), health);
}

}  // namespace parley::features
