#include <algorithm>

#include "storage/expressions/paths.h"
#include "storage/expressions/update_plan.h"

namespace parley::storage {
namespace {

using Kind = UpdateAction::Kind;

constexpr std::string_view kMissing =
    "The provided expression refers to an attribute that does not exist in the item";
constexpr std::string_view kWrongType = "An operand in the update expression has an incorrect data type";
constexpr std::string_view kWrongTypeLegacy = "Type mismatch for attribute to update";
constexpr std::string_view kWrongPath =
    "The document path provided in the update expression is invalid for update";
constexpr std::string_view kTooDeep =
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
    "supported "
    "limit";
constexpr std::string_view kTooLarge = "Item size to update has exceeded the maximum allowed size";

Fault FaultOf(NumberFault fault) {
  switch (fault) {
    case NumberFault::kNone:
      return {};
    case NumberFault::kTooManyDigits:
      return "Attempting to store more than 38 significant digits in a Number";
    case NumberFault::kUnderflow:
      return "Number underflow. Attempting to store a number with magnitude smaller than supported range";
    default:
      return "Number overflow. Attempting to store a number with magnitude larger than supported range";
  }
}

template <class T>
void Unite(const SetOf<T>& more, SetOf<T>* set) {
  std::vector<T> united;
  std::set_union(set->elements.begin(), set->elements.end(), more.elements.begin(), more.elements.end(),
                 std::back_inserter(united));
  set->elements = std::move(united);
}

template <class T>
void Subtract(const SetOf<T>& less, SetOf<T>* set) {
  std::vector<T> rest;
  std::set_difference(set->elements.begin(), set->elements.end(), less.elements.begin(), less.elements.end(),
                      std::back_inserter(rest));
  set->elements = std::move(rest);
}

// Calls `act` with both as sets of one type; returns false if they are no sets. REQUIRES: values of the same
// type.
template <class Act>
bool WithSets(const AttributeValue& value, AttributeValue* into, const Act& act) {
  if (const auto* texts = value.As<StringSet>()) return act(*texts, into->As<StringSet>()), true;
  if (const auto* numbers = value.As<NumberSet>()) return act(*numbers, into->As<NumberSet>()), true;
  if (const auto* binaries = value.As<BinarySet>()) return act(*binaries, into->As<BinarySet>()), true;
  return false;
}

bool IsEmptySet(AttributeValue* value) {
  bool empty = false;
  WithSets(*value, value, [&](const auto& set, auto*) { empty = set.elements.empty(); });
  return empty;
}

// A value that was copied into another may be nested deeper than before.
bool IsTooDeep(const Edit& edit) {
  return edit.value && edit.path->size() - 1 + NestingOf(*edit.value) > kNestingMax;
}

// The changes that a plan makes to one item, or the fault that prevents them.
class Evaluation {
 public:
  Evaluation(const Update::Plan& plan, const Item& item) : plan_(plan), item_(item) {}

  Fault Run();
  std::vector<Edit> TakeEdits() { return std::move(edits_); }

 private:
  Fault Evaluate(const Node& node, AttributeValue* out) const;
  Fault EvaluateSum(const Node& node, AttributeValue* out) const;
  Fault EvaluateAppend(const Node& node, AttributeValue* out) const;
  Fault Edited(const UpdateAction& action, Edit* edit);
  Fault Added(const AttributeValue& more, const AttributeValue* there, Edit* edit) const;
  Fault Subtracted(const AttributeValue& less, const AttributeValue* there, Edit* edit) const;
  Fault ParentFault(const Path& path) const;
  Fault WrongType() const { return Fault(plan_.legacy ? kWrongTypeLegacy : kWrongType); }

