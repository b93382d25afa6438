#include <algorithm>

#include "storage/expressions/paths.h"
#include "storage/expressions/update_plan.h"

namespace parley::storage {
namespace {

Steps ParentSteps(const Edit& edit) {
  return Steps(*edit.path).first(edit.path->size() - 1);
}

// The map or list that contains an edit's target.
struct Parent {
  Item* map = nullptr;
  List* list = nullptr;
};

Parent ParentOf(const Edit& edit, Item* item) {
  if (edit.path->size() == 1) return {item, nullptr};
  // The caller owns the item and may change it.
  auto* parent = const_cast<AttributeValue*>(ResolveSteps(*item, ParentSteps(edit)));
  return {parent->As<Item>(), parent->As<List>()};
}

// Applies an edit that moves no element; returns false if the value must be appended to its list.
bool Write(Edit* edit, Item* item) {
  const Parent parent = ParentOf(*edit, item);
  const PathStep& last = edit->path->back();
  if (parent.map != nullptr) {
    parent.map->Set(last.name, std::move(*edit->value));
    return true;
  }
  if (last.position >= parent.list->size()) return false;
  (*parent.list)[last.position] = std::move(*edit->value);
  return true;
}

bool HaveOneParent(const Edit& a, const Edit& b) {
  return std::ranges::equal(ParentSteps(a), ParentSteps(b));
}

// Removes elements of one list in one pass. `first` to `last` are in order of position.
void RemoveElements(const Edit* first, const Edit* last, List* list) {
  size_t kept = 0;
  for (size_t i = 0; i < list->size(); ++i) {
    if (first != last && first->path->back().position == i) {
      ++first;
    } else if (kept++ != i) {
      (*list)[kept - 1] = std::move((*list)[i]);
    }
  }
  list->resize(kept);
}

// The deepest first: a removal moves only later elements of the same level.
bool IsRemovedBefore(const Edit& a, const Edit& b) {
  if (a.path->size() != b.path->size()) return a.path->size() > b.path->size();
  return ComesBefore(*a.path, *b.path);
}

void Remove(std::vector<Edit> removals, Item* item) {
  std::sort(removals.begin(), removals.end(), IsRemovedBefore);
  for (const Edit* first = removals.data(); first != removals.data() + removals.size();) {
    const Edit* last = first + 1;
    while (last != removals.data() + removals.size() && HaveOneParent(*first, *last)) ++last;
    const Parent parent = ParentOf(*first, item);
    if (parent.list != nullptr) {
      RemoveElements(first, last, parent.list);
    } else {
      for (const Edit* edit = first; edit != last; ++edit) parent.map->Erase(edit->path->back().name);
    }
    first = last;
  }
}

}  // namespace

void ApplyEdits(std::vector<Edit> edits, Item* item) {
  std::vector<Edit> appended, removals;
  for (Edit& edit : edits) {
    if (!edit.value) {
      removals.push_back(std::move(edit));
    } else if (!Write(&edit, item)) {
      appended.push_back(std::move(edit));
    }
  }
  std::sort(appended.begin(), appended.end(),
            [](const Edit& a, const Edit& b) { return ComesBefore(*a.path, *b.path); });
  for (Edit& edit : appended) ParentOf(edit, item).list->push_back(std::move(*edit.value));
  Remove(std::move(removals), item);
}

}  // namespace parley::storage
