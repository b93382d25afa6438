// A partition in the form of the table `messaging`: pk, sk, and the other attributes, including those that
// only the server needs.
#include <set>

#include "ctl/ctl.h"
#include "ctl/hide.h"
#include "ctl/show.h"
#include "protocol/writer.h"
#include "threads/model/rows.h"
#include "threads/model/uncounted.h"

namespace parley::ctl {
namespace {

using storage::ThreadTag;

std::string MessageName(const protocol::MessageId& id) {
  return protocol::FormatTime(id.ulid.time()) + "#" + id.ToText();
}

// The sort key as text; empty if it is unknown.
std::string SortName(const std::string& sort) {
  storage::KeyReader reader(sort);
  uint8_t tag = 0;
  std::string text, more;
  uint64_t number = 0;
  protocol::MessageId id;
  if (!reader.AnyTag(&tag)) return {};
  switch (static_cast<ThreadTag>(tag)) {
    case ThreadTag::kThread:
      return "THR";
    case ThreadTag::kParticipant:
      return reader.Text(&text) ? "PART#" + text : "";
    case ThreadTag::kMessage:
      return reader.Id(&id.ulid) ? "MSG#" + MessageName(id) : "";
    case ThreadTag::kCard:
      return reader.Id(&id.ulid) ? "CARD#" + id.ToText() : "";
    case ThreadTag::kTab:
      return reader.Text(&text) ? "TAB#" + text : "";
    case ThreadTag::kReaction:
      return reader.Id(&id.ulid) && reader.Text(&text) && reader.Text(&more)
                 ? "REACT#" + id.ToText() + "#" + text + "#" + more
                 : "";
    case ThreadTag::kLog:
      return reader.Number(&number) ? "LOG#" + std::to_string(number) : "";
    case ThreadTag::kIdempotency:
      return reader.Text(&text) && reader.Text(&more) ? "IDEM#" + text + "#" + more : "";
    case ThreadTag::kDeleted:
      return reader.Number(&number) ? "DEL#" + std::to_string(number) : "";
    case ThreadTag::kDeletedBlock:
      return reader.Number(&number) ? "DELS#" + std::to_string(number) : "";
    case ThreadTag::kHistory:
      return reader.Id(&id.ulid) && reader.Number(&number)
                 ? "HIST#" + id.ToText() + "#" + std::to_string(number)
                 : "";
    case ThreadTag::kFile:
      return reader.Id(&id.ulid) ? "FILE#" + protocol::AttachmentId{id.ulid}.ToText() : "";
    case ThreadTag::kOriginal:
      return reader.Id(&id.ulid) && reader.Number(&number)
                 ? "ORIG#" + id.ToText() + "#" + std::to_string(number)
                 : "";
    case ThreadTag::kExternalEvent:
      return reader.Text(&text) ? "EVT#" + text : "";
    case ThreadTag::kEffect:
      return reader.Number(&number) ? "OUT#" + std::to_string(number) : "";
    case ThreadTag::kCardAudit:
      return reader.Number(&number) ? "AUD#" + std::to_string(number) : "";
    case ThreadTag::kAccess:
      return reader.Id(&id.ulid) ? "LOOK#" + std::string(id.ulid.ToText()) : "";
    case ThreadTag::kAct:
      return reader.Id(&id.ulid) ? "ACT#" + protocol::AuditId{id.ulid}.ToText() : "";
  }
  return {};
}

// The attributes: a sequence of named MessagePack values.
struct DumpedAttributes {
  size_t count = 0;
  protocol::Writer values;
  std::set<std::string, std::less<>> names = {"pk", "sk"};

