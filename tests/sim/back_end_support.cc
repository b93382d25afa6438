#include "tests/sim/back_end_support.h"

#include "fanout/index_reads.h"
#include "gateway/ops/router.h"
#include "threads/model/row_reader.h"

namespace parley::sim {
namespace {

std::string Text(const protocol::Value& map, std::string_view field) {
  const protocol::Value* value = map.Find(field);
  return value && value->as_text() ? std::string(*value->as_text()) : "";
}

threads::Caller Service() {
  return {protocol::TenantId{protocol::KeyText::UpToNul(accounts::kDemoTenant)}, std::nullopt,
          threads::Role::kService};
}

}  // namespace

size_t BackEnd::Work(Process& process) {
  const storage::Snapshot snapshot = process.table().NewSnapshot();
  const threads::Caller caller = Service();
  const threads::ReadContext context{*snapshot, caller, process.node().cursors(),
                                     process.node().clock().Now()};
  const auto page = fanout::ListOutbox(context, {});
  if (!page.ok()) {
    complaints_->push_back("outbox.list: " + page.error().message);
    return 0;
  }
  protocol::Document document;
  if (protocol::DecodeMsgpack(*page, {}, &document)) {
    complaints_->push_back("outbox.list: cannot be read");
    return 0;
  }
  const protocol::Array& items = *document.root.Find("items")->as_array();
  for (const protocol::Value& item : items) {
    if (*item.Find("awaits")->as_bool()) {
      Resolve(process, item);
    } else {
      Acknowledge(process, item);
    }
  }
  return items.size();
}

void BackEnd::Ask(Process& process, const char* op, const protocol::Writer& args) {
  protocol::Document document;
  if (protocol::DecodeMsgpack(args.bytes(), {}, &document))
    return complaints_->push_back("args of ours are bad");
  gateway::Route(process.node().io(), op, Service(), document.root,
                 [complaints = complaints_, op](const gateway::Answer& answer) {
                   if (answer.ok() || answer.error().code == threads::ErrorCode::kUnavailable) return;
                   complaints->push_back(std::string(op) + ": " + answer.error().message);
                 });
}

void BackEnd::Acknowledge(Process& process, const protocol::Value& item) {
  protocol::Writer w;
  w.BeginMap(2);
  w.Text("threadId");
  w.Text(Text(item, "threadId"));
  w.Text("effectIds");
  w.BeginArray(1);
  w.Text(Text(item, "effectId"));
  Ask(process, "outbox.ack", w);
}

void BackEnd::Resolve(Process& process, const protocol::Value& item) {
  const std::string effect = Text(item, "effectId");
  const auto [outcome, fresh] = outcomes_.emplace(effect, "");
  if (fresh) {
    constexpr const char* kOutcomes[] = {"ok", "ok", "ok", "failed", "conflict"};
    outcome->second = kOutcomes[(*random_)() % 5];
    const std::string step = Text(item, "messageId") + " v" + std::to_string(*item.Find("version")->as_int());
    if (outcome->second == "ok" && !done_.emplace(step, effect).second)
      complaints_->push_back("one transition was carried out twice: " + step);
  }
  protocol::Writer w;
  w.BeginMap(5);
  for (const auto& [name, text] : {std::pair<const char*, std::string>{"threadId", Text(item, "threadId")},
                                   {"messageId", Text(item, "messageId")},
                                   {"effectId", effect},
                                   {"outcome", outcome->second},
                                   {"clientId", "r-" + effect.substr(effect.size() - 20)}}) {
    w.Text(name);
    w.Text(text);
  }
  Ask(process, "card.resolve", w);
}

void BackEnd::Deliver(Process& process, const std::string& thread) {
  const storage::Snapshot snapshot = process.table().NewSnapshot();
  const auto tab = threads::RowReader(*snapshot, Service().tenant)
                       .Tab(*protocol::ThreadId::FromText(thread), protocol::TabName::kFiles);
  if (!tab.ok()) return complaints_->push_back("the files cannot be read");
  protocol::Document content;
  const protocol::Array none, *before = &none;
  if (*tab) {
    if (!threads::DecodeStored((*tab)->item.content.msgpack, &content))
      return complaints_->push_back("the files cannot be read");
    before = content.root.Find("finals")->as_array();
  }
  const std::string manifest = "mf-" + std::to_string(++deliveries_);
  protocol::Writer w;
  w.BeginMap(4);
  w.Text("threadId");
  w.Text(thread);
  w.Text("tab");
  w.Text("files");
  w.Text("version");
  w.Int(*tab ? (*tab)->item.version : 0);
  w.Text("content");
  w.BeginMap(1);
  w.Text("finals");
  w.BeginArray(before->size() + 1);
  for (const protocol::Value& final : *before) w.Put(final);
  w.BeginMap(1);
  w.Text("manifestRef");
  w.Text(manifest);
  protocol::Document document;
  if (protocol::DecodeMsgpack(w.bytes(), {}, &document))
    return complaints_->push_back("args of ours are bad");
  gateway::Route(process.node().io(), "tab.put", Service(), document.root,
                 [this, thread, manifest](const gateway::Answer& answer) {
                   using threads::ErrorCode;
                   if (answer.ok()) return delivered_[thread].push_back(manifest);
                   const ErrorCode code = answer.error().code;
                   if (code != ErrorCode::kUnavailable && code != ErrorCode::kPanelVersionConflict)
                     complaints_->push_back("tab.put of finals: " + answer.error().message);
                 });
}

}  // namespace parley::sim
