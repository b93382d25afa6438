#include "features/files/due.h"

#include <algorithm>
#include <utility>

#include "features/files/files.h"
#include "features/files/process.h"
#include "features/files/spread.h"
#include "features/files/store_later.h"
#include "features/host/cold_reads.h"
#include "features/moderation/asks.h"
#include "threads/files/file_upkeep.h"
#include "threads/files/sweep_file.h"
#include "threads/model/file_mark.h"

namespace parley::features {
namespace {

using threads::FileDue;
using threads::FileSwept;

void RemoveBytes(Files& files, const protocol::TenantId& tenant, const FileDue& due, const FileSwept& swept) {
  // If this fails, the hourly sweep of the store removes the bytes.
  if (swept.gone.value) static_cast<void>(files.staging().Remove(tenant, due.file).ok());
  if (swept.blob.value) static_cast<void>(files.DropBlob(tenant, swept.blob.value->value).ok());
}

void OnSwept(Host& host, const protocol::TenantId& tenant, const FileDue& due, const threads::Answer& answer,
             const std::function<void()>& done) {
  FileSwept swept;
  if (!answer.ok() || !threads::DecodeStored(*answer, &swept)) return done();
  if (swept.scan.value) ProcessFile(host, tenant, due.thread, due.file);
  if (swept.ready.value) EndPatience(host, tenant, due.thread, due.file);
  WorkPool::Job job = [&host, tenant, due, swept, done] {
    RemoveBytes(FilesOf(host), tenant, due, swept);
    host.Post(done);
  };
  const bool has_bytes = swept.gone.value || swept.blob.value;
  if (!has_bytes || !FilesOf(host).work().Submit(tenant.ToText(), job)) done();
}

// Sweeps, unless a case needs the file.
threads::Result<threads::Decision> DecideSweep(threads::Transaction& tx, const Host& host,
                                               const protocol::TenantId& tenant, threads::FileSweep sweep) {
  const FileDue& due = sweep.due;
  PARLEY_TRY(row, threads::ReadFile(tx.Rows(tenant), due.thread, due.file));
  std::vector<protocol::MessageId> shows;
  if (row && row->message_id) shows.push_back(*row->message_id);
  if (row && row->cards.value) {
    const auto& cards = row->cards.value->items;
    shows.insert(shows.end(), cards.begin(), cards.end());
  }
  for (const protocol::MessageId& message : shows) {
    PARLEY_TRY(held, HasOpenCase(tx, host, tenant, due.thread, message));
    sweep.held |= held;
  }
  return threads::SweepFile(tx, tenant, sweep);
}

void Sweep(Host& host, const protocol::TenantId& tenant, const FileDue& due, std::function<void()> done) {
  threads::Job job;
  job.tenant = tenant;
  job.thread = due.thread;
  const auto touched = FilesOf(host).staging().TouchedAt(tenant, due.file);
  job.decide = [&host = std::as_const(host), tenant, sweep = threads::FileSweep{due, touched}](
                   threads::Transaction& tx) { return DecideSweep(tx, host, tenant, sweep); };
  job.done = [&host, tenant, due, done = std::move(done)](const threads::Answer& answer) {
    OnSwept(host, tenant, due, answer, done);
  };
  host.Submit(std::move(job));
}

// Finds at most `limit` rows of a range that `takes` accepts, among the first `rows`. Returns false if there
// may be more. `next`: takes the time of the first that is not due yet; nullptr: not wanted.
bool FindIn(const storage::SortRange& range, size_t rows, const DueSearch& search,
            const protocol::TenantId& tenant, const std::function<bool(const FileDue&)>& takes,
            std::optional<protocol::Time>* next, std::vector<DueTask>* out) {
  size_t found = 0;
  const auto each = [&](std::string_view sort, storage::RowView) {
    FileDue due;
    if (!threads::ParseFileDueKey(sort, &due)) return true;
    if (due.at > search.now) {
      if (next) *next = std::min(next->value_or(due.at), due.at);
      return false;
    }
    if (!takes(due)) return true;
    out->push_back(
        [tenant, due](Host& host, std::function<void()> done) { Sweep(host, tenant, due, std::move(done)); });
    return ++found < search.limit;
  };
  const auto status =
      search.reader.Scan(threads::FileDuePartition(tenant), range, storage::Direction::kForward, rows, each);
  return status.ok() && found < search.limit;
}

// The first key of a file that is not `scanning`.
storage::SortKey FirstOfOthers() {
  return threads::FileDueKey({{threads::kScanningDue.ms + 1}, {}, {}});
}

// Files that are not in work, after a restart or because there were too many.
bool FindScanning(const DueSearch& search, const protocol::TenantId& tenant, const InWork& in_work,
                  std::vector<DueTask>* out) {
  storage::SortRange range = storage::SortRange::All();
  range.end = FirstOfOthers();
  return FindIn(
      range, InWork::kFilesMax + search.limit, search, tenant,
      [&](const FileDue& due) { return !in_work.Has(due.file); }, nullptr, out);
}

// Files of mode `service`, each once after a start. Returns false if there may be more.
bool FindWaiting(const DueSearch& search, const protocol::TenantId& tenant, Files& files,
                 std::vector<DueTask>* out) {
  DueSearch bounded = search;
  bounded.limit =
      std::min(search.limit, InWork::kFilesMax - std::min(InWork::kFilesMax, files.in_work()->size()));
  if (bounded.limit == 0) return false;
  storage::SortRange range = storage::SortRange::All();
  const std::string& place = files.walk().PlaceOf(tenant);
  if (!place.empty()) range.begin = storage::SortKey(place + '\0');
  range.end = FirstOfOthers();
  std::string last;
  const bool all = FindIn(
      range, bounded.limit, bounded, tenant,
      [&](const FileDue& due) {
        last = threads::FileDueKey(due).bytes();
        return true;
      },
      nullptr, out);
  if (!last.empty()) files.walk().GoTo(tenant, std::move(last));
  return all;
}

// Whether uploads are due that no message shows any more, or marks of bytes must spread.
bool HasDue(const storage::Reader& reader, const protocol::TenantId& tenant, protocol::Time now) {
  storage::SortRange range = storage::SortRange::All();
  range.begin = FirstOfOthers();
  range.end = threads::FileDueKey({{now.ms + 1}, {}, {}});
  bool found = false;
  const auto see = [&](std::string_view, storage::RowView) { return found = true; };
  const auto forward = storage::Direction::kForward;
  auto status = reader.Scan(threads::FileDuePartition(tenant), range, forward, 1, see);
  if (status.ok() && !found)
    status = reader.Scan(threads::FileSpreadPartition(tenant), storage::SortRange::All(), forward, 1, see);
  return status.ok() && found;
}

void BeginSweep(Host& host, const std::function<void()>& done) {
  FilesOf(host).orphans().Begin(
      [&host](const protocol::TenantId& tenant, const protocol::ThreadId& thread,
              const protocol::AttachmentId& file) { StoreLater(host, tenant, thread, file); });
  done();  // it runs for as long as the store is large
}

}  // namespace

void WakeIfDue(Host& host, const OpCall& call, std::string answer, Done done) {
  const protocol::TenantId tenant = call.caller.tenant;
  done(std::move(answer));
  WakeIfFilesDue(host, tenant);
}

// If the caller disconnects, the clock finds the work when it wakes by itself.
void WakeIfFilesDue(Host& host, const protocol::TenantId& tenant) {
  ReadAnywhere<bool>(
      host, host.road(tenant),
      [tenant, now = host.clock().Now()](const storage::Reader& reader) -> protocol::Result<bool> {
        return HasDue(reader, tenant, now);
      },
      [&host](const protocol::Result<bool>& due) {
        if (due.ok() && *due) FilesOf(host).in_work()->Wake();
      });
}

std::vector<DueTask> FindFileTasks(const DueSearch& search) {
  std::vector<DueTask> out;
  Files& files = static_cast<Files&>(*search.service);
  const bool works = files.scanning().by() != ScanChoice::By::kService;  // else all wait for a verdict
  // Files wait for bands for seconds; the rest is not urgent, and is found whenever the clock looks.
  auto* next = files.band_patience_ms() ? search.next : nullptr;
  bool all = true;
  for (const protocol::TenantId& tenant : search.tenants) {
    storage::SortRange others = storage::SortRange::All();
    others.begin = FirstOfOthers();
    FindIn(
        others, search.limit, search, tenant, [](const FileDue&) { return true; }, next, &out);
    FindSpreads(search, tenant, &out);
    if (!(works ? FindScanning(search, tenant, *files.in_work(), &out)
                : FindWaiting(search, tenant, files, &out)))
      all = false;
  }
  files.in_work()->SetMore(!all);
  if (files.orphans().IsDue()) out.push_back(&BeginSweep);
  return out;
}

}  // namespace parley::features
