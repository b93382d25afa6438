#include "accounts/sealed_values.h"

#include <functional>
#include <set>
#include <utility>

#include "accounts/table_key.h"
#include "storage/declarations/load.h"
#include "storage/declarations/sealing.h"
#include "storage/engine/item_keys.h"
#include "storage/engine/item_transaction.h"
#include "storage/items/item_codec.h"
#include "storage/key_tags.h"

namespace parley::accounts {
namespace {

using storage::PartitionKey;
using storage::Row;
using storage::Sealer;
using storage::SealingKeyId;
using storage::SortKey;
using storage::StatusCode;
using storage::TableDef;

constexpr size_t kBatch = 500;

bool HasSecrets(const TableDef& def) {
  for (const storage::ItemKind& kind : def.kinds) {
    for (const storage::AttributeRule& rule : kind.attributes) {
      if (rule.secret) return true;
    }
  }
  return false;
}

// The declared table of a tenant's rows, or nullptr if it has no secrets.
const TableDef* TableOf(const PartitionKey& partition, protocol::TenantId* tenant) {
  *tenant = {protocol::KeyText::UpToNul(partition.tenant())};
  for (const storage::TableDefPtr& def : storage::SeedTables()) {
    if (HasSecrets(*def) && storage::TablePartition(*tenant, *def) == partition) return &*def;
  }
  return nullptr;
}

storage::SortRange Items() {
  const std::string tag(1, static_cast<char>(storage::ItemTag::kItem));
  return {SortKey(tag), SortKey(storage::UpperBound(tag))};
}

// The kind of a row with sealed values.
class SealedPlace {
 public:
  virtual ~SealedPlace() = default;
  // Returns false if the row cannot be read.
  virtual bool Count(std::string_view sort, std::string_view payload, SealedValues* out) const = 0;
  // Returns nullopt if nothing needs resealing, or it is impossible. *growth: the change of the counted
  // bytes.
  virtual std::optional<std::string> Reseal(std::string_view sort, std::string_view payload,
                                            SealedValues* out, int64_t* growth) const = 0;
};

class ItemPlace final : public SealedPlace {
 public:
  ItemPlace(const TableDef& def, protocol::TenantId tenant, const Sealer& sealer)
      : def_(def), tenant_(std::move(tenant)), sealer_(sealer) {}

  bool Count(std::string_view, std::string_view payload, SealedValues* out) const override {
    storage::Item item;
    if (!storage::DecodeItem(payload, &item)) return false;
    storage::ForEachSeal(
        def_, item, [&](const std::optional<SealingKeyId>& key) { key ? ++out->by_key[*key] : ++out->open; });
    if (!storage::OpenSecrets(def_, tenant_, sealer_, &item)) ++out->damaged;
    return true;
  }

  std::optional<std::string> Reseal(std::string_view, std::string_view payload, SealedValues* out,
                                    int64_t* growth) const override {
    storage::Item item;
    size_t stale = 0;
    if (!storage::DecodeItem(payload, &item)) return std::nullopt;
    storage::ForEachSeal(def_, item, [&](const std::optional<SealingKeyId>& key) {
      stale += key != sealer_.newest() ? 1 : 0;
    });
    const auto before = static_cast<int64_t>(storage::ItemSize(item));
    if (stale == 0 || !storage::OpenSecrets(def_, tenant_, sealer_, &item)) return std::nullopt;
    storage::SealSecrets(def_, tenant_, sealer_, &item);
    *growth += static_cast<int64_t>(storage::ItemSize(item)) - before;
    out->resealed += stale;
    return storage::EncodeItem(item);
  }

 private:
  const TableDef& def_;
  const protocol::TenantId tenant_;
  const Sealer& sealer_;
};

class TableKeyPlace final : public SealedPlace {
 public:
  explicit TableKeyPlace(const Sealer& sealer) : sealer_(sealer), seal_(sealer) {}

