#include "gateway/dynamodb/table_reads.h"

#include "fanout/view/messaging_view.h"

namespace parley::gateway {
namespace {

bool IsView(const storage::TableDef& def) {
  return def.owner == storage::TableDef::Owner::kView;
}

}  // namespace

storage::MaybeFault FetchItem(const storage::ItemReads& reads, const storage::TableDef& def,
                              const storage::KeyValues& key, std::optional<storage::Item>* out) {
  return IsView(def) ? fanout::ReadViewItem(reads, key, out) : storage::ReadItem(reads, def, key, out);
}

storage::MaybeFault FetchPage(const storage::ItemReads& reads, const storage::TableDef& def,
                              const storage::PageRequest& request, storage::ItemPage* out) {
  return IsView(def) ? fanout::ReadViewPage(reads, def, request, out)
                     : storage::ReadPage(reads, def, request, out);
}

void ReadIndexed(const DynamoCall& call, const storage::TableDef& def, const storage::IndexDef* index,
                 ItemRead read) {
  if (!IsView(def) || !index) return Read(call, std::move(read));
  DynamoCall back = call;
  back.off_loop = nullptr;
  const auto wait = [back, projection = fanout::ProjectionOf(*index), read = std::move(read)] {
    back.io.AwaitProjection(projection, [back, read](bool reached) {
      if (reached) return Read(back, read);
      back.respond(
          DynamoError{DynamoErrorType::kServiceUnavailable, "The index lags behind the table. Try again."});
    });
  };
  if (call.off_loop) return call.io.loop().Post(wait);
  wait();
}

}  // namespace parley::gateway
