#include "threads/model/pins.h"

#include <algorithm>

namespace parley::threads {
namespace {

using protocol::Value;
using protocol::Writer;

constexpr std::string_view kWithheld = "withheld";

const protocol::Array& PinsOf(const Value& content) {
  static const protocol::Array none;
  const Value* pins = content.Find("pins");
  return pins && pins->as_array() ? *pins->as_array() : none;
}

int64_t BandOf(const Value& pin) {
  const Value* band = pin.Find("nsfwBand");
  return band && band->as_int() ? *band->as_int() : 0;
}

bool LeadsToPicture(std::string_view field) {
  return field == "assetRef" || field == "url";
}

bool HasPicture(const Value& pin) {
  const auto& members = *pin.as_map();
  return std::any_of(members.begin(), members.end(), [](const auto& member) {
    return LeadsToPicture(member.first) && !member.second.is_null();
  });
}

bool SaysWithheld(const Value& pin) {
  const Value* flag = pin.Find(kWithheld);
  return flag && flag->as_bool() && *flag->as_bool();
}

using FieldList = std::vector<std::pair<std::string_view, const Value*>>;

void PutMembers(const FieldList& members, bool withheld, Writer* w) {
  w->BeginMap(members.size() + (withheld ? 1 : 0));
  for (const auto& [name, value] : members) {
    w->Text(name);
    w->Put(*value);
  }
  if (!withheld) return;
  w->Text(kWithheld);
  w->Bool(true);
}

void PutShown(const Value& pin, int64_t band_max, Writer* w) {
  if (BandOf(pin) <= band_max) return w->Put(pin);
  FieldList shown;
  for (const auto& [name, value] : *pin.as_map()) {
    if (!LeadsToPicture(name)) shown.emplace_back(name, &value);
  }
  PutMembers(shown, true, w);
}

// Keeps the order of the stored pin, so that a pin which comes back as it was shown is stored unchanged.
void PutRestored(const Value& stored, const Value& given, Writer* w) {
  FieldList out;
  for (const auto& [name, value] : *stored.as_map()) {
    const bool kept = LeadsToPicture(name) || name == "nsfwBand";
    const Value* chosen = kept ? &value : given.Find(name);
    if (chosen) out.emplace_back(name, chosen);
  }
  for (const auto& [name, value] : *given.as_map()) {
    if (!stored.Find(name) && !LeadsToPicture(name) && name != kWithheld) out.emplace_back(name, &value);
  }
  PutMembers(out, false, w);
}

void PutGiven(const Value& given, Writer* w) {
  FieldList out;
  for (const auto& [name, value] : *given.as_map()) {
    if (name != kWithheld) out.emplace_back(name, &value);
  }
  PutMembers(out, false, w);
}

// Returns the content with each of its pins written by `put`.
template <class Put>
protocol::Json WithPins(const Value& content, Put put) {
  Writer w;
  const protocol::Map& members = *content.as_map();
  w.BeginMap(members.size());
  for (const auto& [name, value] : members) {
    w.Text(name);
    if (name != "pins" || !value.as_array()) {
      w.Put(value);
      continue;
    }
    w.BeginArray(value.as_array()->size());
    for (const Value& pin : *value.as_array()) put(pin, &w);
  }
  return {w.Take()};
}

const Value* PinNamed(const Value& content, const Value& like) {
  const auto& pins = PinsOf(content);
  const auto same = [&](const Value& pin) {
    return *pin.Find("id")->as_text() == *like.Find("id")->as_text();
  };
  const auto found = std::find_if(pins.begin(), pins.end(), same);
  return found == pins.end() ? nullptr : &*found;
}

}  // namespace

protocol::Tab ShownTab(protocol::Tab tab, int64_t band_max) {
  if (tab.tab != protocol::TabName::kMoodboard || band_max >= kHighestBand) return tab;
  protocol::Document content;
  if (!DecodeStored(tab.content.msgpack, &content) || !content.root.as_map()) return tab;
  const auto& pins = PinsOf(content.root);
  const auto over = [&](const Value& pin) { return BandOf(pin) > band_max; };
  if (std::any_of(pins.begin(), pins.end(), over))
    tab.content = WithPins(content.root, [&](const Value& pin, Writer* w) { PutShown(pin, band_max, w); });
  return tab;
}

std::string ShownTabWire(std::string_view wire, int64_t band_max) {
  protocol::Tab tab;
  if (band_max >= kHighestBand || !DecodeStored(wire, &tab) || tab.tab != protocol::TabName::kMoodboard)
    return std::string(wire);
  return Wire(ShownTab(std::move(tab), band_max));
}

protocol::Result<protocol::Json> WithWithheld(const Value& before, const protocol::Json& given,
                                              const Value& content, int64_t band_max) {
  const auto& pins = PinsOf(content);
  bool any = false;
  for (size_t i = 0; i < pins.size(); ++i) {
    const Value& pin = pins[i];
    const Value* stored = PinNamed(before, pin);
    if (SaysWithheld(pin) && (!stored || HasPicture(pin)))
      return protocol::Error::BadField("content.pins." + std::to_string(i) + ".withheld",
                                       "is not a pin that was withheld");
    any |= pin.Find(kWithheld) || (stored && BandOf(*stored) > band_max && !HasPicture(pin));
  }
  if (!any) return given;
  return WithPins(content, [&](const Value& pin, Writer* w) {
    const Value* stored = PinNamed(before, pin);
    const bool unseen = stored && BandOf(*stored) > band_max && !HasPicture(pin);
    if (SaysWithheld(pin) || unseen) return PutRestored(*stored, pin, w);
    PutGiven(pin, w);
  });
}

}  // namespace parley::threads
