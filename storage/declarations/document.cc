#include "storage/declarations/document.h"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "storage/declarations/load.h"

namespace parley::storage {
namespace {

constexpr std::string_view kBegin =
    "<!-- Printed by `parleyd --docs` from storage/declarations/*.json; a test compares. -->\n\n"
    "[tables.md](../tables.md) says how to read these tables.\n\n";

// A page holds no more words than that, unless a single table has more.
constexpr size_t kPageWords = 4000;

std::string Code(std::string_view text) {
  return "`" + std::string(text) + "`";
}

// Escapes a cell's text: a bar would end the cell.
std::string Cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

template <class All, class Text>
std::string Joined(const All& all, std::string_view between, const Text& text) {
  std::string out;
  for (const auto& one : all) out += (out.empty() ? "" : std::string(between)) + text(one);
  return out;
}
std::string Codes(const std::vector<std::string>& names) {
  return Joined(names, ", ", Code);
}

// Rows under a heading, and an empty line; prints nothing without rows.
class MarkdownTable {
 public:
  explicit MarkdownTable(std::vector<std::string> heading) : heading_(std::move(heading)) {}
  void Add(const std::vector<std::string>& cells) {
    rows_ += "|" + Joined(cells, "|", [](const std::string& cell) { return " " + Cell(cell) + " "; }) + "|\n";
  }
  std::string Text() const {
    if (rows_.empty()) return {};
    std::string rule;
    for (size_t i = 0; i < heading_.size(); ++i) rule += "|---";
    return "|" + Joined(heading_, "|", [](const std::string& cell) { return " " + cell + " "; }) + "|\n" +
           rule + "|\n" + rows_ + "\n";
  }

