// The services' records, from an I/O thread: reads that do not wait (cold_reads.h), and decisions that go to
// the writer.
//
// Thread contract: the I/O thread's loop, on which `then` is called, too; `read` and `decide` run elsewhere
// and own what they need.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "accounts/records/records.h"
#include "gateway/app/cold_reads.h"

namespace parley::gateway {

// What a decision is answered that the writer could not take, or that may not have reached the disk.
protocol::Error NotWritten(const protocol::Clock& clock);
protocol::Error TooManyWrites();

template <class T>
void ReadRecords(IoThread& io, const ReadRoad& road, const protocol::TenantId& tenant,
                 std::function<protocol::Result<T>(const accounts::RecordReads&)> read,
                 std::function<void(protocol::Result<T>)> then) {
  ReadAnywhere<T>(
      io, road,
      [&node = std::as_const(io.node()), tenant, read = std::move(read)](const storage::Reader& reader) {
        return read(accounts::RecordReads(reader, tenant, node.clock().Now(), node.sealer()));
      },
      std::move(then));
}

// `then` hears of the decision once it is on disk.
template <class T>
void DecideRecords(IoThread& io, const protocol::TenantId& tenant,
                   std::function<protocol::Result<T>(accounts::RecordTransaction&)> decide,
                   std::function<void(protocol::Result<T>)> then) {
  auto made = std::make_shared<std::optional<protocol::Result<T>>>();
  storage::ItemJob job;
  job.origin = io.index();
  job.decide = [made, tenant, decide = std::move(decide)](storage::ItemTransaction& tx) {
    accounts::RecordTransaction records(tx, tenant);
    made->emplace(decide(records));
  };
  job.done = [made, then, &clock = io.node().clock()](const storage::Status& status) {
    then(status.ok() && made->has_value() ? std::move(**made) : protocol::Result<T>(NotWritten(clock)));
  };
  if (!io.node().item_writer().Submit(job)) then(TooManyWrites());
}

// A decision that changes what is between people, or what was decided about one: whoever is told that it
// succeeded sees it hold for whatever is written from then on.
template <class T>
void DecidePeople(IoThread& io, const protocol::TenantId& tenant,
                  std::function<protocol::Result<T>(accounts::RecordTransaction&)> decide,
                  std::function<void(protocol::Result<T>)> then) {
  DecideRecords<T>(io, tenant, std::move(decide), [&io, then = std::move(then)](protocol::Result<T> made) {
    io.node().people().NoteChanged();
    then(std::move(made));
  });
}

}  // namespace parley::gateway
