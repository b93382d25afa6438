#include "accounts/limits/limit_settings.h"

#include <algorithm>
#include <iterator>

#include "protocol/bind.h"

namespace parley::accounts {

using protocol::Error;
using protocol::Value;

namespace {

constexpr std::string_view kEnabled = "enabled";

constexpr LimitSpec kSpecs[] = {
    {"requestsPerSecond", &Limits::requests_per_second,
     "requests of a user, and of each of their API keys; as many at once"},
    {"keyRequestsPerSecond", &Limits::key_requests_per_second, "the same of each tenant key"},
    {"requestsPer5Minutes", &Limits::requests_per_5_minutes,
     "requests of a user, and of each of their API keys, in five minutes; as many at once"},
    {"sendsPerPairPerMinute", &Limits::sends_per_pair_per_minute,
     "messages of a user to one other, in threads that have two members"},
    {"sendsPerPairBurst", &Limits::sends_per_pair_burst, "how many of them may come at once"},
    {"sendsPerUserPerMinute", &Limits::sends_per_user_per_minute,
     "messages of a user in all threads; as many at once"},
    {"sendsPerUserPerDay", &Limits::sends_per_user_per_day, "the same in 24 hours"},
    {"startsPerHour", &Limits::starts_per_hour,
     "threads that a user creates and strangers that they add, in an hour"},
    {"startsPerDay", &Limits::starts_per_day, "the same in 24 hours"},
    {"newUserStartsPerHour", &Limits::new_user_starts_per_hour, "the same in an hour, of a new user"},
    {"newUserStartsPerDay", &Limits::new_user_starts_per_day, "the same in 24 hours, of a new user"},
    {"messagesPerDay", &Limits::messages_per_day, "messages of all of the tenant's bots in 24 hours"},
};

// What is wrong with one member; nullptr: nothing.
const char* ReadMember(std::string_view name, const Value& value, Limits* out) {
  if (value.is_null()) return nullptr;
  if (name == kEnabled) return protocol::Read(value, &out->enabled);
  const auto spec = std::find_if(std::begin(kSpecs), std::end(kSpecs),
                                 [&](const LimitSpec& one) { return one.name == name; });
  if (spec == std::end(kSpecs)) return "is not known";
  return protocol::ReadBounded(value, 0, kLimitMax, &(out->*spec->member));
}

}  // namespace

std::span<const LimitSpec> LimitSpecs() {
  return kSpecs;
}

protocol::Status ReadLimits(const Value& map, Limits* out) {
  const protocol::Map* members = map.as_map();
  if (!members) return Error::BadField("limits", "must be a map");
  Limits limits = *out;
  Error error = Error::BadRequest("limits: a member is unknown or has a bad value");
  for (const auto& [name, value] : *members) {
    const char* wrong = ReadMember(name, value, &limits);
    if (wrong) error.fields.emplace_back(name, wrong);
  }
  if (!error.fields.empty()) return error;
  *out = limits;
  return protocol::Ok();
}

void WriteLimits(protocol::Writer& writer, const Limits& limits) {
  writer.BeginMap(1 + std::size(kSpecs));
  writer.Text(kEnabled);
  writer.Bool(limits.enabled);
  for (const LimitSpec& spec : kSpecs) {
    writer.Text(spec.name);
    writer.Int(limits.*spec.member);
  }
}

}  // namespace parley::accounts
