#include "threads/model/mask.h"

#include <algorithm>
#include <array>
#include <map>

#include "protocol/base/ascii.h"
#include "protocol/base/time.h"
#include "protocol/message_items.h"
#include "protocol/writer.h"
#include "threads/model/rows.h"

namespace parley::threads {
namespace {

constexpr std::string_view kEmail = "[email]", kPhone = "[phone]", kCode = "[code]";
constexpr size_t kPhoneDigits = 7, kCodeDigitsMin = 3;
constexpr size_t kNear = 40;  // distance in bytes within which a word makes digits a code
constexpr std::string_view kCodeWords[] = {"code", "door",   "gate", "pin",     "buzzer",   "entry",
                                           "lock", "keypad", "key",  "alarm",   "intercom", "access",
                                           "bell", "floor",  "unit", "passcode"};

using protocol::IsDigit;
using protocol::IsLetter;

bool IsLetterOrDigit(char c) {
  return IsDigit(c) || IsLetter(c);
}
bool IsLocal(char c) {
  return IsLetterOrDigit(c) || c == '.' || c == '_' || c == '%' || c == '+' || c == '-';
}

// Returns the end of the address whose local part ends before the '@' at text[at]; `at` if it is no address.
size_t EmailEnd(std::string_view text, size_t at) {
  size_t end = at + 1;
  while (end < text.size() && (IsLetterOrDigit(text[end]) || text[end] == '.' || text[end] == '-')) ++end;
  const std::string_view host = text.substr(at + 1, end - at - 1);
  const size_t dot = host.find('.');
  return dot == std::string_view::npos || dot == 0 || dot + 1 == host.size() ? at : end;
}

bool BetweenDigits(char c) {
  return c == ' ' || c == '-' || c == '.' || c == '(' || c == ')' || c == '/' || c == '#' || c == '*';
}

// A run of digits and the separators that people put between them.
struct DigitRun {
  size_t end = 0;
  size_t digits = 0;
  bool keypad = false;  // with # or *
};
DigitRun DigitRunFrom(std::string_view text, size_t at) {
  DigitRun run{at, 0, false};
  bool keypad = false;
  size_t between = 0;
  for (size_t i = at; i < text.size(); ++i) {
    if (IsDigit(text[i])) {
      ++run.digits;
      run.end = i + 1;
      run.keypad = run.keypad || keypad;
      between = 0;
    } else if (BetweenDigits(text[i]) && ++between <= 3) {
      keypad = keypad || text[i] == '#' || text[i] == '*';
      if (between == 1 && (text[i] == '#' || text[i] == '*')) run.keypad = true, run.end = i + 1;
    } else {
      break;
    }
  }
  return run;
}

// Marks the positions near a word that makes digits a code.
std::string WordMarks(std::string_view text) {
  std::string near(text.size() + 1, 0);
  for (size_t i = 0; i < text.size();) {
    if (!IsLetter(text[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    std::string word;
    while (end < text.size() && IsLetter(text[end]) && word.size() <= 16)
      word += protocol::LowerOf(text[end++]);
    const bool names = std::any_of(std::begin(kCodeWords), std::end(kCodeWords), [&](std::string_view one) {
      return word == one || (word.starts_with(one) && word.size() <= one.size() + 1);
    });
    if (names) {
      const size_t from = i > kNear ? i - kNear : 0, to = std::min(text.size(), end + kNear);
      std::fill(near.begin() + static_cast<ptrdiff_t>(from), near.begin() + static_cast<ptrdiff_t>(to), 1);
    }
    i = end;
  }
  return near;
}

}  // namespace

std::string Masked(std::string_view text) {
  const std::string near = WordMarks(text);
  std::string out;
  out.reserve(text.size());
  size_t word = 0;  // the position in `out` at which the last run of characters of a local part begins
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '@' && word < out.size()) {
      if (const size_t end = EmailEnd(text, i); end != i) {
        out.resize(word);
        out += kEmail;
        word = out.size();
        i = end;
        continue;
      }
    }
    const bool begins = IsDigit(text[i]) && (i == 0 || !IsLetterOrDigit(text[i - 1]));
    if (begins) {
      const DigitRun run = DigitRunFrom(text, i);
      const bool phone = run.digits >= kPhoneDigits;
      if (phone || (run.digits >= kCodeDigitsMin && (run.keypad || near[i]))) {
        if (phone && !out.empty() && out.back() == '+') out.pop_back();
        out += phone ? kPhone : kCode;
        word = out.size();
        i = run.end;
        continue;
      }
    }
    if (!IsLocal(text[i])) word = out.size() + 1;
    out += text[i++];
  }
  return out;
}

namespace {

// "doorCode" as "door Code: ".
std::string WordsOf(std::string_view name) {
  constexpr size_t kMost = 32;  // longer names would separate the words from the text too far
  std::string out;
  for (const char c : name.substr(0, kMost)) {
    if (c >= 'A' && c <= 'Z' && !out.empty()) out += ' ';
    out += IsLetter(c) ? c : ' ';
  }
  return out + ": ";
}

// Whether the value is an id or the key of a file.
bool IsReference(std::string_view name) {
  return name.ends_with("Id") || name.ends_with("Ids") || name.ends_with("Ref") || name == "s3Key" ||
         name == "receiptImage" || name == "sha256";
}

// The mask for a number with this name; empty if its value may be shown.
std::string_view HiddenNumber(std::string_view name) {
  std::string lower;
  for (const char c : name) lower += protocol::LowerOf(c);
  for (const std::string_view word : {"phone", "mobile", "whatsapp"}) {
    if (lower.find(word) != std::string::npos) return kPhone;
  }
  return lower.ends_with("code") || lower == "pin" ? kCode : std::string_view();
}

std::string MaskedUnder(std::string_view name, std::string_view text) {
  if (IsReference(name) || protocol::ParseTime(text)) return std::string(text);
  const std::string words = WordsOf(name);
  return Masked(words + std::string(text)).substr(words.size());
}

void PutMasked(const protocol::Value& value, std::string_view name, protocol::Writer* out) {
  if (const auto* text = value.as_text()) {
    out->Text(MaskedUnder(name, *text));
  } else if (const auto* map = value.as_map()) {
    std::map<std::string, std::string> members;  // merges names that are equal once they are masked
    for (const auto& [member, held] : *map) {
      protocol::Writer one;
      PutMasked(held, member, &one);
      members.emplace(Masked(member), one.Take());
    }
    out->BeginMap(members.size());
    for (const auto& [member, held] : members) {
      out->Text(member);
      out->Raw(held);
    }
  } else if (const auto* list = value.as_array()) {
    out->BeginArray(list->size());
    for (const protocol::Value& held : *list) PutMasked(held, name, out);
  } else if (value.as_int() && !HiddenNumber(name).empty()) {
    out->Text(HiddenNumber(name));
  } else {
    out->Put(value);
  }
}

template <class T>
std::string MaskedAs(std::string_view wire) {
  T item;
  return DecodeStored(wire, &item) ? Wire(Masked(std::move(item))) : std::string(wire);
}

}  // namespace

protocol::Json Masked(const protocol::Json& json) {
  protocol::Document document;
  protocol::Writer out;
  if (json.msgpack.empty() || !DecodeStored(json.msgpack, &document)) return json;
  PutMasked(document.root, {}, &out);
  return {out.Take()};
}

protocol::Thread Masked(protocol::Thread thread) {
  if (thread.subject) thread.subject = Masked(*thread.subject);
  return thread;
}

protocol::Message Masked(protocol::Message message) {
  message.body = Masked(message.body);
  if (message.action) message.action->payload = Masked(message.action->payload);
  return message;
}

protocol::Card Masked(protocol::Card card) {
  card.payload = Masked(card.payload);
  if (card.note) card.note->value = Masked(card.note->value);
  return card;
}

protocol::Tab Masked(protocol::Tab tab) {
  tab.content = Masked(tab.content);
  return tab;
}

std::string MaskedWire(protocol::ChangeKind kind, std::string_view wire) {
  switch (kind) {
    case protocol::ChangeKind::kThread:
      return MaskedAs<protocol::Thread>(wire);
    case protocol::ChangeKind::kMessage:
      return MaskedAs<protocol::Message>(wire);
    case protocol::ChangeKind::kCard:
      return MaskedAs<protocol::Card>(wire);
    case protocol::ChangeKind::kTab:
      return MaskedAs<protocol::Tab>(wire);
    case protocol::ChangeKind::kParticipant:
      break;
  }
  return std::string(wire);
}

}  // namespace parley::threads
