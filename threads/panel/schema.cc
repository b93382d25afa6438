#include "threads/panel/schema.h"

#include <algorithm>
#include <set>

#include "protocol/base/ids.h"
#include "protocol/base/time.h"

namespace parley::threads {
namespace {

using protocol::Error;
using protocol::Ok;
using protocol::Status;
using protocol::TabName;
using protocol::Value;

constexpr bool kRequired = true;
constexpr int64_t kAnyNumber = protocol::kMaxSafeInteger;

// --- the schemas

constexpr ContentField kReference[] = {
    {"url", Shape::kText, 0, 2048, kRequired},
    {"note", Shape::kText, 0, 1000},
};
constexpr ContentField kBrief[] = {
    {"title", Shape::kText, 0, 200},
    {"goals", Shape::kText, 0, 4000},
    {"styleRefs", Shape::kItems, 0, 50, false, kReference},
    {"moodNotes", Shape::kText, 0, 4000},
    {"mustHaveShots", Shape::kTexts, 500, 100},
    {"constraints", Shape::kTexts, 500, 100},
    {"budgetNotes", Shape::kText, 0, 4000},
};

constexpr ContentField kComment[] = {
    {"by", Shape::kUser, 0, 0, kRequired},
    {"text", Shape::kText, 0, 1000, kRequired},
    {"at", Shape::kTime},
};
constexpr ContentField kPin[] = {
    {"id", Shape::kId, 0, 0, kRequired},
    {"assetRef", Shape::kText, 0, 1024},
    {"url", Shape::kText, 0, 2048},
    {"attribution", Shape::kText, 0, 300, kRequired},
    {"nsfwBand", Shape::kNumber, 0, 2, kRequired},
    {"caption", Shape::kText, 0, 500},
    {"comments", Shape::kItems, 0, 50, false, kComment},
    {"withheld", Shape::kFlag},  // as it was shown: what is stored stays
};
constexpr ContentField kMoodboard[] = {
    {"pins", Shape::kItems, 0, 200, kRequired, kPin},
};

constexpr std::string_view kShotStatus[] = {"todo", "done"};
constexpr ContentField kShot[] = {
    {"id", Shape::kId, 0, 0, kRequired},
    {"name", Shape::kText, 0, 200, kRequired},
    {"notes", Shape::kText, 0, 2000},
    {"refs", Shape::kTexts, 64, 20},
    {"owner", Shape::kUser},
    {"status", Shape::kOneOf, 0, 0, kRequired, {}, kShotStatus},
    {"comments", Shape::kItems, 0, 50, false, kComment},
};
constexpr ContentField kShotlist[] = {
    {"shots", Shape::kItems, 0, 300, kRequired, kShot},
};

constexpr ContentField kProof[] = {
    {"id", Shape::kId, 0, 0, kRequired},         {"name", Shape::kText, 0, 300, kRequired},
    {"s3Key", Shape::kText, 0, 1024, kRequired}, {"mime", Shape::kText, 0, 127},
    {"bytes", Shape::kNumber, 0, kAnyNumber},    {"nsfwBand", Shape::kNumber, 0, 2},
};
constexpr ContentField kManifestEntry[] = {
    {"name", Shape::kText, 0, 300, kRequired},
    {"sha256", Shape::kText, 0, 64, kRequired},
    {"bytes", Shape::kNumber, 0, kAnyNumber},
    {"mime", Shape::kText, 0, 127},
    {"url", Shape::kText, 0, 2048},
};
constexpr ContentField kFinal[] = {
    {"manifestRef", Shape::kId, 0, 1024, kRequired},
    {"name", Shape::kText, 0, 300},
    {"provider", Shape::kText, 0, 100},
    {"checksum", Shape::kText, 0, 128},
    {"entries", Shape::kItems, 0, 200, false, kManifestEntry},
};
constexpr ContentField kFiles[] = {
    {"proofs", Shape::kItems, 0, 200, false, kProof},
    {"finals", Shape::kItems, 0, 100, false, kFinal},
};

constexpr std::string_view kDocStatus[] = {"draft", "sent", "viewed", "signed", "declined", "voided"};
constexpr ContentField kEnvelope[] = {
    {"docId", Shape::kId, 0, 0, kRequired},
    {"legId", Shape::kText, 0, 64},
    {"title", Shape::kText, 0, 300},
    {"status", Shape::kOneOf, 0, 0, kRequired, {}, kDocStatus},
    {"url", Shape::kText, 0, 2048},
    {"sha256", Shape::kText, 0, 64},
    {"signedAt", Shape::kTime},
};
constexpr ContentField kDocs[] = {
    {"envelopes", Shape::kItems, 0, 100, kRequired, kEnvelope},
};

constexpr std::string_view kLineKinds[] = {"amendment", "refund", "expense", "payment"};
constexpr ContentField kLine[] = {
    {"lineId", Shape::kId, 0, 0, kRequired},
    {"kind", Shape::kOneOf, 0, 0, kRequired, {}, kLineKinds},
    {"amountCents", Shape::kNumber, -kAnyNumber / 4096, kAnyNumber / 4096, kRequired},
    {"legId", Shape::kText, 0, 64},
    {"title", Shape::kText, 0, 300},
    {"receiptRef", Shape::kText, 0, 1024},
    {"at", Shape::kTime},
};
constexpr ContentField kTotal[] = {
    {"legId", Shape::kText, 0, 64, kRequired},
    {"amountCents", Shape::kNumber, -kAnyNumber, kAnyNumber, kRequired},
};
constexpr ContentField kExpenses[] = {
    {"currency", Shape::kText, 0, 3},
    {"lines", Shape::kItems, 0, 300, kRequired, kLine},
    {"totalCents", Shape::kNumber, -kAnyNumber, kAnyNumber},
    {"legTotals", Shape::kItems, 0, 100, false, kTotal},
};

// --- the check

class Checker {
 public:
  Status Members(const Value& value, std::span<const ContentField> fields, const std::string& path,
                 bool open) {
    const protocol::Map* map = value.as_map();
    if (!map) return Error::BadField(path, "must be a map");
    for (const ContentField& field : fields) {
      const Value* member = value.Find(field.name);
      const std::string at = path + "." + std::string(field.name);
      if (member && !member->is_null()) {
        PARLEY_CHECK_OK(One(*member, field, at));
      } else if (field.required) {
        return Error::BadField(at, "is required");
      }
    }
    if (open) return Ok();
    for (const auto& [name, member] : *map) {
      const auto same = [&name = name](const ContentField& field) { return field.name == name; };
      if (std::find_if(fields.begin(), fields.end(), same) == fields.end())
        return Error::BadField(path, "holds an unknown field");
    }
    return Ok();
  }

