#include "storage/declarations/checks.h"

#include <algorithm>

#include "storage/declarations/template.h"

namespace parley::storage {
namespace {

bool Contains(const std::vector<std::string>& all, std::string_view one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

bool IsTableName(std::string_view name) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  return name.size() >= 3 && name.size() <= 255 && name.find_first_not_of(kLetters) == std::string_view::npos;
}

const AttributeRule* FindRule(const ItemKind& kind, std::string_view name) {
  for (const AttributeRule& rule : kind.attributes) {
    if (rule.name == name) return &rule;
  }
  return nullptr;
}

// Returns a name that two elements share, or an empty text.
template <class All, class NameOfOne>
std::string Repeated(const All& all, const NameOfOne& name_of) {
  std::set<std::string> seen;
  for (const auto& one : all) {
    if (!seen.insert(name_of(one)).second) return name_of(one);
  }
  return {};
}

class TableChecker {
 public:
  TableChecker(const TableDef& def, const std::string& place, Faults* faults)
      : def_(def), place_(place), faults_(faults) {}

  void Check() {
    if (!IsTableName(def_.name)) Fault("a name has 3 to 255 of a-z, A-Z, 0-9, _, - and .");
    if (def_.kinds.empty()) Fault("no item is declared");
    CheckRepeats();
    if (def_.keys.range && def_.keys.range->name == def_.keys.hash.name) Fault("both keys have one name");
    for (const IndexDef& index : def_.indexes) CheckIndex(index);
    CheckKeyTypes();
    CheckKept(def_.ttl_attribute, AttributeType::kNumber, "ttl");
    CheckKept(def_.version_attribute, AttributeType::kNumber, "version");
    CheckKept(def_.created_attribute, AttributeType::kString, "stamps");
    CheckKept(def_.updated_attribute, AttributeType::kString, "stamps");
    for (const ItemKind& kind : def_.kinds) CheckKind(kind);
    CheckKindsApart();
    for (const UniqueRule& rule : def_.unique) CheckUnique(rule);
  }

 private:
  void Fault(const std::string& what) { faults_->Add(place_, what); }
  void Twice(const std::string& what, const std::string& name) {
    if (!name.empty()) Fault(what + " " + name + " is there twice");
  }

  void CheckRepeats() {
    Twice("index", Repeated(def_.indexes, [](const IndexDef& one) { return one.name; }));
    Twice("index number",
          Repeated(def_.indexes, [](const IndexDef& one) { return std::to_string(one.number); }));
    Twice("unique rule number",
          Repeated(def_.unique, [](const UniqueRule& one) { return std::to_string(one.number); }));
    Twice("item", Repeated(def_.kinds, [](const ItemKind& one) { return one.name; }));
    const auto count = [&](IndexKind kind) {
      return static_cast<size_t>(std::count_if(def_.indexes.begin(), def_.indexes.end(),
                                               [&](const IndexDef& one) { return one.kind == kind; }));
    };
    if (count(IndexKind::kGlobal) > kGlobalIndexesMax) Fault("more than 20 global indexes");
    if (count(IndexKind::kLocal) > kLocalIndexesMax) Fault("more than 5 local indexes");
  }

  void CheckIndex(const IndexDef& index) {
    const std::string what = "index " + index.name + ": ";
    if (index.keys.range && index.keys.range->name == index.keys.hash.name)
      Fault(what + "both keys have one name");
    if (index.kind == IndexKind::kLocal) {
      if (!(index.keys.hash == def_.keys.hash)) Fault(what + "a local index has the table's hash key");
      if (!index.keys.range || !def_.keys.range) Fault(what + "a local index and its table have range keys");
    }
    const bool includes = index.projection.kind == IndexProjection::Kind::kInclude;
    if (includes == index.projection.include.empty()) Fault(what + "\"include\" and INCLUDE need each other");
    index.keys.Each([&](const KeyAttribute& key, bool) {
      CheckIndexKey(what, key);
      return true;
    });
  }

