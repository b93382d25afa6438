// AttributeUpdates and AttributesToGet.
#include <algorithm>
#include <optional>
#include <set>

#include "storage/expressions/legacy_comparison.h"
#include "storage/expressions/paths.h"
#include "storage/expressions/update_plan.h"

namespace parley::storage {
namespace {

using Kind = UpdateAction::Kind;

Fault ActionFault(const LegacyUpdate& update) {
  if (Fault fault = AttributeNameFault(update.attribute); !fault.empty()) return fault;
  if (update.action != "PUT" && update.action != "ADD" && update.action != "DELETE")
    return InvalidValues("Unknown Action: " + update.action);
  if (!update.value) {
    return update.action == "DELETE"
               ? ""
               : InvalidValues("Only DELETE action is allowed when no attribute value is specified");
  }
  const AttributeType type = update.value->type();
  const std::string name(NameOf(type));
  if (update.action == "DELETE" && !IsSet(type))
    return InvalidValues("DELETE action with value is not supported for the type " + name);
  const bool can_add = IsSet(type) || type == AttributeType::kNumber || type == AttributeType::kList;
  if (update.action == "ADD" && !can_add)
    return InvalidValues("ADD action is not supported for the type " + name);
  return {};
}

UpdateAction ActionOf(const LegacyUpdate& update) {
  UpdateAction action;
  action.path.push_back({update.attribute});
  if (!update.value) {
    action.kind = Kind::kRemove;
    return action;
  }
  action.kind = update.action == "PUT" ? Kind::kSet : update.action == "ADD" ? Kind::kAdd : Kind::kSubtract;
  action.value.kind = NodeKind::kValue;
  action.value.value = std::make_shared<const AttributeValue>(*update.value);
  return action;
}

}  // namespace

Fault UpdateOf(const std::vector<LegacyUpdate>& updates, Update* out) {
  auto plan = std::make_shared<Update::Plan>();
  plan->legacy = true;
  for (const LegacyUpdate& update : updates) {
    if (Fault fault = ActionFault(update); !fault.empty()) return fault;
    plan->actions.push_back(ActionOf(update));
  }
  plan->Finish();
  *out = updates.empty() ? Update() : Update(std::move(plan));
  return {};
}

Fault ProjectionOf(const std::vector<std::string>& attributes, ProjectionPaths* out) {
  std::set<std::string_view> seen;
  std::vector<Path> paths;
  for (const std::string& attribute : attributes) {
    if (Fault fault = AttributeNameFault(attribute); !fault.empty()) return fault;
    if (!seen.insert(attribute).second)
      return InvalidValues("Duplicate value in attribute name: " + attribute);
    paths.push_back({PathStep{attribute}});
  }
  std::sort(paths.begin(), paths.end(), ComesBefore);
  out->paths = std::move(paths);
  return {};
}

}  // namespace parley::storage
