#include "features/files/blob_source.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace parley::features {
namespace {

constexpr int64_t kSentBytes = int64_t{128} << 10;

using protocol::BodyPiece;

class BlobSource final : public protocol::BodySource {
 public:
  BlobSource(Host& host, protocol::TenantId tenant, std::unique_ptr<BlobReader> blob, ByteRange range)
      : host_(host), tenant_(std::move(tenant)), blob_(std::move(blob)), at_(range.begin), end_(range.end) {}

  ~BlobSource() override { *gone_ = true; }

  void Next(std::function<void(BodyPiece)> give) override {
    const int64_t begin = at_;
    const auto size = static_cast<size_t>(std::min(kSentBytes, end_ - at_));
    at_ += static_cast<int64_t>(size);
    const bool last = at_ >= end_;
    WorkPool::Job job = [&host = host_, blob = blob_, gone = gone_, begin, size, last, give] {
      if (*gone) return;
      auto piece = std::make_shared<BodyPiece>(Read(*blob, begin, size, last));
      host.Post([piece, gone, give] {
        if (!*gone) give(std::move(*piece));
      });
    };
    if (!FilesOf(host_).disks().SubmitDue(tenant_.ToText(), job)) give({{}, BodyPiece::Then::kFailed});
  }

 private:
  static BodyPiece Read(BlobReader& blob, int64_t begin, size_t size, bool last) {
    auto bytes = blob.ReadAt(begin, size);
    if (!bytes.ok() || bytes->size() != size) return {{}, BodyPiece::Then::kFailed};
    return {*std::move(bytes), last ? BodyPiece::Then::kLast : BodyPiece::Then::kMore};
  }

  Host& host_;
  const protocol::TenantId tenant_;
  const std::shared_ptr<BlobReader> blob_;
  const std::shared_ptr<std::atomic<bool>> gone_ = std::make_shared<std::atomic<bool>>(false);
  int64_t at_;
  const int64_t end_;
};

}  // namespace

std::shared_ptr<protocol::BodySource> NewBlobSource(Host& host, const protocol::TenantId& tenant,
                                                    std::unique_ptr<BlobReader> blob, ByteRange range) {
  return std::make_shared<BlobSource>(host, tenant, std::move(blob), range);
}

}  // namespace parley::features