  void CheckIndexKey(const std::string& what, const KeyAttribute& key) {
    if (!IsKnown(key.name)) Fault(what + "no item has the attribute " + key.name);
    if (def_.FindKeyAttribute(key.name)->type != key.type)
      Fault(what + "the key " + key.name + " has another type elsewhere");
  }

  // Whether some kind of item has the attribute.
  bool IsKnown(const std::string& name) const {
    return def_.keys.Names(name) || std::any_of(def_.kinds.begin(), def_.kinds.end(),
                                                [&](const ItemKind& kind) { return IsKnownIn(kind, name); });
  }
  static bool IsKnownIn(const ItemKind& kind, const std::string& name) {
    return FindRule(kind, name) || std::any_of(kind.derived.begin(), kind.derived.end(),
                                               [&](const DerivedAttribute& one) { return one.name == name; });
  }

  void CheckKeyTypes() {
    for (const ItemKind& kind : def_.kinds) {
      for (const AttributeRule& rule : kind.attributes) {
        const KeyAttribute* key = def_.FindKeyAttribute(rule.name);
        if (!key) continue;
        if (key->type != rule.type) Fault(kind.name + ": " + rule.name + " has another type as a key");
        if (rule.secret) Fault(kind.name + ": " + rule.name + " is a key and cannot be secret");
      }
    }
  }

  // Checks an attribute that the engine or the rules maintain.
  void CheckKept(const std::string& name, AttributeType type, const std::string& what) {
    if (name.empty()) return;
    if (def_.keys.Names(name)) Fault(what + ": " + name + " is a key");
    bool is_there = false;
    for (const ItemKind& kind : def_.kinds) {
      const AttributeRule* rule = FindRule(kind, name);
      is_there |= rule != nullptr;
      if (rule && rule->type != type) Fault(what + ": " + name + " must be " + std::string(NameOf(type)));
    }
    if (!is_there) Fault(what + ": no item has the attribute " + name);
  }

  void CheckKind(const ItemKind& kind) {
    const std::string what = kind.name + ": ";
    Twice(what + "attribute", Repeated(kind.attributes, [](const AttributeRule& one) { return one.name; }));
    std::vector<std::string> used = TakeNames(kind, kind.hash);
    if (kind.range.empty() != !def_.keys.range) Fault(what + "\"range\" and a range key need each other");
    for (const std::string& name : TakeNames(kind, kind.range)) used.push_back(name);
    for (const std::string& part : kind.parts) {
      if (!Contains(used, part)) Fault(what + "no key has the part " + part);
      if (IsKnownIn(kind, part)) Fault(what + part + " is both a part and an attribute");
    }
    for (const AttributeRule& rule : kind.attributes) CheckRule(kind, rule);
    for (const DerivedAttribute& derived : kind.derived) CheckDerived(kind, derived);
  }

  // Returns the names in a template, and reports the unknown ones.
  std::vector<std::string> TakeNames(const ItemKind& kind, const std::string& text) {
    Template made;
    if (!Template::Parse(text, &made)) {
      Fault(kind.name + ": \"" + text + "\" is no template");
      return {};
    }
    std::vector<std::string> names = made.Names();
    for (const std::string& name : names) {
      if (!IsKnownIn(kind, name) && !Contains(kind.parts, name))
        Fault(kind.name + ": \"" + text + "\" names no attribute and no part: " + name);
    }
    return names;
  }

  void CheckDerived(const ItemKind& kind, const DerivedAttribute& derived) {
    const std::vector<std::string> names = TakeNames(kind, derived.pattern);
    if (Contains(names, derived.name)) Fault(kind.name + ": " + derived.name + " is derived from itself");
    if (derived.when) CheckCondition(kind, *derived.when);
    for (const std::string& name : derived.unless) {
      if (!FindRule(kind, name)) Fault(kind.name + ": " + derived.name + ": no attribute " + name);
    }
  }

  void CheckCondition(const ItemKind& kind, const AttributeIs& is) {
    const AttributeRule* rule = FindRule(kind, is.attribute);
    if (!rule || rule->type != AttributeType::kString) return Fault(kind.name + ": no S " + is.attribute);
    for (const std::string& value : is.one_of) {
      if (!rule->one_of.empty() && !Contains(rule->one_of, value))
        Fault(kind.name + ": " + is.attribute + " is never " + value);
    }
  }

