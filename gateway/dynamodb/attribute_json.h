// Reads and writes attribute values in the JSON of the DynamoDB API: {"S": "text"}, {"N": "1.5"}, {"B":
// "base64"}, …. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "gateway/dynamodb/errors.h"
#include "protocol/value.h"
#include "storage/items/attribute.h"

namespace parley::gateway {

// The limits of the body bound the number of values; nesting beyond kNestingMax is a ValidationException.
DynamoResult<storage::AttributeValue> ReadAttribute(const protocol::Value& json);
DynamoResult<storage::Item> ReadItemJson(const protocol::Value& json);

void AppendAttribute(const storage::AttributeValue& value, std::string* out);
void AppendItem(const storage::Item& item, std::string* out);
std::string ItemJson(const storage::Item& item);

// Write a JSON string with its quotes.

}  // namespace parley::gateway
