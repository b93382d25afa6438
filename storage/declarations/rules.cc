#include "storage/declarations/rules.h"

#include <algorithm>

#include "protocol/base/ascii.h"
#include "storage/declarations/formats.h"
#include "storage/declarations/template.h"

namespace parley::storage {
namespace {

bool IsNull(const AttributeValue* value) {
  return !value || value->type() == AttributeType::kNull;
}
bool IsEmpty(const AttributeValue& value) {
  if (const std::string* text = value.text()) return text->empty();
  const Binary* binary = value.As<Binary>();
  return binary && binary->bytes.empty();
}

bool Holds(const AttributeIs& is, const Item& item) {
  const AttributeValue* value = item.Find(is.attribute);
  const std::string* text = value ? value->text() : nullptr;
  return text && std::find(is.one_of.begin(), is.one_of.end(), *text) != is.one_of.end();
}

// --- one attribute ---

std::string Joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all;
}

// Empty if the text satisfies the rule.
std::string FaultOfText(const AttributeRule& rule, const std::string& text) {
  if (!rule.one_of.empty() && std::find(rule.one_of.begin(), rule.one_of.end(), text) == rule.one_of.end())
    return "must be one of " + Joined(rule.one_of);
  if (rule.bytes_max > 0 && text.size() > rule.bytes_max)
    return "must have at most " + std::to_string(rule.bytes_max) + " bytes";
  if (!HasFormat(rule.format, text)) return std::string(Describe(rule.format));
  return {};
}
std::string FaultOfNumber(const AttributeRule& rule, const Number& number) {
  if (rule.min && number < *rule.min) return "must be at least " + rule.min->ToText();
  if (rule.max && number > *rule.max) return "must be at most " + rule.max->ToText();
  return {};
}
std::string FaultOf(const AttributeRule& rule, const Item& item) {
  const AttributeValue* value = item.Find(rule.name);
  if (IsNull(value)) {
    const bool is_required = rule.required || (rule.required_when && Holds(*rule.required_when, item));
    return is_required ? "is required" : "";
  }
  if (value->type() != rule.type) return "must be " + std::string(NameOf(rule.type));
  if (const std::string* text = value->text()) return FaultOfText(rule, *text);
  if (const Number* number = value->number()) return FaultOfNumber(rule, *number);
  return {};
}

// --- the item as a whole ---

class Preparation {
 public:
  Preparation(const TableDef& def, const ItemKind& kind, Item in, const Item* before, protocol::Time now)
      : def_(def), kind_(kind), item_(std::move(in)), before_(before), now_(now) {}

  Prepared Run() {
    TakeParts();
    TakeKeys();
    GiveDefaults();
    KeepVersionAndTimes();
    Fold();
    Derive();
    MakeKeys();
    for (const AttributeRule& rule : kind_.attributes) Check(rule);
    DropEmptyIndexKeys();
    return {std::move(item_), faults_.Take()};
  }

 private:
  // Moves the parts out of the item: only its keys contain them.
  void TakeParts() {
    Item known = before_ ? PartsOf(def_, kind_, *before_) : Item();
    for (const auto& [name, value] : PartsOf(def_, kind_, item_)) known.Set(name, value);
    for (const std::string& part : kind_.parts) {
      const AttributeValue* given = item_.Find(part);
      if (given) known.Set(part, *given);
      if (const AttributeValue* value = known.Find(part)) parts_.Set(part, *value);
      item_.Erase(part);
    }
  }

  void TakeKeys() {
    const auto take = [&](const KeyAttribute& key) {
      if (const AttributeValue* value = item_.Find(key.name)) given_keys_.Set(key.name, *value);
    };
    take(def_.keys.hash);
    if (def_.keys.range) take(*def_.keys.range);
  }

  void GiveDefaults() {
    for (const AttributeRule& rule : kind_.attributes) {
      if (rule.fallback && !item_.Has(rule.name)) item_.Set(rule.name, *rule.fallback);
    }
  }