  void CheckRule(const ItemKind& kind, const AttributeRule& rule) {
    const std::string what = kind.name + ": " + rule.name + ": ";
    const bool is_text = rule.type == AttributeType::kString;
    if (!is_text && (!rule.one_of.empty() || rule.format != AttributeRule::Format::kAny || rule.lower_case))
      Fault(what + "\"enum\", \"format\" and \"lowerCase\" are for S");
    if (rule.type != AttributeType::kNumber && (rule.min || rule.max))
      Fault(what + "\"min\" and \"max\" are for N");
    if (rule.min && rule.max && *rule.max < *rule.min) Fault(what + "\"max\" is below \"min\"");
    if (rule.bytes_max > 0 && !is_text) Fault(what + "\"bytesMax\" is for S");
    if (rule.required_when) CheckCondition(kind, *rule.required_when);
    if (rule.fallback) CheckFallback(what, rule);
    if (rule.name.find_first_of(".{}") != std::string::npos) Fault(what + "templates cannot name it");
  }

  void CheckFallback(const std::string& what, const AttributeRule& rule) {
    const bool is_null = rule.fallback->type() == AttributeType::kNull;
    if (is_null && rule.required) Fault(what + "it is required, and its \"default\" is null");
    if (!is_null && rule.fallback->type() != rule.type) Fault(what + "\"default\" is of another type");
    const std::string* text = rule.fallback->text();
    if (text && !rule.one_of.empty() && !Contains(rule.one_of, *text))
      Fault(what + "\"default\" is not in \"enum\"");
  }

  // Two kinds whose keys have the same form must differ in an enum.
  void CheckKindsApart() {
    for (size_t i = 0; i < def_.kinds.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        const ItemKind &a = def_.kinds[j], &b = def_.kinds[i];
        if (HaveOneForm(a.hash, b.hash) && HaveOneForm(a.range, b.range) && !DifferInEnum(a, b))
          Fault("items " + a.name + " and " + b.name + " cannot be distinguished");
      }
    }
  }
  static bool HaveOneForm(const std::string& a, const std::string& b) {
    Template first, second;
    return Template::Parse(a, &first) && Template::Parse(b, &second) && first.Shape() == second.Shape();
  }
  static bool DifferInEnum(const ItemKind& a, const ItemKind& b) {
    for (const AttributeRule& rule : a.attributes) {
      const AttributeRule* other = FindRule(b, rule.name);
      if (rule.one_of.empty() || !other || other->one_of.empty()) continue;
      const auto shared = [&](const std::string& value) { return Contains(other->one_of, value); };
      if (std::none_of(rule.one_of.begin(), rule.one_of.end(), shared)) return true;
    }
    return false;
  }

  void CheckUnique(const UniqueRule& rule) {
    const std::string what = "unique rule " + std::to_string(rule.number) + ": ";
    for (const std::string& name : rule.attributes) {
      if (!IsKnown(name)) Fault(what + "no item has the attribute " + name);
      if (def_.IsSecret(name)) Fault(what + name + " is secret");
    }
  }

  const TableDef& def_;
  const std::string& place_;
  Faults* faults_;
};

}  // namespace

void CheckTable(const TableDef& def, const std::string& place, Faults* faults) {
  TableChecker(def, place, faults).Check();
}

void CheckNames(const std::vector<SystemDef>& systems, const std::string& place, Faults* faults) {
  std::set<std::string> tables, patterns;
  const auto check_patterns = [&](const std::vector<AccessPattern>& all) {
    for (const AccessPattern& one : all) {
      if (!patterns.insert(one.id).second) faults->Add(place, "pattern " + one.id + " is there twice");
    }
  };
  for (const SystemDef& system : systems) {
    check_patterns(system.patterns);
    for (const TableDefPtr& table : system.tables) {
      check_patterns(table->patterns);
      if (!tables.insert(table->name).second) faults->Add(place, "table " + table->name + " is there twice");
    }
  }
}

}  // namespace parley::storage
