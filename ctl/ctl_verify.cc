#include <fstream>

#include "ctl/ctl.h"
#include "ctl/show.h"
#include "features/all.h"
#include "features/files/store_choice.h"
#include "features/files/stored_check.h"
#include "protocol/base/clock.h"
#include "protocol/ops/all.h"
#include "storage/origin.h"
#include "threads/model/message_row.h"
#include "threads/model/row_reader.h"

namespace parley::ctl {
namespace {

// One acknowledged send, as a client recorded it: a JSON object per line.
struct Acked {
  protocol::TenantId tenant;
  protocol::ThreadId thread;
  protocol::MessageId message;
  int64_t seq = 0;
  int64_t msg_no = 0;
  static constexpr void Fields(auto& field) {
    using T = Acked;
    field("tenantId", &T::tenant, "");
    field("threadId", &T::thread, "");
    field("messageId", &T::message, "");
    field("seq", &T::seq, "");
    field("msgNo", &T::msg_no, "");
  }
};

// Returns nothing if the acknowledged message is at its place, otherwise the fault.
std::string CheckAck(const storage::Table& table, const std::string& line) {
  protocol::Document document;
  Acked acked;
  if (protocol::DecodeJson(line, {}, &document) || !protocol::Bind(document.root, &acked).ok())
    return "the line cannot be read";
  const threads::RowReader rows(table, acked.tenant);
  const auto message = rows.Message(acked.thread, acked.message);
  if (!message.ok()) return "the message cannot be read";
  const auto& row = *message;
  if (!row) return acked.message.ToText() + " was acknowledged and is missing";
  if (row->item.msg_no != acked.msg_no)
    return acked.message.ToText() + " was acknowledged with another msgNo";
  if (row->born_seq != acked.seq) return acked.message.ToText() + " was acknowledged with another seq";
  return {};
}

using Differs = std::function<void(const std::string&)>;

// Returns the number of acknowledgements, or nullopt if the file cannot be read.
std::optional<size_t> CheckAcks(const storage::Table& table, const std::string& file, const Differs& differs,
                                fanout::VerifyReport* report) {
  size_t acks = 0;
  if (file.empty()) return acks;
  std::ifstream in(file);
  if (!in) return std::nullopt;
  for (std::string line; std::getline(in, line); ++acks) {
    const std::string what = CheckAck(table, line);
    if (what.empty()) continue;
    ++report->differences;
    differs(file + ":" + std::to_string(acks + 1) + ": " + what);
  }
  return acks;
}

// Returns why it could not judge everything, or nothing.
std::string CheckFiles(const storage::Table& table, const CtlArgs& args, const Differs& differs,
                       features::StoredReport* report) {
  const auto option = [&](std::string_view key) -> std::string {
    if (key == "data") return args.data;
    const auto found = args.files_options.find(key);
    return found == args.files_options.end() ? "" : found->second;
  };
  protocol::Metrics metrics;
  features::StoreHealth health(metrics);
  const auto blobs = features::MakeBlobStore(option, health);
  if (!blobs.ok()) return blobs.error().message;
  const auto status = features::CheckStored(table, **blobs, args.hashes, differs, report);
  return status.ok() ? report->trouble : status.detail;
}

// For programs: prints this after a line for each difference.
void SumUpAsJson(const fanout::VerifyReport& report, size_t acks, bool is_copy, std::FILE* out) {
  using protocol::Value;
  const auto number = [](size_t n) { return Value(static_cast<int64_t>(n)); };
  protocol::Array repairs;
  for (const std::string& repair : report.repairs) repairs.emplace_back(std::string_view(repair));
  const Value sum(protocol::Map{{"threads", number(report.threads)},
                                {"messages", number(report.messages)},
                                {"inboxRows", number(report.inbox_rows)},
                                {"projectRows", number(report.project_rows)},
                                {"auditEntries", number(report.audit_entries)},
                                {"items", number(report.items.items)},
                                {"indexEntries", number(report.items.entries)},
                                {"acknowledgements", number(acks)},
                                {"differences", number(report.differences)},
                                {"threadsNotJudged", number(report.pending)},
                                {"tableRowsNotJudged", number(report.items.not_judged)},
                                {"repaired", Value(std::move(repairs))},
                                {"unrenewedCopy", Value(is_copy)}});
  std::fprintf(out, "%s\n", JsonOf(sum).c_str());
}

void SumUp(const fanout::VerifyReport& report, size_t acks, bool is_copy, std::FILE* out) {
  std::fprintf(out,
               "%zu threads, %zu messages, %zu inbox rows, %zu project rows, %zu audit entries, %zu items, "
               "%zu index entries, %zu acknowledgements: %zu differences",
               report.threads, report.messages, report.inbox_rows, report.project_rows, report.audit_entries,
               report.items.items, report.items.entries, acks, report.differences);
  if (report.pending > 0) std::fprintf(out, ", %zu threads not judged", report.pending);
  std::fputs("\n", out);
  if (report.pending > 0)
    std::fputs("not judged: their last changes wait to be projected; verify --project does that first\n",
               out);
  if (report.items.not_judged > 0)
    std::fprintf(out, "%zu rows of tables not judged: an index is being filled, or a TTL attribute is new\n",
                 report.items.not_judged);
  for (const std::string& repair : report.repairs) std::fprintf(out, "repaired: %s\n", repair.c_str());
  if (is_copy) std::fputs("a copy whose epoch was not renewed: before it is served, epoch --renew\n", out);
}

void SumUpFiles(const features::StoredReport& report, bool json, std::FILE* out) {
  if (!json) {
    std::fprintf(out,
                 "%zu files, with their variants %zu stored: %zu differences; %zu stored without a row\n",
                 report.files, report.blobs, report.differences, report.orphans);
    return;
  }
  const auto number = [](size_t n) { return protocol::Value(static_cast<int64_t>(n)); };
  const protocol::Value sum(protocol::Map{{"files", number(report.files)},
                                          {"storedFiles", number(report.blobs)},
                                          {"fileDifferences", number(report.differences)},
                                          {"filesWithoutRow", number(report.orphans)}});
  std::fprintf(out, "%s\n", JsonOf(sum).c_str());
}

}  // namespace

int CtlVerify(const storage::Table& table, const CtlArgs& args, std::FILE* out, std::FILE* err) {
  fanout::VerifyReport report;
  const auto differs = [&](const std::string& what) {
    const protocol::Value line(protocol::Map{{"differs", protocol::Value(std::string_view(what))}});
    std::fprintf(out, "%s\n", args.json ? JsonOf(line).c_str() : ("differs: " + what).c_str());
  };
  const auto status = features::VerifyStore(table, protocol::SystemClock().Now(), differs, &report);
  if (!status.ok()) {
    std::fprintf(err, "parleyctl: the store cannot be read: %s\n", status.detail.c_str());
    return kCtlCouldNotRun;
  }
  const auto acks = CheckAcks(table, args.acks, differs, &report);
  if (!acks) {
    std::fprintf(err, "parleyctl: %s cannot be read\n", args.acks.c_str());
    return kCtlCouldNotRun;
  }
  features::StoredReport stored;
  const std::string trouble = args.files ? CheckFiles(table, args, differs, &stored) : "";
  report.differences += stored.differences;
  const bool is_copy = storage::IsUnrenewedCopy(args.data, table.identity().epoch);
  (args.json ? SumUpAsJson : SumUp)(report, *acks, is_copy, out);
  if (args.files) SumUpFiles(stored, args.json, out);
  if (!trouble.empty()) std::fprintf(err, "parleyctl: not all files were judged: %s\n", trouble.c_str());
  if (report.differences > 0) return kCtlDifferences;
  return report.pending + report.items.not_judged > 0 || !trouble.empty() ? kCtlCouldNotRun : kCtlClean;
}

}  // namespace parley::ctl
