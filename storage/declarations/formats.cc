#include "storage/declarations/formats.h"

#include <algorithm>

#include "protocol/base/time.h"

namespace parley::storage {
namespace {

constexpr size_t kEmailBytesMax = 254;
constexpr size_t kEmailLocalBytesMax = 64;
constexpr size_t kUrlBytesMax = 2048;

bool IsHexDigit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool IsAlphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
// Neither a space nor a control character.
bool IsVisible(char c) {
  return static_cast<unsigned char>(c) > ' ' && c != 0x7f;
}

bool IsDate(std::string_view text) {
  return protocol::ParseTime(std::string(text) + "T00:00:00.000Z").has_value();
}

// Labels of letters, digits and hyphens with dots between them; at least one dot.
bool IsDomain(std::string_view text) {
  const auto is_inner = [](char c) {
    return IsAlphanumeric(c) || c == '-' || static_cast<signed char>(c) < 0;
  };
  size_t labels = 0;
  while (true) {
    const size_t dot = text.find('.');
    const std::string_view label = text.substr(0, dot);
    if (label.empty() || label.front() == '-' || label.back() == '-') return false;
    if (!std::all_of(label.begin(), label.end(), is_inner)) return false;
    ++labels;
    if (dot == std::string_view::npos) return labels > 1;
    text.remove_prefix(dot + 1);
  }
}

// An address in usual form, without quoted local parts and address literals.
bool IsEmail(std::string_view text) {
  const size_t at = text.find('@');
  if (text.size() > kEmailBytesMax || at == std::string_view::npos || at == 0) return false;
  const std::string_view local = text.substr(0, at);
  constexpr std::string_view kReserved = "\"(),:;<>[\\]";
  return local.size() <= kEmailLocalBytesMax && std::all_of(local.begin(), local.end(), IsVisible) &&
         local.find_first_of(kReserved) == std::string_view::npos && IsDomain(text.substr(at + 1));
}

bool IsUrl(std::string_view text) {
  if (text.size() > kUrlBytesMax || !std::all_of(text.begin(), text.end(), IsVisible)) return false;
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (!text.starts_with(scheme)) continue;
    const std::string_view host =
        text.substr(scheme.size(), text.find_first_of("/?#", scheme.size()) - scheme.size());
    return !host.empty() && host.front() != ':' && host.back() != '@';
  }
  return false;
}

bool IsUuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_hyphen = i == 8 || i == 13 || i == 18 || i == 23;
    if (is_hyphen ? text[i] != '-' : !IsHexDigit(text[i])) return false;
  }
  return true;
}

}  // namespace

bool HasFormat(AttributeRule::Format format, std::string_view text) {
  switch (format) {
    case AttributeRule::Format::kAny:
      return true;
    case AttributeRule::Format::kTime:
      return protocol::ParseTime(text).has_value();
    case AttributeRule::Format::kDate:
      return IsDate(text);
    case AttributeRule::Format::kEmail:
      return IsEmail(text);
    case AttributeRule::Format::kUrl:
      return IsUrl(text);
    case AttributeRule::Format::kUuid:
      return IsUuid(text);
  }
  return false;
}

std::string_view Describe(AttributeRule::Format format) {
  switch (format) {
    case AttributeRule::Format::kAny:
      return "may be anything";
    case AttributeRule::Format::kTime:
      return "must be a time like 2026-01-31T17:05:09.123Z";
    case AttributeRule::Format::kDate:
      return "must be a date like 2026-01-31";
    case AttributeRule::Format::kEmail:
      return "must be an e-mail address";
    case AttributeRule::Format::kUrl:
      return "must be an http or https URL";
    case AttributeRule::Format::kUuid:
      return "must be a UUID";
  }
  return {};
}

}  // namespace parley::storage
