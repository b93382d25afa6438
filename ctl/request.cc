#include "ctl/request.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

#include "ctl/show.h"
#include "protocol/base/encoding.h"
#include "protocol/base/ids.h"

namespace parley::ctl {
namespace {

using protocol::Value;

constexpr int64_t kPageLimit = 200;
constexpr size_t kFileBytesMax = size_t{1} << 20;

std::string Called(const Parameter& parameter) {
  return parameter.positional ? std::string(parameter.name) : FlagOf(parameter);
}

protocol::Array Split(std::string_view text) {
  protocol::Array out;
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    if (end > 0) out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// The value's form in a query.
std::string ValueText(const Value& value) {
  return value.as_text() ? std::string(*value.as_text()) : JsonOf(value);
}

}  // namespace

bool ReadWhole(const std::string& path, std::string* out) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return false;
  out->resize(kFileBytesMax + 1);
  in.read(out->data(), static_cast<std::streamsize>(out->size()));
  out->resize(static_cast<size_t>(in.gcount()));
  return in.eof() && out->size() <= kFileBytesMax;
}

std::string Request::Read() {
  for (const Parameter& parameter : command_.parameters) {
    const auto given = args_.values.find(parameter.name);
    if (given == args_.values.end() || command_.names(parameter.name)) continue;
    if (parameter.name == command_.acts_as) {
      if (!protocol::UserId::FromText(given->second)) return given->second + " is not a user id";
      continue;
    }
    if (std::string why = Add(parameter, given->second); !why.empty()) return why;
  }
  if (command_.is_list()) members_.emplace_back("limit", Value(kPageLimit));
  return {};
}

std::string Request::Add(const Parameter& parameter, const std::string& text) {
  switch (parameter.type) {
    case Parameter::Type::kText:
      members_.emplace_back(parameter.name, Value(std::string_view(text)));
      return {};
    case Parameter::Type::kFlag:
      members_.emplace_back(parameter.name, Value(true));
      return {};
    case Parameter::Type::kList:
      members_.emplace_back(parameter.name, Value(Split(text)));
      return {};
    case Parameter::Type::kNumber:
      return AddNumber(parameter, text);
    case Parameter::Type::kJson:
      return AddJson(parameter, text);
    case Parameter::Type::kFile:
      return AddFile(parameter, text);
  }
  return {};
}

std::string Request::AddNumber(const Parameter& parameter, const std::string& text) {
  int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end) return Called(parameter) + " must be a whole number";
  members_.emplace_back(parameter.name, Value(number));
  return {};
}

std::string Request::AddJson(const Parameter& parameter, const std::string& text) {
  std::string json = text;
  if (text.starts_with('@') && !ReadWhole(text.substr(1), &json)) return text.substr(1) + " cannot be read";
  protocol::Document document;
  if (const char* why = protocol::DecodeJson(std::move(json), {}, &document))
    return Called(parameter) + " is not JSON: " + why;
  members_.emplace_back(parameter.name, document.root);
  documents_.push_back(std::move(document));
  return {};
}

// Drops the end of its last line.
std::string Request::AddFile(const Parameter& parameter, const std::string& path) {
  std::string& text = files_.emplace_back();
  if (!ReadWhole(path, &text)) return path + " cannot be read";
  if (text.ends_with('\n')) text.pop_back();
  members_.emplace_back(parameter.name, Value(std::string_view(text)));
  return {};
}

void Request::Continue(const std::string& cursor) {
  std::erase_if(members_, [](const auto& member) { return member.first == "cursor"; });
  members_.emplace_back("cursor", Value(std::string_view(cursor)));
}

void Request::SetVersion(int64_t version) {
  members_.emplace_back("version", Value(version));
}

bool Request::lacks_version() const {
  return command_.method == "PATCH" && !args_.values.contains("version");
}

std::string Request::Path(const std::string& tenant) const {
  std::string out;
  std::string_view rest = command_.path;
  for (size_t open = rest.find('{'); open != std::string_view::npos; open = rest.find('{')) {
    const size_t close = rest.find('}');
    const auto given = args_.values.find(rest.substr(open + 1, close - open - 1));
    out += rest.substr(0, open);
    protocol::AppendPercentEncoded(given == args_.values.end() ? tenant : given->second, "", &out);
    rest.remove_prefix(close + 1);
  }
  return out.append(rest);
}

std::string Request::Query(const std::string& tenant) const {
  std::string out;
  const auto add = [&out](std::string_view name, std::string_view text) {
    out.append(out.empty() ? "?" : "&").append(name).append("=");
    protocol::AppendPercentEncoded(text, "", &out);
  };
  if (!tenant.empty() && !command_.names("tenantId")) add("tenant", tenant);
  if (has_body()) return out;
  for (const auto& [name, value] : members_) add(name, ValueText(value));
  return out;
}

HttpAsk Request::AskOf(const std::string& tenant) const {
  HttpAsk ask{std::string(command_.method), Path(tenant) + Query(tenant)};
  if (has_body()) ask.body = JsonOf(Value(members_));
  if (const auto user = args_.values.find(command_.acts_as); user != args_.values.end())
    ask.headers.push_back("Parley-User: " + user->second);
  return ask;
}

}  // namespace parley::ctl