 private:
  Status One(const Value& value, const ContentField& field, const std::string& at) {
    switch (field.shape) {
      case Shape::kText:
        return Text(value, field.high, at);
      case Shape::kNumber: {
        const int64_t* n = value.as_int();
        if (!n || *n < field.low || *n > field.high)
          return Error::BadField(at, "is not an integer within its bounds");
        return Ok();
      }
      case Shape::kFlag:
        return value.as_bool() ? Ok() : Status(Error::BadField(at, "must be true or false"));
      case Shape::kTime:
        if (!value.as_text() || !protocol::ParseTime(*value.as_text()))
          return Error::BadField(at, "must be a time such as 2025-11-05T14:12:07.123Z");
        return Ok();
      case Shape::kUser:
        if (!value.as_text() || !protocol::UserId::FromText(*value.as_text()))
          return Error::BadField(at, "is not a valid id");
        return Ok();
      case Shape::kId:
        PARLEY_CHECK_OK(Text(value, field.high > 0 ? field.high : 64, at));
        if (value.as_text()->empty()) return Error::BadField(at, "is empty");
        return Ok();
      case Shape::kOneOf:
        if (!value.as_text() ||
            std::find(field.names.begin(), field.names.end(), *value.as_text()) == field.names.end())
          return Error::BadField(at, "is not one of the known values");
        return Ok();
      case Shape::kTexts:
      case Shape::kItems:
        return Elements(value, field, at);
    }
    return Ok();
  }

  Status Text(const Value& value, int64_t max, const std::string& at) {
    if (!value.as_text()) return Error::BadField(at, "must be text");
    if (value.as_text()->size() > static_cast<size_t>(max)) return Error::BadField(at, "is too long");
    return Ok();
  }

  Status Elements(const Value& value, const ContentField& field, const std::string& at) {
    const protocol::Array* items = value.as_array();
    if (!items) return Error::BadField(at, "must be a list");
    if (items->size() > static_cast<size_t>(field.high)) return Error::BadField(at, "has too many elements");
    std::set<std::string_view> ids;
    for (size_t i = 0; i < items->size(); ++i) {
      const std::string here = at + "." + std::to_string(i);
      if (field.shape == Shape::kTexts) {
        PARLEY_CHECK_OK(Text((*items)[i], field.low, here));
        continue;
      }
      PARLEY_CHECK_OK(Members((*items)[i], field.members, here, false));
      if (field.members.front().shape != Shape::kId) continue;
      const std::string_view name = field.members.front().name;
      if (!ids.insert(*(*items)[i].Find(name)->as_text()).second)
        return Error::BadField(here + "." + std::string(name), "is there twice");
    }
    return Ok();
  }
};

}  // namespace

std::span<const ContentField> SchemaOf(TabName tab) {
  switch (tab) {
    case TabName::kBrief:
      return kBrief;
    case TabName::kMoodboard:
      return kMoodboard;
    case TabName::kShotlist:
      return kShotlist;
    case TabName::kFiles:
      return kFiles;
    case TabName::kDocs:
      return kDocs;
    case TabName::kExpenses:
      return kExpenses;
    case TabName::kActions:
      return {};
  }
  return {};
}

Status CheckContent(TabName tab, const Value& content, std::string_view name) {
  const bool open = tab == TabName::kBrief || tab == TabName::kActions;
  return Checker().Members(content, SchemaOf(tab), std::string(name), open);
}

}  // namespace parley::threads
