#include "features/files/quota_facts.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "accounts/limits/quota_row.h"
#include "fanout/verify/value_fields.h"

namespace parley::features::facts {
namespace {

using fanout::ThreadFacts;
using protocol::Value;

const char* const kTenantsFiles = " files";
const char* const kUsersUploads = " files ";

struct Levels {
  int64_t open = 0;
  int64_t bytes = 0;
};

class QuotaFacts final : public fanout::Facts {
 public:
  void OnThread(const fanout::VerifyInput& input, const ThreadFacts& facts) override {
    int64_t thread_bytes = 0;
    for (const auto& [id, row] : facts.files) {
      const Value* item = row.root.Find("item");
      const std::string state = fanout::TextField(item, "state");
      const bool open = state == "requested" || state == "uploading";
      const bool ended = state == "failed" || state == "cancelled" || state == "removed";
      const int64_t bytes = ended ? 0 : std::max<int64_t>(fanout::NumberField(item, "size"), 0);
      thread_bytes += bytes;
      const std::string tenant = facts.tenant.ToText();
      if (open) ++rows_[{tenant, kUsersUploads + fanout::TextField(&row.root, "by")}].open;
      if (bytes > 0) rows_[{tenant, kTenantsFiles}].bytes += bytes;
    }
    const int64_t counted = facts.head ? facts.head->HiddenNumber("fileBytes").value_or(0) : 0;
    if (facts.head && counted != thread_bytes)
      input.differs(facts.name() + ": its head counts " + std::to_string(counted) +
                    " bytes of files, its files have " + std::to_string(thread_bytes));
  }

  storage::Status CheckRows(const fanout::VerifyInput& input, fanout::VerifyReport*) override {
    std::map<Subject, Levels> counted;
    auto status = input.snapshot.ScanAll(
        storage::TableTag::kQuotas,
        [&](const storage::PartitionKey& partition, const storage::SortKey&, storage::RowView stored) {
          const std::string who(partition.id().substr(0, partition.id().size() - 1));
          accounts::QuotaRow row;
          if (!who.starts_with(kTenantsFiles) || !accounts::DecodeQuota(stored.payload, &row)) return true;
          Levels& levels = counted[{std::string(partition.tenant()), who}];
          levels.open += row.open_uploads.Sum(0, accounts::kForeverMs);
          levels.bytes += row.stored_bytes.Sum(0, accounts::kForeverMs);
          return true;
        });
    if (!status.ok()) return status;
    for (const auto& [subject, levels] : counted) rows_.try_emplace(subject);
    for (const auto& [subject, levels] : rows_) Compare(input, subject, levels, counted[subject]);
    return status;
  }

 private:
  using Subject = std::pair<std::string, std::string>;  // tenant, who

  static void Compare(const fanout::VerifyInput& input, const Subject& subject, const Levels& rows,
                      const Levels& counted) {
    const auto& [tenant, who] = subject;
    if (rows.open != counted.open)
      input.differs(tenant + who.substr(std::string(kTenantsFiles).size()) + ": the quota counts " +
                    std::to_string(counted.open) + " incomplete uploads, there are " +
                    std::to_string(rows.open));
    if (rows.bytes != counted.bytes)
      input.differs(tenant + ": the quota counts " + std::to_string(counted.bytes) +
                    " bytes of files, its files have " + std::to_string(rows.bytes));
  }

  std::map<Subject, Levels> rows_;  // as the files' own rows say
};

}  // namespace

std::unique_ptr<fanout::Facts> MakeQuotaFacts() {
  return std::make_unique<QuotaFacts>();
}

}  // namespace parley::features::facts