  bool Count(std::string_view sort, std::string_view payload, SealedValues* out) const override {
    const auto key = Decode(sort, payload);
    if (!key) return false;
    ++out->by_key[TableKeySeal::SealOf(*key)];
    if (!seal_.Open(*key)) ++out->damaged;
    return true;
  }

  std::optional<std::string> Reseal(std::string_view sort, std::string_view payload, SealedValues* out,
                                    int64_t*) const override {
    auto key = Decode(sort, payload);
    if (!key || TableKeySeal::SealOf(*key) == sealer_.newest()) return std::nullopt;
    const auto secret = seal_.Open(*key);
    if (!secret) return std::nullopt;
    key->sealed_secret = seal_.Seal(*key, *secret);
    ++out->resealed;
    return EncodeTableKey(*key);
  }

 private:
  static std::optional<TableKey> Decode(std::string_view sort, std::string_view payload) {
    protocol::TenantId tenant;
    std::string text;
    if (!storage::ParseTableKeyRecordKey(sort, &tenant, &text)) return std::nullopt;
    const auto id = AccessKeyId::FromText(text);
    return id ? DecodeTableKey(tenant, *id, payload) : std::nullopt;
  }

  const Sealer& sealer_;
  const TableKeySeal seal_;
};

// ORIG# (threads/judge/judge_rows.h): the whole row is sealed, bound to its own key.
constexpr auto kOriginalTag = static_cast<char>(storage::ThreadTag::kOriginal);

class OriginalPlace final : public SealedPlace {
 public:
  OriginalPlace(const PartitionKey& partition, const Sealer& sealer)
      : partition_(partition), sealer_(sealer) {}

  bool Count(std::string_view sort, std::string_view payload, SealedValues* out) const override {
    const auto key = storage::SealedWith(payload);
    if (!key) return false;
    ++out->by_key[*key];
    if (!Open(sort, payload)) ++out->damaged;
    return true;
  }

  std::optional<std::string> Reseal(std::string_view sort, std::string_view payload, SealedValues* out,
                                    int64_t*) const override {
    if (storage::SealedWith(payload) == sealer_.newest()) return std::nullopt;
    const auto plain = Open(sort, payload);
    if (!plain) return std::nullopt;
    ++out->resealed;
    return sealer_.Seal(storage::SealPurpose::kAttributes, PlaceOf(sort), *plain);
  }

 private:
  std::string PlaceOf(std::string_view sort) const { return partition_.bytes() + std::string(sort); }
  std::optional<std::string> Open(std::string_view sort, std::string_view payload) const {
    return sealer_.Open(storage::SealPurpose::kAttributes, PlaceOf(sort), payload);
  }

