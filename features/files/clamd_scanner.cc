#include "features/files/clamd_scanner.h"

#include <sys/eventfd.h>

#include <algorithm>
#include <utility>

#include "features/files/clamd_link.h"

namespace parley::features {
namespace {

using Kind = ScanResult::Kind;

constexpr size_t kChunkBytes = size_t{128} << 10;
// The names that clamd gives to files beyond its own limits, if it is configured with AlertExceedsMax.
constexpr std::string_view kBeyondLimits = "Heuristics.Limits.Exceeded";

ScanResult NotScanned(std::string why) {
  return {Kind::kNotReachable, std::move(why)};
}

std::string Chunk(std::string_view bytes) {
  const auto size = static_cast<uint32_t>(bytes.size());
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(size >> shift & 0xff);
  out += bytes;
  return out;
}

ScanResult ResultOf(std::string_view answer) {
  constexpr std::string_view kBefore = "stream: ", kFound = " FOUND";
  if (answer.find("size limit exceeded") != std::string_view::npos) return {Kind::kTooLarge};
  if (answer == "stream: OK") return {Kind::kClean};
  if (!answer.starts_with(kBefore) || !answer.ends_with(kFound)) return NotScanned(std::string(answer));
  if (answer.size() <= kBefore.size() + kFound.size()) return NotScanned(std::string(answer));
  answer.remove_prefix(kBefore.size());
  answer.remove_suffix(kFound.size());
  if (answer.starts_with(kBeyondLimits)) return {Kind::kTooLarge};
  return {Kind::kFound, std::string(answer)};
}

class ClamdScanner final : public Scanner {
 public:
  ClamdScanner(ScanChoice at, ClamdWaits waits)
      : at_(std::move(at)), waits_(waits), stop_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

  ScanResult Scan(BlobReader& blob) override {
    ClamdLink link(stop_.descriptor());
    if (std::string why = link.Connect(at_, waits_.connect_ms); !why.empty())
      return NotScanned(std::move(why));
    const std::string begin("zINSTREAM\0", 10);
    ClamdLink::Sent sent = link.Send(begin, waits_.send_ms);
    for (int64_t at = 0; sent == ClamdLink::Sent::kAll && at < blob.size();) {
      const auto size = static_cast<size_t>(std::min<int64_t>(kChunkBytes, blob.size() - at));
      const auto bytes = blob.ReadAt(at, size);
      if (!bytes.ok() || bytes->size() != size) return NotScanned("the bytes cannot be read");
      sent = link.Send(Chunk(*bytes), waits_.send_ms);
      at += static_cast<int64_t>(size);
    }
    if (sent == ClamdLink::Sent::kAll) sent = link.Send(Chunk({}), waits_.send_ms);
    if (sent == ClamdLink::Sent::kFailed) return NotScanned("it stopped to read");
    const auto answer = link.Receive(waits_.answer_ms);
    if (!answer) return NotScanned("its answer is missing or torn");
    ScanResult result = ResultOf(*answer);
    const bool early = sent != ClamdLink::Sent::kAll;
    return early && result.kind == Kind::kClean ? NotScanned("it answered before the last byte") : result;
  }

  bool Answers() override {
    ClamdLink link(stop_.descriptor());
    if (!link.Connect(at_, waits_.connect_ms).empty()) return false;
    if (link.Send(std::string("zPING\0", 6), waits_.connect_ms) == ClamdLink::Sent::kFailed) return false;
    return link.Receive(waits_.connect_ms) == "PONG";
  }

  void Stop() override { ::eventfd_write(stop_.descriptor(), 1); }

 private:
  const ScanChoice at_;
  const ClamdWaits waits_;
  const PosixFile stop_;
};

}  // namespace

std::unique_ptr<Scanner> NewClamdScanner(const ScanChoice& choice, ClamdWaits waits) {
  return std::make_unique<ClamdScanner>(choice, waits);
}

}  // namespace parley::features
