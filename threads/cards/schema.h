// Payload schemas of cards, as data. What a schema can not say (computed totals, ends after beginnings) is in
// payload.cc, beside the check.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace parley::threads {

struct PayloadSchema;

struct PayloadField {
  enum class Kind : uint8_t {
    kText,   // low … high bytes
    kInt,    // low … high
    kCents,  // money: low … high, never below 0
    kBool,
    kTime,
    kWord,     // one of `words`
    kMap,      // by `of`
    kList,     // low … high maps by `of`
    kFiles,    // low … high files: an s3Key as text, or a map with s3Key or manifestRef
    kMessage,  // a messageId
    kId,       // an id of the tenant's own
  };
  std::string_view name;
  Kind kind;
  bool required = false;
  int64_t low = 0, high = 0;
  std::vector<std::string_view> words = {};
  const PayloadSchema* of = nullptr;
  std::string_view doc = "";
};

struct PayloadSchema {
  std::vector<PayloadField> fields;
  // Exactly one of these sets of fields must be there, whole.
  std::vector<std::vector<std::string_view>> one_of = {};
  bool open = false;  // takes any fields
};

namespace schemas {
extern const PayloadSchema kReschedule, kExtra, kOvertime, kProof, kFinal, kDeliverableIntent, kLegReason,
    kRefund, kComplete, kDeposit, kDispute, kExpense, kSafety, kLocation, kAny, kNote;
// Allowed in every payload besides: the ids that outside records are found by.
extern const PayloadSchema kIds;
}  // namespace schemas

}  // namespace parley::threads