  void KeepVersionAndTimes() {
    if (!def_.version_attribute.empty()) {
      const AttributeValue* last = before_ ? before_->Find(def_.version_attribute) : nullptr;
      const Number* number = last ? last->number() : nullptr;
      const int64_t version = number ? number->ToInt64().value_or(0) : 0;
      item_.Set(def_.version_attribute, AttributeValue::OfInt(version + 1));
    }
    const AttributeValue now = protocol::FormatTime(now_);
    if (const std::string& name = def_.created_attribute; !name.empty()) {
      const AttributeValue* first = before_ ? before_->Find(name) : nullptr;
      item_.Set(name, first ? *first : now);
    }
    if (const std::string& name = def_.updated_attribute; !name.empty()) {
      if (before_ || IsRequired(name)) {
        item_.Set(name, now);
      } else {
        item_.Erase(name);
      }
    }
  }
  bool IsRequired(const std::string& name) const {
    return std::any_of(kind_.attributes.begin(), kind_.attributes.end(),
                       [&](const AttributeRule& rule) { return rule.name == name && rule.required; });
  }

  void Fold() {
    for (const AttributeRule& rule : kind_.attributes) {
      AttributeValue* value = rule.lower_case ? item_.Find(rule.name) : nullptr;
      std::string* text = value ? value->As<std::string>() : nullptr;
      if (!text) continue;
      for (char& c : *text) c = protocol::LowerOf(c);
    }
  }

  // The values that fill the templates.
  Item Sources() const {
    Item sources = item_;
    for (const auto& [name, value] : parts_) sources.Set(name, value);
    return sources;
  }

  void Derive() {
    const Item sources = Sources();
    for (const DerivedAttribute& derived : kind_.derived) item_.Erase(derived.name);
    for (const DerivedAttribute& derived : kind_.derived) {
      if (item_.Has(derived.name) || !Applies(derived)) continue;
      Template::Filled filled = Template::Must(derived.pattern).Fill(sources);
      if (filled.value) {
        item_.Set(derived.name, std::move(*filled.value));
      } else if (!filled.why.empty()) {
        faults_.Add(filled.attribute, filled.why);
      }
    }
  }
  bool Applies(const DerivedAttribute& derived) const {
    if (derived.when && !Holds(*derived.when, item_)) return false;
    return std::all_of(derived.unless.begin(), derived.unless.end(),
                       [&](const std::string& name) { return IsNull(item_.Find(name)); });
  }

  void MakeKeys() {
    for (const auto& [name, value] : BuildKeys(def_, kind_, Sources(), &faults_)) {
      const AttributeValue* last = before_ ? before_->Find(name) : nullptr;
      const AttributeValue* given = given_keys_.Find(name);
      if (last && !(*last == value)) faults_.Add(name, "is a key and cannot change");
      if (given && !(*given == value)) faults_.Add(name, "differs from the value that its template gives");
      item_.Set(name, value);
    }
  }

  void Check(const AttributeRule& rule) {
    const AttributeValue* last = before_ ? before_->Find(rule.name) : nullptr;
    const AttributeValue* value = item_.Find(rule.name);
    if (rule.immutable && !IsNull(last) && !(value && *value == *last))
      faults_.Add(rule.name, "cannot change");
    if (const std::string why = FaultOf(rule, item_); !why.empty()) faults_.Add(rule.name, why);
  }

  void DropEmptyIndexKeys() {
    const auto drop = [&](const KeyAttribute& key, bool) {
      const AttributeValue* value = item_.Find(key.name);
      if (!value || def_.keys.Names(key.name)) return true;
      if (IsNull(value) || IsEmpty(*value)) {
        item_.Erase(key.name);
      } else if (value->type() != key.type) {
        faults_.Add(key.name, "must be " + std::string(NameOf(key.type)));
      }
      return true;
    };
    for (const IndexDef& index : def_.indexes) index.keys.Each(drop);
  }

  const TableDef& def_;
  const ItemKind& kind_;
  Item item_;
  const Item* const before_;
  const protocol::Time now_;
  Item parts_, given_keys_;
  AttributeFaults faults_;
};

}  // namespace

Prepared PrepareForWrite(const TableDef& def, const ItemKind& kind, Item in, const Item* before,
                         protocol::Time now) {
  return Preparation(def, kind, std::move(in), before, now).Run();
}

}  // namespace parley::storage
