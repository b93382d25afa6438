// The services' records, from an I/O thread: reads that do not wait (cold_reads.h), and decisions that go to
// the item writer.
//
// Thread contract: the host's thread, on which `then` is called, too; `read` and `decide` run elsewhere and
// own what they need.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "accounts/records/records.h"
#include "features/host/cold_reads.h"

namespace parley::features {

// The writer could not take a decision, or it may not have reached the disk.
protocol::Error NotWritten(const protocol::Clock& clock);
protocol::Error TooManyWrites();

// Any thread.
inline accounts::RecordReads RecordsOf(const Host& host, const storage::Reader& reader,
                                       const protocol::TenantId& tenant) {
  return {reader, tenant, host.clock().Now(), host.sealer()};
}
inline accounts::RecordReads RecordsOf(const threads::ReadContext& context) {
  return {context.snapshot, context.caller.tenant, context.now, *context.sealer};
}

template <class T>
void ReadRecords(Host& host, const ReadRoad& road, const protocol::TenantId& tenant,
                 std::function<protocol::Result<T>(const accounts::RecordReads&)> read,
                 std::function<void(protocol::Result<T>)> then) {
  ReadAnywhere<T>(
      host, road,
      [&host = std::as_const(host), tenant, read = std::move(read)](const storage::Reader& reader) {
        return read(RecordsOf(host, reader, tenant));
      },
      std::move(then));
}

// Calls `then` once the decision is on disk.
template <class T>
void DecideRecords(Host& host, const protocol::TenantId& tenant,
                   std::function<protocol::Result<T>(accounts::RecordTransaction&)> decide,
                   std::function<void(protocol::Result<T>)> then) {
  auto made = std::make_shared<std::optional<protocol::Result<T>>>();
  storage::ItemJob job;
  job.decide = [made, tenant, decide = std::move(decide)](storage::ItemTransaction& tx) {
    accounts::RecordTransaction records(tx, tenant);
    made->emplace(decide(records));
  };
  job.done = [made, then, &clock = host.clock()](const storage::Status& status) {
    then(status.ok() && made->has_value() ? std::move(**made) : protocol::Result<T>(NotWritten(clock)));
  };
  if (!host.SubmitItems(job)) then(TooManyWrites());
}

// A decision on blocks or sanctions: everything written after `then` is called obeys it.
template <class T>
void DecidePeople(Host& host, const protocol::TenantId& tenant,
                  std::function<protocol::Result<T>(accounts::RecordTransaction&)> decide,
                  std::function<void(protocol::Result<T>)> then) {
  DecideRecords<T>(host, tenant, std::move(decide),
                   [&host, then = std::move(then)](protocol::Result<T> made) {
                     host.NotePeopleChanged();
                     then(std::move(made));
                   });
}

}  // namespace parley::features