  const Update::Plan& plan_;
  const Item& item_;
  std::vector<Edit> edits_;
};

// Evaluates all values before any path, which is the order of DynamoDB's faults. Bounds the result here,
// before many copies of one large value are made.
Fault Evaluation::Run() {
  size_t bytes = 0;
  edits_.resize(plan_.actions.size());
  for (size_t i = 0; i < edits_.size(); ++i) {
    const UpdateAction& action = plan_.actions[i];
    edits_[i].path = &action.path;
    if (action.kind != Kind::kSet) continue;
    if (Fault fault = Evaluate(action.value, &edits_[i].value.emplace()); !fault.empty()) return fault;
    bytes += ValueSize(*edits_[i].value);
    if (bytes > kItemBytesMax) return Fault(kTooLarge);
  }
  for (size_t i = 0; i < edits_.size(); ++i) {
    if (Fault fault = Edited(plan_.actions[i], &edits_[i]); !fault.empty()) return fault;
    if (IsTooDeep(edits_[i])) return Fault(kTooDeep);
  }
  return {};
}

Fault Evaluation::Evaluate(const Node& node, AttributeValue* out) const {
  switch (node.kind) {
    case NodeKind::kPlus:
    case NodeKind::kMinus:
      return EvaluateSum(node, out);
    case NodeKind::kListAppend:
      return EvaluateAppend(node, out);
    case NodeKind::kIfNotExists:
      if (const AttributeValue* there = Resolve(item_, node.arguments[0].path)) {
        *out = *there;
        return {};
      }
      return Evaluate(node.arguments[1], out);
    default: {
      Effort unbounded;  // the limit of an item's size bounds the copies of an update
      const AttributeValue* value = ValueOf(node, item_, nullptr, &unbounded);
      if (value == nullptr) return Fault(kMissing);
      *out = *value;
      return {};
    }
  }
}

Fault Evaluation::EvaluateSum(const Node& node, AttributeValue* out) const {
  AttributeValue left, right;
  if (Fault fault = Evaluate(node.arguments[0], &left); !fault.empty()) return fault;
  if (left.number() == nullptr) return Fault(kWrongType);
  if (Fault fault = Evaluate(node.arguments[1], &right); !fault.empty()) return fault;
  if (right.number() == nullptr) return Fault(kWrongType);
  Number result;
  const auto apply = node.kind == NodeKind::kPlus ? Number::Add : Number::Subtract;
  const NumberFault fault = apply(*left.number(), *right.number(), &result);
  *out = result;
  return FaultOf(fault);
}

Fault Evaluation::EvaluateAppend(const Node& node, AttributeValue* out) const {
  AttributeValue tail;
  if (Fault fault = Evaluate(node.arguments[0], out); !fault.empty()) return fault;
  if (out->As<List>() == nullptr) return Fault(kWrongType);
  if (Fault fault = Evaluate(node.arguments[1], &tail); !fault.empty()) return fault;
  if (tail.As<List>() == nullptr) return Fault(kWrongType);
  List& more = *tail.As<List>();
  std::move(more.begin(), more.end(), std::back_inserter(*out->As<List>()));
  return {};
}

Fault Evaluation::ParentFault(const Path& path) const {
  if (path.size() == 1) return {};
  const AttributeValue* parent = ResolveSteps(item_, Steps(path).first(path.size() - 1));
  const AttributeType needed = path.back().is_position() ? AttributeType::kList : AttributeType::kMap;
  return parent != nullptr && parent->type() == needed ? Fault() : Fault(kWrongPath);
}

Fault Evaluation::Edited(const UpdateAction& action, Edit* edit) {
  if (Fault fault = ParentFault(action.path); !fault.empty()) return fault;
  if (action.kind == Kind::kSet || action.kind == Kind::kRemove) return {};
  const AttributeValue* there = Resolve(item_, action.path);
  const AttributeValue& value = *action.value.value;
  if (there != nullptr && there->type() != value.type()) return WrongType();
  return action.kind == Kind::kAdd ? Added(value, there, edit) : Subtracted(value, there, edit);
}

Fault Evaluation::Added(const AttributeValue& more, const AttributeValue* there, Edit* edit) const {
  edit->value = there == nullptr ? more : *there;
  if (there == nullptr) return {};
  if (WithSets(more, &*edit->value, [](const auto& from, auto* into) { Unite(from, into); })) return {};
  if (List* list = edit->value->As<List>()) {
    list->insert(list->end(), more.As<List>()->begin(), more.As<List>()->end());
    return {};
  }
  if (more.number() == nullptr) return WrongType();
  return FaultOf(Number::Add(*there->number(), *more.number(), edit->value->As<Number>()));
}

Fault Evaluation::Subtracted(const AttributeValue& less, const AttributeValue* there, Edit* edit) const {
  if (there == nullptr) return {};  // removing a missing one changes nothing
  edit->value = *there;
  if (!WithSets(less, &*edit->value, [](const auto& from, auto* into) { Subtract(from, into); }))
    return WrongType();
  if (IsEmptySet(&*edit->value)) edit->value.reset();
  return {};
}

}  // namespace

void Update::Plan::Finish() {
  for (const UpdateAction& action : actions) touched.push_back(action.path);
  std::sort(touched.begin(), touched.end(), ComesBefore);
}

Update::Update() = default;
Update::Update(std::shared_ptr<const Plan> plan) : plan_(std::move(plan)) {}

bool Update::RemovesOnly() const {
  const auto removes = [](const UpdateAction& action) {
    return action.kind == Kind::kRemove || action.kind == Kind::kSubtract;
  };
  return plan_ && !plan_->actions.empty() && std::ranges::all_of(plan_->actions, removes);
}

Fault Update::Apply(Item* item) const {
  if (!plan_) return {};
  Evaluation evaluation(*plan_, *item);
  if (Fault fault = evaluation.Run(); !fault.empty()) return fault;
  ApplyEdits(evaluation.TakeEdits(), item);
  return {};
}

Item Update::Touched(const Item& item) const {
  return plan_ ? PartsOf(item, plan_->touched) : Item();
}

std::vector<std::string> Update::TopNames() const {
  return plan_ ? FirstNames(plan_->touched) : std::vector<std::string>();
}

std::vector<std::string> Update::EnteredNames() const {
  if (!plan_) return {};
  std::vector<Path> paths = plan_->touched;
  for (const UpdateAction& action : plan_->actions) {
    if (action.kind != Kind::kRemove)
      ForEachPath(action.value, [&](const Path& path) { paths.push_back(path); });
  }
  return storage::EnteredNames(paths);
}

}  // namespace parley::storage
