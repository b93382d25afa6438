#include "threads/panel/tab_schemas.h"

namespace parley::threads {
namespace {

using protocol::TabName;
using Kind = SchemaField::Kind;

constexpr int64_t kAnyNumber = protocol::kMaxSafeInteger;

const Schema kReference{{
    {"url", Kind::kText, true, 0, 2048},
    {"note", Kind::kText, false, 0, 1000},
}};
const Schema kBrief{{
                        {"title", Kind::kText, false, 0, 200},
                        {"goals", Kind::kText, false, 0, 4000},
                        {"styleRefs", Kind::kList, false, 0, 50, {}, &kReference},
                        {"moodNotes", Kind::kText, false, 0, 4000},
                        {"mustHaveShots", Kind::kTexts, false, 500, 100},
                        {"constraints", Kind::kTexts, false, 500, 100},
                        {"budgetNotes", Kind::kText, false, 0, 4000},
                    },
                    {},
                    true};

const Schema kComment{{
    {"by", Kind::kUser},  // of a new one the server says it, and the time; see comments.h
    {"text", Kind::kText, true, 0, 1000},
    {"at", Kind::kTime},
}};
const Schema kPin{{
    {"id", Kind::kKey, true, 0, 64},
    {"assetRef", Kind::kText, false, 0, 1024},
    {"url", Kind::kText, false, 0, 2048},
    {"attribution", Kind::kText, true, 0, 300},
    {"nsfwBand", Kind::kInt, true, 0, 2},
    {"caption", Kind::kText, false, 0, 500},
    {"comments", Kind::kList, false, 0, 50, {}, &kComment},
    {"withheld", Kind::kBool},  // as it was shown: what is stored stays
}};
const Schema kMoodboard{{
    {"pins", Kind::kList, true, 0, 200, {}, &kPin},
}};

const std::vector<std::string_view> kShotStatus = {"todo", "done"};
const Schema kShot{{
    {"id", Kind::kKey, true, 0, 64},
    {"name", Kind::kText, true, 0, 200},
    {"notes", Kind::kText, false, 0, 2000},
    {"refs", Kind::kTexts, false, 64, 20},
    {"owner", Kind::kUser},
    {"status", Kind::kWord, true, 0, 0, kShotStatus},
    {"comments", Kind::kList, false, 0, 50, {}, &kComment},
}};
const Schema kShotlist{{
    {"shots", Kind::kList, true, 0, 300, {}, &kShot},
}};

const Schema kProof{{
    {"id", Kind::kKey, true, 0, 64},
    {"name", Kind::kText, true, 0, 300},
    {"s3Key", Kind::kText, true, 0, 1024},
    {"mime", Kind::kText, false, 0, 127},
    {"bytes", Kind::kInt, false, 0, kAnyNumber},
    {"nsfwBand", Kind::kInt, false, 0, 2},
}};
const Schema kManifestEntry{{
    {"name", Kind::kText, true, 0, 300},
    {"sha256", Kind::kText, true, 0, 64},
    {"bytes", Kind::kInt, false, 0, kAnyNumber},
    {"mime", Kind::kText, false, 0, 127},
    {"url", Kind::kText, false, 0, 2048},
}};
const Schema kFinal{{
    {"manifestRef", Kind::kKey, true, 0, 1024},
    {"name", Kind::kText, false, 0, 300},
    {"provider", Kind::kText, false, 0, 100},
    {"checksum", Kind::kText, false, 0, 128},
    {"entries", Kind::kList, false, 0, 200, {}, &kManifestEntry},
}};
const Schema kFiles{{
    {"proofs", Kind::kList, false, 0, 200, {}, &kProof},
    {"finals", Kind::kList, false, 0, 100, {}, &kFinal},
}};

const std::vector<std::string_view> kDocStatus = {"draft", "sent", "viewed", "signed", "declined", "voided"};
const Schema kEnvelope{{
    {"docId", Kind::kKey, true, 0, 64},
    {"legId", Kind::kText, false, 0, 64},
    {"title", Kind::kText, false, 0, 300},
    {"status", Kind::kWord, true, 0, 0, kDocStatus},
    {"url", Kind::kText, false, 0, 2048},
    {"sha256", Kind::kText, false, 0, 64},
    {"signedAt", Kind::kTime},
}};
const Schema kDocs{{
    {"envelopes", Kind::kList, true, 0, 100, {}, &kEnvelope},
}};

const std::vector<std::string_view> kLineKinds = {"amendment", "refund", "expense", "payment"};
const Schema kLine{{
    {"lineId", Kind::kKey, true, 0, 64},
    {"kind", Kind::kWord, true, 0, 0, kLineKinds},
    {"amountCents", Kind::kInt, true, -kAnyNumber / 4096, kAnyNumber / 4096},
    {"legId", Kind::kText, false, 0, 64},
    {"title", Kind::kText, false, 0, 300},
    {"receiptRef", Kind::kText, false, 0, 1024},
    {"at", Kind::kTime},
}};
const Schema kTotal{{
    {"legId", Kind::kText, true, 0, 64},
    {"amountCents", Kind::kInt, true, -kAnyNumber, kAnyNumber},
}};
const Schema kExpenses{{
    {"currency", Kind::kText, false, 0, 3},
    {"lines", Kind::kList, true, 0, 300, {}, &kLine},
    {"totalCents", Kind::kInt, false, -kAnyNumber, kAnyNumber},
    {"legTotals", Kind::kList, false, 0, 100, {}, &kTotal},
}};
const Schema kAnything{{}, {}, true};

const Schema& SchemaOf(TabName tab) {
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
      return kAnything;
  }
  return kAnything;
}

}  // namespace

protocol::Status CheckContent(TabName tab, const protocol::Value& content, std::string_view name) {
  Wrong wrong;
  CheckMap(content, SchemaOf(tab), nullptr, name, name, &wrong);
  if (wrong.empty()) return protocol::Ok();
  protocol::Error error(protocol::ErrorCode::kBadRequest, "the content does not fit the tab");
  error.fields = std::move(wrong);
  return error;
}

}  // namespace parley::threads
