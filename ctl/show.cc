#include "ctl/show.h"

#include <algorithm>

#include "protocol/writer.h"

namespace parley::ctl {
namespace {

using protocol::Value;

constexpr size_t kGap = 2;

bool IsContinuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// C0, DEL, and C1, which UTF-8 writes as C2 80 to C2 9F.
std::string WithoutControls(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool is_c1 = byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    out += byte < 0x20 || byte == 0x7F || is_c1 ? '?' : text[i];
    if (is_c1) ++i;
  }
  return out;
}

// In characters, which is right for most scripts.
size_t WidthOf(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !IsContinuation(c); }));
}

void PrintRow(const std::vector<std::string>& row, const std::vector<size_t>& widths, std::FILE* out) {
  std::string line;
  for (size_t i = 0; i < row.size(); ++i) {
    line += row[i];
    if (i + 1 < row.size()) line.append(widths[i] + kGap - WidthOf(row[i]), ' ');
  }
  std::fprintf(out, "%s\n", line.c_str());
}

std::string Joined(const protocol::Array& items) {
  std::string out;
  for (const Value& item : items) out += (out.empty() ? "" : ",") + CellOf(&item);
  return out.empty() ? "-" : out;
}

}  // namespace

std::string JsonOf(const Value& value) {
  protocol::Writer w;
  w.Put(value);
  return protocol::MsgpackToJson(w.bytes());
}

std::string CellOf(const Value* value) {
  if (!value || value->is_null()) return "-";
  if (const auto* text = value->as_text()) return text->empty() ? "-" : WithoutControls(*text);
  if (const auto* flag = value->as_bool()) return *flag ? "yes" : "no";
  if (const auto* items = value->as_array()) return Joined(*items);
  return WithoutControls(JsonOf(*value));
}

void Listing::Add(const Value& row) {
  if (json_) {
    std::fprintf(out_, "%s\n", JsonOf(row).c_str());
    return;
  }
  std::vector<std::string> cells;
  for (const std::string_view column : columns_) cells.push_back(CellOf(row.Find(column)));
  rows_.push_back(std::move(cells));
}

void Listing::Finish() {
  if (json_) return;
  rows_.insert(rows_.begin(), std::vector<std::string>(columns_.begin(), columns_.end()));
  std::vector<size_t> widths(columns_.size());
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], WidthOf(row[i]));
  }
  for (const auto& row : rows_) PrintRow(row, widths, out_);
}

void ShowOne(const Value& value, bool json, std::FILE* out) {
  if (json || !value.as_map()) {
    std::fprintf(out, "%s\n", JsonOf(value).c_str());
    return;
  }
  size_t width = 0;
  for (const auto& [name, member] : *value.as_map()) width = std::max(width, WidthOf(name));
  for (const auto& [name, member] : *value.as_map())
    PrintRow({WithoutControls(name), CellOf(&member)}, {width}, out);
}

}  // namespace parley::ctl
