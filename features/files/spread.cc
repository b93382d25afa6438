#include "features/files/spread.h"

#include <memory>
#include <optional>
#include <utility>

#include "features/files/due.h"
#include "features/files/process.h"
#include "features/host/cold_reads.h"
#include "threads/files/condemn.h"

namespace parley::features {
namespace {

using protocol::AttachmentId;
using protocol::Result;
using protocol::TenantId;
using protocol::ThreadId;
using threads::FileSpread;

constexpr size_t kSpreadsAtOnce = 16, kFilesOfPage = 64;

struct NamedFile {
  ThreadId thread;
  AttachmentId file;
};
struct FilePage {
  std::vector<NamedFile> files;
  std::optional<AttachmentId> last;  // if there may be more
};

struct Spreading {
  Host& host;
  const TenantId tenant;
  const FileSpread spread;
  const std::function<void()> done;
  FilePage page = {};
  size_t next = 0;
};
using SpreadingPtr = std::shared_ptr<Spreading>;

// The next uploads with the bytes. One whose row is gone is passed over.
Result<FilePage> ReadFiles(const storage::Reader& reader, const TenantId& tenant, const std::string& blob,
                           const std::optional<AttachmentId>& after) {
  storage::SortRange range = threads::FileRefs();
  if (after) range.begin = storage::SortKey(threads::FileRefKey(*after).bytes() + '\0');
  std::vector<AttachmentId> found;
  const auto status = reader.Scan(threads::BlobPartition(tenant, blob), range, storage::Direction::kForward,
                                  kFilesOfPage, [&](std::string_view sort, storage::RowView) {
                                    AttachmentId file;
                                    if (threads::ParseFileRefKey(sort, &file)) found.push_back(file);
                                    return true;
                                  });
  if (!status.ok()) return threads::FromStorage(status);
  FilePage page;
  if (found.size() == kFilesOfPage) page.last = found.back();
  const threads::RowReader rows(reader, tenant);
  for (const AttachmentId& file : found) {
    PARLEY_TRY(thread, threads::ThreadOfFile(rows, file));
    if (thread) page.files.push_back({*thread, file});
  }
  return page;
}

void EndSpreading(const SpreadingPtr& work) {
  threads::Job job;
  job.tenant = work->tenant;
  job.thread = work->spread.thread;
  job.decide = [work](threads::Transaction& tx) {
    return threads::EndSpread(tx, work->tenant, work->spread);
  };
  job.done = [work](const threads::Answer& answer) {
    if (answer.ok()) WakeIfFilesDue(work->host, work->tenant);  // there may be others
    work->done();
  };
  work->host.Submit(std::move(job));
}

void ReadOn(const SpreadingPtr& work);

void NextFile(const SpreadingPtr& work) {
  if (work->next == work->page.files.size()) return work->page.last ? ReadOn(work) : EndSpreading(work);
  const NamedFile one = work->page.files[work->next++];
  threads::Job job;
  job.tenant = work->tenant;
  job.thread = one.thread;
  job.decide = [work, one](threads::Transaction& tx) {
    return threads::BringInLine(tx, work->tenant, one.thread, one.file, work->spread.blob.value);
  };
  job.done = [work, one](const threads::Answer& answer) {
    protocol::AttachmentReply reply;
    if (!answer.ok()) return work->done();  // the clock finds the rest again
    const bool moved = !answer->empty() && threads::DecodeStored(*answer, &reply);
    if (moved && reply.attachment.state.value == threads::FileState::kScanning)
      ProcessFile(work->host, work->tenant, one.thread, one.file);
    NextFile(work);
  };
  work->host.Submit(std::move(job));
}

void ReadOn(const SpreadingPtr& work) {
  ReadAnywhere<FilePage>(
      work->host, work->host.road(work->tenant),
      [work](const storage::Reader& reader) {
        return ReadFiles(reader, work->tenant, work->spread.blob.value, work->page.last);
      },
      [work](Result<FilePage> page) {
        if (!page.ok()) return work->done();
        work->page = *std::move(page);
        work->next = 0;
        NextFile(work);
      });
}

// Uploads that were decided on before the mark was on disk are committed first, so that the pages have them;
// later decisions see the mark.
void Spread(Host& host, const TenantId& tenant, const FileSpread& spread, std::function<void()> done) {
  auto work = std::make_shared<Spreading>(Spreading{host, tenant, spread, std::move(done)});
  host.AfterDecisions(tenant, [work] { ReadOn(work); });
}

}  // namespace

void FindSpreads(const DueSearch& search, const TenantId& tenant, std::vector<DueTask>* out) {
  const auto each = [&](std::string_view, storage::RowView row) {
    FileSpread spread;
    if (threads::DecodeStored(row.payload, &spread)) {
      out->push_back([tenant, spread](Host& host, std::function<void()> done) {
        Spread(host, tenant, spread, std::move(done));
      });
    }
    return true;
  };
  // If it fails, the clock looks again.
  static_cast<void>(search.reader
                        .Scan(threads::FileSpreadPartition(tenant), storage::SortRange::All(),
                              storage::Direction::kForward, kSpreadsAtOnce, each)
                        .ok());
}

}  // namespace parley::features