 private:
  std::vector<std::string> heading_;
  std::string rows_;
};

// --- attributes ---

std::string TextOf(const AttributeValue& value) {
  if (const std::string* text = value.text()) return text->empty() ? "empty" : Code(*text);
  if (const Number* number = value.number()) return Code(number->ToText());
  if (const bool* flag = value.As<bool>()) return *flag ? "`true`" : "`false`";
  if (value.type() == AttributeType::kNull) return "null";
  return value.type() == AttributeType::kList ? "`[]`" : "`{}`";
}

std::string_view NameOfFormat(AttributeRule::Format format) {
  switch (format) {
    case AttributeRule::Format::kAny:
      break;
    case AttributeRule::Format::kTime:
      return "time";
    case AttributeRule::Format::kDate:
      return "date";
    case AttributeRule::Format::kEmail:
      return "e-mail address";
    case AttributeRule::Format::kUrl:
      return "URL";
    case AttributeRule::Format::kUuid:
      return "UUID";
  }
  return {};
}

std::string TextOf(const AttributeIs& is) {
  return Code(is.attribute) + " is " + Joined(is.one_of, " or ", Code);
}

std::string RangeOf(const AttributeRule& rule) {
  if (rule.min && rule.max) return rule.min->ToText() + "…" + rule.max->ToText();
  if (rule.min) return "≥ " + rule.min->ToText();
  return rule.max ? "≤ " + rule.max->ToText() : "";
}

// Secrets are hidden in the services' tables only; a back end can read all of its own.
std::string RulesOf(const AttributeRule& rule, TableDef::Owner owner) {
  std::vector<std::string> all;
  if (rule.required) all.push_back("required");
  if (rule.required_when) all.push_back("required if " + TextOf(*rule.required_when));
  if (rule.fallback) all.push_back("default " + TextOf(*rule.fallback));
  if (!rule.one_of.empty()) all.push_back(Joined(rule.one_of, " ", Code));
  all.push_back(RangeOf(rule));
  if (rule.bytes_max > 0) all.push_back("≤ " + std::to_string(rule.bytes_max) + " bytes");
  all.emplace_back(NameOfFormat(rule.format));
  if (rule.lower_case) all.push_back("lower case");
  if (rule.immutable) all.push_back("set once");
  if (rule.secret && owner == TableDef::Owner::kServices) all.push_back("secret");
  all.erase(std::remove(all.begin(), all.end(), ""), all.end());
  return Joined(all, "; ", [](const std::string& one) { return one; });
}

bool IsAmong(const std::vector<AttributeRule>& rules, const std::string& name) {
  return std::any_of(rules.begin(), rules.end(), [&](const AttributeRule& one) { return one.name == name; });
}

std::string RuleOf(const DerivedAttribute& derived) {
  std::string text = "made: " + Code(derived.pattern);
  if (derived.when) text += " if " + TextOf(*derived.when);
  if (!derived.unless.empty()) text += " without " + Joined(derived.unless, " and ", Code);
  return text;
}

std::string AttributesText(const TableDef& def, const ItemKind& kind,
                           const std::vector<AttributeRule>& common) {
  MarkdownTable table({"attribute", "type", "rules", "meaning"});
  for (const AttributeRule& rule : kind.attributes) {
    if (!IsAmong(common, rule.name))
      table.Add({Code(rule.name), std::string(NameOf(rule.type)), RulesOf(rule, def.owner), rule.about});
  }
  for (const DerivedAttribute& derived : kind.derived)
    table.Add({Code(derived.name), "", RuleOf(derived), ""});
  return table.Text();
}

std::string CommonText(const std::vector<AttributeRule>& common) {
  if (common.empty()) return {};
  MarkdownTable table({"attribute", "type", "rules", "meaning"});
  for (const AttributeRule& rule : common)
    table.Add({Code(rule.name), std::string(NameOf(rule.type)), RulesOf(rule, TableDef::Owner::kPeripheral),
               rule.about});
  return "Every item of these tables has:\n\n" + table.Text();
}

// --- tables ---

std::string TextOf(const KeyAttribute& key) {
  return Code(key.name) + " " + std::string(NameOf(key.type));
}

std::string_view TextOf(TableDef::Owner owner) {
  switch (owner) {
    case TableDef::Owner::kTenant:
      return "the tenant";
    case TableDef::Owner::kPeripheral:
      return "the tenant's back end, whose programs follow the rules; the server keeps items as they are "
             "sent";
    case TableDef::Owner::kServices:
      return "Parley's services; a table key reads, without secrets";
    case TableDef::Owner::kView:
      return "no program: it is a view";
  }
  return {};
}

std::string FactsText(const TableDef& table) {
  std::string text =
      "- written by: " + std::string(TextOf(table.owner)) + "\n- keys: " + TextOf(table.keys.hash);
  if (table.keys.range) text += ", " + TextOf(*table.keys.range);
  text += "\n";
  if (!table.ttl_attribute.empty()) text += "- expires by: " + Code(table.ttl_attribute) + "\n";
  if (!table.version_attribute.empty()) text += "- version: " + Code(table.version_attribute) + "\n";
  for (const UniqueRule& rule : table.unique) {
    text += "- unique " + std::to_string(rule.number) + ": " + Codes(rule.attributes) +
            (rule.global ? ", among all tenants" : "") + "\n";
  }
  return text + "\n";
}

std::string IndexesText(const TableDef& table) {
  MarkdownTable rows({"index", "", "hash", "range"});
  for (const IndexDef& index : table.indexes) {
    rows.Add({Code(index.name), index.kind == IndexKind::kLocal ? "local" : "global", TextOf(index.keys.hash),
              index.keys.range ? TextOf(*index.keys.range) : ""});
  }
  return rows.Text();
}

std::string PatternsText(const std::vector<AccessPattern>& patterns) {
  MarkdownTable rows({"id", "purpose", "requests"});
  for (const AccessPattern& one : patterns) rows.Add({one.id, one.what, one.how});
  return rows.Text();
}

std::string NotesText(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += "- " + note + "\n";
  return text.empty() ? text : text + "\n";
}

std::string KindText(const TableDef& table, const ItemKind& kind, const std::vector<AttributeRule>& common) {
  std::string text = "**" + kind.name + "**: " + Code(table.keys.hash.name) + " = " + Code(kind.hash);
  if (table.keys.range) text += ", " + Code(table.keys.range->name) + " = " + Code(kind.range);
  if (!kind.parts.empty()) text += " (parts: " + Codes(kind.parts) + ")";
  text += kind.about.empty() ? "." : ". " + kind.about + ".";
  return text + "\n\n" + AttributesText(table, kind, common);
}

std::string TableText(const TableDef& table, const std::vector<AttributeRule>& common) {
  std::string text = "## " + Code(table.name) + "\n\n" + table.about + "\n\n" + FactsText(table);
  for (const ItemKind& kind : table.kinds) text += KindText(table, kind, common);
  return text + IndexesText(table) + PatternsText(table.patterns) + NotesText(table.notes);
}

size_t WordsIn(const std::string& text) {
  std::istringstream words(text);
  return static_cast<size_t>(
      std::distance(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()));
}

class SystemPages {
 public:
  explicit SystemPages(const SystemDef& system) : system_(system) {
    Begin();
    text_ += system.about + "\n\n" + NotesText(system.notes) + CommonText(system.common) +
             PatternsText(system.patterns);
  }
  void Add(const std::string& table) {
    if (has_table_ && WordsIn(text_) + WordsIn(table) > kPageWords) {
      End();
      Begin();
    }
    text_ += table;
    has_table_ = true;
  }
  std::vector<protocol::DocPage> Take() {
    End();
    return std::move(pages_);
  }

 private:
  std::string Number(std::string_view before) const {
    return pages_.empty() ? "" : std::string(before) + std::to_string(pages_.size() + 1);
  }
  void Begin() {
    text_ = "# Tables: " + system_.name + Number(", page ") + "\n\n" + std::string(kBegin);
    has_table_ = false;
  }
  void End() {
    text_.pop_back();  // the empty line after the last block
    std::string path = "tables/" + system_.name + Number("-") + ".md";
    pages_.push_back({std::move(path), std::move(text_)});
  }

  const SystemDef& system_;
  std::vector<protocol::DocPage> pages_;
  std::string text_;
  bool has_table_ = false;
};

}  // namespace

std::vector<protocol::DocPage> TablePages(const std::vector<SystemDef>& systems) {
  std::vector<protocol::DocPage> all;
  for (const SystemDef& system : systems) {
    SystemPages pages(system);
    for (const TableDefPtr& table : system.tables) pages.Add(TableText(*table, system.common));
    for (protocol::DocPage& page : pages.Take()) all.push_back(std::move(page));
  }
  return all;
}

std::vector<protocol::DocPage> TablePages() {
  return TablePages(SeedSystems());
}

}  // namespace parley::storage
