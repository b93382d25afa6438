#include "features/files/upload_quotas.h"

#include <memory>
#include <utility>

namespace parley::features {
namespace {

using accounts::Counted;
using accounts::QuotaLack;
using accounts::QuotaSubject;
using accounts::Window;
using protocol::Error;
using protocol::ErrorCode;

constexpr int64_t kRetryOpenMs = 5000;  // nobody knows when an upload ends

class Counting final : public threads::Taken {
 public:
  explicit Counting(std::unique_ptr<accounts::Quotas::Counting> counting) : counting_(std::move(counting)) {}
  std::vector<storage::CommitRequest> Stand() override { return counting_->Stand(); }

 private:
  const std::unique_ptr<accounts::Quotas::Counting> counting_;
};

const char* LimitOf(Counted what) {
  switch (what) {
    case Counted::kUploadBytes:
      return "perUserPerDayBytes";
    case Counted::kOpenUploads:
      return "concurrentPerUser";
    case Counted::kStoredBytes:
      return "tenantBytes";
    default:
      return "perUserPerDayCount";
  }
}

Error ErrorOf(Error error, const QuotaLack& lack) {
  if (lack.what == Counted::kStoredBytes) {
    error = Error(ErrorCode::kAttachmentTooLarge, "the tenant has no room for a file of this size");
  } else if (lack.what == Counted::kOpenUploads) {
    error.message = "too many incomplete uploads at once";
    error.retry_after_ms = kRetryOpenMs;
  } else {
    error.message = "the day's quota of uploads is used up";
  }
  error.fields = {{"limit", LimitOf(lack.what)}, {"left", std::to_string(lack.left)}};
  return error;
}

}  // namespace

protocol::Status UploadQuotas::Take(const threads::CheckInput& input, const QuotaSubject& subject,
                                    const std::vector<Use>& uses, threads::Charge::Answer* taken) {
  if (uses.empty()) return protocol::Ok();
  QuotaLack lack;
  auto counting = quotas_.Take({input.reader, input.executor, input.now}, subject, uses, &lack);
  if (!counting.ok()) {
    Error& error = counting.error();
    return error.code == ErrorCode::kRateLimited ? ErrorOf(std::move(error), lack) : std::move(error);
  }
  taken->push_back(std::make_unique<Counting>(std::move(*counting)));
  return protocol::Ok();
}

protocol::Status UploadQuotas::Take(const threads::CheckInput& input, const FileRules& rules,
                                    const threads::FileCharge& charge, threads::Charge::Answer* taken) {
  const Window count{accounts::kDayMs, rules.per_user_per_day_count};
  const Window bytes{accounts::kDayMs, rules.per_user_per_day_bytes};
  const Window open{accounts::kForeverMs, rules.concurrent_per_user};
  const Window stored{accounts::kForeverMs, rules.tenant_bytes.value_or(0)};
  const auto use = [&](Counted what, const Window& limit, int64_t amount, std::vector<Use>* uses) {
    if (amount == 0) return;
    Use one{what, {}, amount, charge.begun_at.ms};
    if (charge.is_new) one.windows = {&limit, 1};
    uses->push_back(one);
  };
  std::vector<Use> by_user, in_tenant;
  use(Counted::kOpenUploads, open, charge.open_uploads, &by_user);
  use(Counted::kUploads, count, charge.uploads, &by_user);
  use(Counted::kUploadBytes, bytes, charge.upload_bytes, &by_user);
  use(Counted::kStoredBytes, stored, charge.stored_bytes, &in_tenant);
  PARLEY_CHECK_OK(Take(input, QuotaSubject::OfUploads(input.tenant, charge.by), by_user, taken));
  return Take(input, QuotaSubject::OfFiles(input.tenant), in_tenant, taken);
}

void AddFileChecks(const CheckParts& parts, threads::Checks* checks) {
  checks->Add<threads::FileCharge>([&tenants = parts.tenants, quotas = std::make_shared<UploadQuotas>()](
                                       const threads::CheckInput& input, const threads::FileCharge& charge,
                                       threads::Charge::Answer* taken) {
    const accounts::TenantPtr tenant = tenants.Find(input.tenant.value);
    return quotas->Take(input, tenant ? FilesBy(*tenant) : FileRules{}, charge, taken);
  });
}

}  // namespace parley::features