  const PartitionKey& partition_;
  const Sealer& sealer_;
};

using Visit =
    std::function<storage::Status(const PartitionKey&, const storage::SortRange&, const SealedPlace&)>;

storage::Status ForEachItems(const storage::Table& table, const Sealer& sealer, const Visit& visit) {
  std::set<PartitionKey> partitions;
  protocol::TenantId tenant;
  std::string last;
  storage::Status status = table.ScanAll(
      storage::TableTag::kItems, [&](const PartitionKey& partition, const SortKey&, storage::RowView) {
        if (partition.bytes() == last) return true;
        last = partition.bytes();
        if (TableOf(partition, &tenant)) partitions.insert(partition);
        return true;
      });
  if (!status.ok()) return status;
  for (const PartitionKey& partition : partitions) {
    const TableDef& def = *TableOf(partition, &tenant);
    if (status = visit(partition, Items(), ItemPlace(def, tenant, sealer)); !status.ok()) return status;
  }
  return {};
}

storage::Status ForEachOriginals(const storage::Table& table, const Sealer& sealer, const Visit& visit) {
  std::set<PartitionKey> threads;
  storage::Status status = table.ScanAll(
      storage::TableTag::kThreads, [&](const PartitionKey& partition, const SortKey& sort, storage::RowView) {
        if (sort.bytes().front() == kOriginalTag) threads.insert(partition);
        return true;
      });
  if (!status.ok()) return status;
  const std::string tag(1, kOriginalTag);
  for (const PartitionKey& partition : threads) {
    status =
        visit(partition, {SortKey(tag), SortKey(storage::UpperBound(tag))}, OriginalPlace(partition, sealer));
    if (!status.ok()) return status;
  }
  return {};
}

// Visits the partitions with sealed values, each with the kind of its rows.
storage::Status ForEachPlace(const storage::Table& table, const Sealer& sealer, Originals originals,
                             const Visit& visit) {
  if (storage::Status status = ForEachItems(table, sealer, visit); !status.ok()) return status;
  if (originals == Originals::kMaybe) {
    if (storage::Status status = ForEachOriginals(table, sealer, visit); !status.ok()) return status;
  }
  return visit(storage::TableKeyRecords(), storage::SortRange::All(), TableKeyPlace(sealer));
}

// The statistics of a table count the bytes of its items in sealed form.
storage::Status AddGrowth(const storage::Table& table, const PartitionKey& partition, int64_t growth,
                          storage::CommitRequest* request) {
  if (growth == 0) return {};
  std::optional<Row> row;
  storage::TableStats stats;
  if (storage::Status status = table.Get(partition, storage::StatsKey(), &row); !status.ok()) return status;
  if (!row || !storage::DecodeStats(row->payload, &stats))
    return {StatusCode::kCorrupt, "the statistics of a table cannot be read"};
  stats.bytes += growth;
  request->writes.push_back({storage::StatsKey(), Row{row->version, storage::EncodeStats(stats)}});
  return {};
}

// Reseals stale values in the next rows. *range: the remaining rows.
storage::Status ResealSome(storage::Table& table, const PartitionKey& partition, const SealedPlace& place,
                           storage::SortRange* range, bool* more, SealedValues* out) {
  storage::CommitRequest request{partition, {}, {}, {}};
  int64_t growth = 0;
  size_t seen = 0;
  storage::Status status = table.Scan(
      partition, *range, storage::Direction::kForward, kBatch,
      [&](std::string_view sort, storage::RowView row) {
        ++seen;
        range->begin = SortKey(std::string(sort) + '\0');
        auto payload = place.Reseal(sort, row.payload, out, &growth);
        if (payload)
          request.writes.push_back({SortKey(std::string(sort)), Row{row.version, *std::move(payload)}});
        return true;
      });
  *more = seen == kBatch;
  if (!status.ok() || request.writes.empty()) return status;
  if (status = AddGrowth(table, partition, growth, &request); !status.ok()) return status;
  std::vector<storage::CommitResult> results;
  return table.Commit({&request, 1}, &results);
}

storage::Status Count(const storage::Table& table, const PartitionKey& partition,
                      const storage::SortRange& range, const SealedPlace& place, SealedValues* out) {
  return table.Scan(partition, range, storage::Direction::kForward, SIZE_MAX,
                    [&](std::string_view sort, storage::RowView row) {
                      if (!place.Count(sort, row.payload, out)) ++out->damaged;
                      return true;
                    });
}

}  // namespace

bool SealedValues::AreAllOf(const SealingKeyId& key) const {
  return open == 0 && (by_key.empty() || (by_key.size() == 1 && by_key.contains(key)));
}

storage::Status CountSealedValues(const storage::Table& table, const Sealer& sealer, SealedValues* out) {
  return ForEachPlace(table, sealer, Originals::kMaybe,
                      [&](const PartitionKey& partition, const storage::SortRange& range,
                          const SealedPlace& place) { return Count(table, partition, range, place, out); });
}

storage::Status ResealValues(storage::Table& table, const Sealer& sealer, Originals originals,
                             SealedValues* out) {
  return ForEachPlace(
      table, sealer, originals,
      [&](const PartitionKey& partition, const storage::SortRange& all, const SealedPlace& place) {
        storage::SortRange range = all;
        bool more = true;
        storage::Status done;
        while (done.ok() && more) done = ResealSome(table, partition, place, &range, &more, out);
        return done.ok() ? Count(table, partition, all, place, out) : done;
      });
}

}  // namespace parley::accounts