  // Keeps an attribute that exists already.
  void Add(std::string_view name, std::string_view encoded) {
    if (!names.emplace(name).second) return;
    values.Text(name);
    values.Raw(encoded);
    ++count;
  }
  // The members of a map, each as an attribute.
  void AddMembers(std::string_view map) {
    protocol::Document document;
    if (!threads::DecodeStored(map, &document) || !document.root.as_map()) return;
    for (const auto& [name, value] : *document.root.as_map()) {
      protocol::Writer w;
      w.Put(value);
      Add(name, w.bytes());
    }
  }
};

void Describe(const std::string& sort, std::string_view payload, DumpedAttributes* out) {
  switch (static_cast<ThreadTag>(sort[0])) {
    case ThreadTag::kLog: {
      threads::LogRow row;
      if (!threads::DecodeLog(payload, &row)) return;
      out->Add("event", protocol::Encode(std::string(protocol::NameOf(row.kind))));
      out->Add("at", protocol::Encode(row.at));
      return out->Add("changed", protocol::Encode(SortName(row.sort.bytes())));
    }
    case ThreadTag::kIdempotency: {
      threads::IdempotencyRow row;
      if (!threads::DecodeIdempotency(payload, &row)) return;
      out->Add("expiresAt", protocol::Encode(row.expires_at));
      return out->Add("reply", row.reply);
    }
    case ThreadTag::kHistory:
    case ThreadTag::kEffect:
    case ThreadTag::kCardAudit:
    case ThreadTag::kAccess:
    case ThreadTag::kAct:
      return out->AddMembers(payload);
    case ThreadTag::kDeletedBlock: {
      threads::DeletedBlock block;
      if (threads::DecodeDeletedBlock(payload, &block)) out->Add("count", protocol::Encode(block.count));
      return;
    }
    case ThreadTag::kDeleted:
    case ThreadTag::kReaction:
    case ThreadTag::kExternalEvent:
      return;
    default: {
      threads::ItemView item;
      if (!threads::ParseItem(payload, &item)) return;
      out->AddMembers(item.wire);
      return out->AddMembers(item.hidden);
    }
  }
}

std::string Shown(const std::string& row, bool with_text) {
  if (with_text) return protocol::MsgpackToJson(row);
  protocol::Document document;
  protocol::DecodeLimits limits;
  limits.max_bytes = size_t{64} << 20;
  if (protocol::DecodeMsgpack(row, limits, &document)) return R"({"unreadable":true})";
  HideText(&document.root);
  return JsonOf(document.root);
}

}  // namespace

int CtlDump(const storage::Table& table, const CtlArgs& args, std::FILE* out, std::FILE* err) {
  const auto thread = protocol::ThreadId::FromText(args.thread);
  const auto tenant = protocol::TenantId::FromText(args.tenant.empty() ? "demo" : args.tenant);
  if (!thread || !tenant) {
    std::fprintf(err, "parleyctl: not a valid thread or tenant id\n");
    return kCtlCouldNotRun;
  }
  size_t rows = 0;
  const auto status =
      table.Scan(threads::ThreadPartition(*tenant, *thread), storage::SortRange::All(),
                 storage::Direction::kForward, SIZE_MAX, [&](std::string_view sort, storage::RowView row) {
                   DumpedAttributes attributes;
                   Describe(std::string(sort), row.payload, &attributes);
                   protocol::Writer w;
                   w.BeginMap(2 + attributes.count);
                   w.Text("pk");
                   w.Text("THR#" + args.thread);
                   w.Text("sk");
                   w.Text(SortName(std::string(sort)));
                   w.Raw(attributes.values.bytes());
                   std::fprintf(out, "%s\n", Shown(w.bytes(), args.text).c_str());
                   ++rows;
                   return true;
                 });
  if (!status.ok()) {
    std::fprintf(err, "parleyctl: the store cannot be read: %s\n", status.detail.c_str());
    return kCtlCouldNotRun;
  }
  if (rows == 0) std::fprintf(err, "parleyctl: no such thread\n");
  return rows > 0 ? kCtlClean : kCtlCouldNotRun;
}

}  // namespace parley::ctl
