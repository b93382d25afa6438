// Query and Scan.
#include "gateway/dynamodb/attribute_json.h"
#include "gateway/dynamodb/operations.h"
#include "gateway/dynamodb/parameters.h"
#include "gateway/dynamodb/table_reads.h"

namespace parley::gateway {
namespace {

constexpr int64_t kSegmentsMax = 1'000'000;

struct PageAsk {
  std::string table, index_name;
  storage::PageRequest request;
  storage::KeyExpression key;
  std::optional<storage::ProjectionPaths> projection;
  std::string select;
  bool consistent = false;
  CapacityDetail capacity = CapacityDetail::kNone;
  storage::TableDefPtr def;
};

// Query words this error differently from Scan.
int64_t ReadLimit(RequestBody& body) {
  const auto limit = body.Int("Limit");
  if (!limit || !body.Has("KeyConditionExpression")) return body.IntWithin("Limit", 1, INT32_MAX).value_or(0);
  if (*limit < 1)
    body.FailLate(
        ValidationError("1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member "
                        "must have value greater than or equal to 1"));
  return *limit;
}

void ReadCommon(RequestBody& body, PageAsk* ask) {
  ask->table = body.TableName(RequestBody::NamedFor::kItem);
  ask->index_name = body.Text("IndexName").value_or("");
  ask->request.limit = static_cast<size_t>(ReadLimit(body));
  ask->select = body.OneOf(
      "Select", {"SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"}, "");
  ask->consistent = body.Bool("ConsistentRead").value_or(false);
  ask->capacity = ReadCapacityDetail(body);
  ask->request.start = body.Item("ExclusiveStartKey");
}

void CheckSelect(RequestBody& body, const PageAsk& ask) {
  const bool projects = ask.projection.has_value();
  const std::string_view by = body.Has("AttributesToGet") ? "AttributesToGet" : "ProjectionExpression";
  if (projects && !ask.select.empty() && ask.select != "SPECIFIC_ATTRIBUTES") {
    body.FailLate(ValidationError(
        ask.select == "COUNT"
            ? "Cannot specify the " + std::string(by) + " when choosing to get only the Count"
            : "Cannot specify the " + std::string(by) + " when choosing to get " + ask.select));
  }
  if (!projects && ask.select == "SPECIFIC_ATTRIBUTES")
    body.FailLate(ValidationError(
        "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"));
  if (ask.select == "ALL_PROJECTED_ATTRIBUTES" && ask.index_name.empty())
    body.FailLate(
        ValidationError("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"));
}

// Returns true if an index that projects only some attributes includes this one.
bool Holds(const storage::TableDef& def, const storage::IndexDef& index, const std::string& name) {
  const auto& include = index.projection.include;
  return def.keys.Names(name) || index.keys.Names(name) ||
         std::find(include.begin(), include.end(), name) != include.end();
}

std::optional<DynamoError> FindIndex(PageAsk* ask) {
  const storage::TableDef& def = *ask->def;
  if (ask->index_name.empty()) return std::nullopt;
  const storage::IndexDef* index = def.FindIndex(ask->index_name);
  if (!index || index->status == storage::IndexStatus::kDeleting)
    return ValidationError("The table does not have the specified index: " + ask->index_name);
  if (index->status == storage::IndexStatus::kCreating)
    return ValidationError("Cannot read from backfilling global secondary index: " + ask->index_name);
  const bool global = index->kind == storage::IndexKind::kGlobal;
  if (ask->consistent && global)
    return ValidationError("Consistent reads are not supported on global secondary indexes");
  if (ask->select == "ALL_ATTRIBUTES" && global &&
      index->projection.kind != storage::IndexProjection::Kind::kAll)
    return ValidationError(
        "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global "
        "secondary index " +
        ask->index_name + " because its projection type is not ALL");
  ask->request.index = index;
  if (!global || !ask->projection || index->projection.kind == storage::IndexProjection::Kind::kAll)
    return std::nullopt;
  std::string lacking;
  for (const storage::Path& path : ask->projection->paths) {
    if (!Holds(def, *index, path.front().name)) lacking += (lacking.empty() ? "" : ", ") + path.front().name;
  }
  if (lacking.empty()) return std::nullopt;
  return ValidationError("One or more parameter values were invalid: Global secondary index " +
                         ask->index_name + " does not project [" + lacking + "]");
}

// A local index reads whole items if the request needs attributes that it does not project.
bool ReadsWholeItems(const PageAsk& ask) {
  const storage::IndexDef* index = ask.request.index;
  if (!index || index->kind == storage::IndexKind::kGlobal) return false;
  if (ask.select == "ALL_ATTRIBUTES") return true;
  if (!ask.projection) return false;
  for (const storage::Path& path : ask.projection->paths) {
    if (!Holds(*ask.def, *index, path.front().name)) return true;
  }
  return false;
}

std::optional<DynamoError> PageAnswer(const PageAsk& ask, const storage::ItemPage& page,
                                      CountedAnswer& answer) {
  std::string& out = answer.text();
  out = "{";
  if (!ask.request.count_only) {
    out += "\"Items\":[";
    for (size_t i = 0; i < page.items.size(); ++i) {
      if (i > 0) out += ',';
      AppendItem(ask.projection ? ask.projection->Of(page.items[i]) : page.items[i], &out);
      if (!answer.Count()) return NoRoomForAnswer();
    }
    out += "],";
  }
  out += "\"Count\":" + std::to_string(page.count) + ",\"ScannedCount\":" + std::to_string(page.scanned);
  if (page.last) out += ",\"LastEvaluatedKey\":" + ItemJson(*page.last);
  if (ask.capacity != CapacityDetail::kNone)
    out += ",\"ConsumedCapacity\":" +
           CapacityJson(ask.table, ReadCapacity(page.bytes, ask.consistent, ask.request.index), ask.capacity);
  out += '}';
  return std::nullopt;
}

void Run(const DynamoCall& call, const std::shared_ptr<PageAsk>& ask) {
  ask->request.count_only = ask->select == "COUNT";
  ask->request.whole_items = ReadsWholeItems(*ask);
  ask->request.hide_secrets = HidesSecrets(*ask->def);
  if (const auto& projection = ask->projection) ask->request.steps_each = projection->Steps();
  ReadIndexed(call, *ask->def, ask->request.index,
              [ask](const storage::ItemReads& reads, CountedAnswer& out) -> std::optional<DynamoError> {
                storage::ItemPage page;
                if (auto fault = FetchPage(reads, *ask->def, ask->request, &page))
                  return FromFault(std::move(*fault));
                return PageAnswer(*ask, page, out);
              });
}

}  // namespace

void Query(DynamoCall call) {
  RequestBody body(call.body->root);
  const auto ask = std::make_shared<PageAsk>();
  ReadCommon(body, ask.get());
  ask->request.forward = body.Bool("ScanIndexForward").value_or(true);
  Expressions expressions(body, {"ProjectionExpression", "FilterExpression", "KeyConditionExpression"},
                          {"AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"});
  ask->projection = expressions.Projection();
  ask->request.filter = body.Has("QueryFilter") ? expressions.LegacyConditionOf("QueryFilter", false)
                                                : expressions.ConditionOf("FilterExpression");
  ask->key = expressions.KeyCondition();
  expressions.CheckUnused();
  CheckSelect(body, *ask);
  if (auto fault = body.Check()) return call.respond(std::move(*fault));
  if (storage::Fault fault = ask->key.Compile(); !fault.empty()) return call.respond(ValidationError(fault));
  auto def = FindTable(call, ask->table, /*write=*/false);
  if (!def.ok()) return call.respond(std::move(def.error()));
  ask->def = *def;
  if (auto fault = FindIndex(ask.get())) return call.respond(std::move(*fault));
  const storage::KeySchema& keys = ask->request.index ? ask->request.index->keys : ask->def->keys;
  if (storage::Fault fault = ask->key.Bind(keys, &ask->request.key.emplace()); !fault.empty())
    return call.respond(ValidationError(fault));
  for (const std::string& name : ask->request.filter.TopNames()) {
    if (keys.Names(name))
      return call.respond(
          ValidationError(std::string(body.Has("QueryFilter") ? "QueryFilter" : "Filter Expression") +
                          " can only contain non-primary key attributes: Primary key attribute: " + name));
  }
  Run(call, ask);
}

void Scan(DynamoCall call) {
  RequestBody body(call.body->root);
  const auto ask = std::make_shared<PageAsk>();
  ReadCommon(body, ask.get());
  const auto segments = body.IntWithin("TotalSegments", 1, kSegmentsMax);
  const auto segment = body.IntWithin("Segment", 0, kSegmentsMax - 1);
  Expressions expressions(body, {"ProjectionExpression", "FilterExpression"},
                          {"AttributesToGet", "ScanFilter", "ConditionalOperator"});
  ask->projection = expressions.Projection();
  ask->request.filter = body.Has("ScanFilter") ? expressions.LegacyConditionOf("ScanFilter", false)
                                               : expressions.ConditionOf("FilterExpression");
  expressions.CheckUnused();
  CheckSelect(body, *ask);
  if (segments.has_value() != segment.has_value()) {
    body.FailLate(ValidationError(segment ? "The TotalSegments parameter is required but was not present in "
                                            "the request when Segment parameter is present"
                                          : "The Segment parameter is required but was not present in the "
                                            "request when parameter TotalSegments is present"));
  } else if (segment && *segment >= *segments) {
    body.FailLate(ValidationError(
        "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: " +
        std::to_string(*segment) + " is not less than TotalSegments: " + std::to_string(*segments)));
  }
  if (auto fault = body.Check()) return call.respond(std::move(*fault));
  ask->request.segment = static_cast<uint32_t>(segment.value_or(0));
  ask->request.segments = static_cast<uint32_t>(segments.value_or(1));
  auto def = FindTable(call, ask->table, /*write=*/false);
  if (!def.ok()) return call.respond(std::move(def.error()));
  ask->def = *def;
  if (auto fault = FindIndex(ask.get())) return call.respond(std::move(*fault));
  Run(call, ask);
}

}  // namespace parley::gateway
