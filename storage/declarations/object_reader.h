// Reads the members of a JSON object and collects the faults, each with its place. Part of
// load.cc.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/value.h"

namespace parley::storage {

// "events.json: tables[1]: indexes[0]: no member "number"".
class Faults {
 public:
  void Add(const std::string& place, const std::string& what) { all_.push_back(place + ": " + what); }
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::vector<std::string> all_;
};

// Read each member once; Done() reports the members that were not read. A faulty member leaves *out
// unchanged.
class ObjectReader {
 public:
  ObjectReader(const protocol::Value& value, std::string place, Faults* faults);

  void Text(std::string_view name, std::string* out);          // required, not empty
  void OptionalText(std::string_view name, std::string* out);  // optional, but not empty
  void Flag(std::string_view name, bool* out);
  void Integer(std::string_view name, int64_t min, int64_t max, std::optional<int64_t>* out);
  void Texts(std::string_view name, std::vector<std::string>* out);
  // One of the names; required unless *out has a value already.
  template <class T>
  void Choice(std::string_view name, const std::map<std::string_view, T>& names, std::optional<T>* out);
  // Returns the member itself, or nullptr.
  const protocol::Value* Any(std::string_view name);
  // Visits the elements of an array with the place of each; a missing array has none.
  template <class Each>
  void Objects(std::string_view name, const Each& each);

  void Done();
  void Fault(const std::string& what) { faults_->Add(place_, what); }
  const std::string& place() const { return place_; }
  Faults* faults() const { return faults_; }

 private:
  const protocol::Value& value_;
  std::string place_;
  Faults* faults_;
  std::set<std::string, std::less<>> asked_;
};

template <class T>
void ObjectReader::Choice(std::string_view name, const std::map<std::string_view, T>& names,
                          std::optional<T>* out) {
  const protocol::Value* value = Any(name);
  if (!value && out->has_value()) return;
  const std::string_view* text = value ? value->as_text() : nullptr;
  const auto found = text ? names.find(*text) : names.end();
  if (found != names.end()) {
    *out = found->second;
    return;
  }
  std::string known;
  for (const auto& [one, meaning] : names) known += (known.empty() ? "" : ", ") + std::string(one);
  Fault("\"" + std::string(name) + "\" must be one of " + known);
}

template <class Each>
void ObjectReader::Objects(std::string_view name, const Each& each) {
  const protocol::Value* value = Any(name);
  if (!value) return;
  const protocol::Array* array = value->as_array();
  if (!array) return Fault("\"" + std::string(name) + "\" must be an array");
  for (size_t i = 0; i < array->size(); ++i) {
    ObjectReader reader((*array)[i], place_ + ": " + std::string(name) + "[" + std::to_string(i) + "]",
                        faults_);
    each(reader);
    reader.Done();
  }
}

}  // namespace parley::storage
