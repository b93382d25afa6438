// Maps that a record stores as JSON text and requests bring as values: reads, bounds and merges them. Pure
// functions, any thread.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "accounts/jwt.h"
#include "protocol/base/result.h"
#include "protocol/value.h"

namespace parley::accounts {

// Applies `patch` to `target` (RFC 7396): null removes, a map merges member by member, anything else
// replaces. Returns one encoded value. Recursion is as deep as the values, which are bounded when they are
// read.
std::string MergePatch(const protocol::Value& target, const protocol::Value& patch);

// One MessagePack value, from JSON text or MessagePack that we wrote. An empty text is an empty map.
protocol::Result<protocol::Document> ReadStored(std::string_view json);
protocol::Result<protocol::Document> ReadEncoded(std::string_view msgpack);
int DepthOf(const protocol::Value& value);  // containers within each other; 0: none

std::string EncodeTexts(const std::map<std::string, std::string>& texts);
std::string EncodeAttributes(const std::map<std::string, AttrValue>& attributes);
// Returns false if it is not a map, or has a value of another type.
bool ReadTexts(const protocol::Value& value, std::map<std::string, std::string>* out);
bool ReadAttributes(const protocol::Value& value, std::map<std::string, AttrValue>* out);

}  // namespace parley::accounts
