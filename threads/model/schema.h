// The schema language, which describes a client's map as data, and the only check of maps against it.
// Payloads of cards (card_schemas.h) and tabs of the panel (panel/tab_schemas.h) use it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/value.h"

namespace parley::threads {

struct Schema;

struct SchemaField {
  enum class Kind : uint8_t {
    kText,   // low … high bytes
    kInt,    // low … high
    kCents,  // money: low … high, never below 0
    kBool,
    kTime,
    kWord,     // one of `words`
    kMap,      // described by `of`
    kList,     // low … high maps, described by `of`
    kTexts,    // at most `high` texts of at most `low` bytes
    kKey,      // text of 1 … high bytes that identifies its map within a list of maps
    kFile,     // an upload {attachmentId}; also {manifestRef}, {s3Key} or an s3Key as text
    kFiles,    // low … high of them
    kMessage,  // a messageId
    kUser,     // a userId
    kId,       // one of the tenant's ids
    kUpload,   // an attachmentId
  };
  std::string_view name;
  Kind kind;
  bool required = false;
  int64_t low = 0, high = 0;
  std::vector<std::string_view> words = {};
  const Schema* of = nullptr;
  std::string_view doc = "";
};

struct Schema {
  std::vector<SchemaField> fields = {};
  // Exactly one of these sets of fields must be present, and complete.
  std::vector<std::vector<std::string_view>> one_of = {};
  bool open = false;  // accepts any other fields
};

// The faults by path: ("items.0.qty", "must be a whole number"). At most kMaxWrong entries; a path is cut at
// kShownPath bytes, since it contains the client's names.
using Wrong = std::vector<std::pair<std::string, std::string>>;
inline constexpr size_t kMaxWrong = 16;
inline constexpr size_t kShownPath = 100;
void Say(std::string path, std::string what, Wrong* wrong);

// Appends the faults of a map at `path` ("" for the top level; if that is not a map, the fault names `top`).
// The fields of `more` are allowed, too. A null member counts as missing.
void CheckMap(const protocol::Value& value, const Schema& schema, const Schema* more, std::string_view path,
              std::string_view top, Wrong* wrong);

// Finds a member that is present and not null.
const protocol::Value* MemberOf(const protocol::Value& map, std::string_view name);

}  // namespace parley::threads
