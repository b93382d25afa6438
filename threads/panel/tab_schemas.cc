#include "threads/panel/tab_schemas.h"

namespace parley::threads::tabs {
using Kind = SchemaField::Kind;

constexpr int64_t kAnyNumber = protocol::kMaxSafeInteger;

const Schema kReference{.fields = {
                            {.name = "url", .kind = Kind::kText, .required = true, .high = 2048},
                            {.name = "note", .kind = Kind::kText, .high = 1000},
                        }};
const Schema kBrief{.fields =
                        {
                            {.name = "title", .kind = Kind::kText, .high = 200},
                            {.name = "goals", .kind = Kind::kText, .high = 4000},
                            {.name = "styleRefs", .kind = Kind::kList, .high = 50, .of = &kReference},
                            {.name = "moodNotes", .kind = Kind::kText, .high = 4000},
                            {.name = "mustHaveShots", .kind = Kind::kTexts, .low = 500, .high = 100},
                            {.name = "constraints", .kind = Kind::kTexts, .low = 500, .high = 100},
                            {.name = "budgetNotes", .kind = Kind::kText, .high = 4000},
                        },
                    .open = true};

const Schema kComment{.fields = {
                          // The server sets it for a new comment, and the time.
                          {.name = "by", .kind = Kind::kUser},
                          {.name = "text", .kind = Kind::kText, .required = true, .high = 1000},
                          {.name = "at", .kind = Kind::kTime},
                      }};
const Schema kCopy{.open = true};  // the server's copy of an upload, which replaces whatever a client sends
const Schema kPin{.fields = {
                      {.name = "id", .kind = Kind::kKey, .required = true, .high = 64},
                      {.name = "assetRef", .kind = Kind::kText, .high = 1024},
                      {.name = "attachmentId", .kind = Kind::kUpload},
                      {.name = "attachment", .kind = Kind::kMap, .of = &kCopy},
                      {.name = "url", .kind = Kind::kText, .high = 2048},
                      {.name = "attribution", .kind = Kind::kText, .required = true, .high = 300},
                      {.name = "nsfwBand", .kind = Kind::kInt, .high = 2},
                      {.name = "caption", .kind = Kind::kText, .high = 500},
                      {.name = "comments", .kind = Kind::kList, .high = 50, .of = &kComment},
                      {.name = "withheld", .kind = Kind::kBool},  // as shown: keeps the stored fields
                  }};
const Schema kMoodboard{.fields = {
                            {.name = "pins", .kind = Kind::kList, .required = true, .high = 200, .of = &kPin},
                        }};

const std::vector<std::string_view> kShotStatus = {"todo", "done"};
const Schema kShot{.fields = {
                       {.name = "id", .kind = Kind::kKey, .required = true, .high = 64},
                       {.name = "name", .kind = Kind::kText, .required = true, .high = 200},
                       {.name = "notes", .kind = Kind::kText, .high = 2000},
                       {.name = "refs", .kind = Kind::kTexts, .low = 64, .high = 20},
                       {.name = "owner", .kind = Kind::kUser},
                       {.name = "status", .kind = Kind::kWord, .required = true, .words = kShotStatus},
                       {.name = "comments", .kind = Kind::kList, .high = 50, .of = &kComment},
                   }};
const Schema kShotlist{
    .fields = {
        {.name = "shots", .kind = Kind::kList, .required = true, .high = 300, .of = &kShot},
    }};

const Schema kProof{.fields = {
                        {.name = "id", .kind = Kind::kKey, .required = true, .high = 64},
                        {.name = "name", .kind = Kind::kText, .required = true, .high = 300},
                        {.name = "s3Key", .kind = Kind::kText, .low = 1, .high = 1024},
                        {.name = "attachmentId", .kind = Kind::kUpload},
                        {.name = "attachment", .kind = Kind::kMap, .of = &kCopy},
                        {.name = "mime", .kind = Kind::kText, .high = 127},
                        {.name = "bytes", .kind = Kind::kInt, .high = kAnyNumber},
                        {.name = "nsfwBand", .kind = Kind::kInt, .high = 2},
                    }};
const Schema kManifestEntry{.fields = {
                                {.name = "name", .kind = Kind::kText, .required = true, .high = 300},
                                {.name = "sha256", .kind = Kind::kText, .required = true, .high = 64},
                                {.name = "bytes", .kind = Kind::kInt, .high = kAnyNumber},
                                {.name = "mime", .kind = Kind::kText, .high = 127},
                                {.name = "url", .kind = Kind::kText, .high = 2048},
                            }};
const Schema kFinal{.fields = {
                        {.name = "manifestRef", .kind = Kind::kKey, .required = true, .high = 1024},
                        {.name = "name", .kind = Kind::kText, .high = 300},
                        {.name = "provider", .kind = Kind::kText, .high = 100},
                        {.name = "checksum", .kind = Kind::kText, .high = 128},
                        {.name = "entries", .kind = Kind::kList, .high = 200, .of = &kManifestEntry},
                    }};
const Schema kFiles{.fields = {
                        {.name = "proofs", .kind = Kind::kList, .high = 200, .of = &kProof},
                        {.name = "finals", .kind = Kind::kList, .high = 100, .of = &kFinal},
                    }};

const std::vector<std::string_view> kDocStatus = {"draft", "sent", "viewed", "signed", "declined", "voided"};
const Schema kEnvelope{.fields = {
                           {.name = "docId", .kind = Kind::kKey, .required = true, .high = 64},
                           {.name = "legId", .kind = Kind::kText, .high = 64},
                           {.name = "title", .kind = Kind::kText, .high = 300},
                           {.name = "status", .kind = Kind::kWord, .required = true, .words = kDocStatus},
                           {.name = "url", .kind = Kind::kText, .high = 2048},
                           {.name = "sha256", .kind = Kind::kText, .high = 64},
                           {.name = "signedAt", .kind = Kind::kTime},
                       }};
const Schema kDocs{
    .fields = {
        {.name = "envelopes", .kind = Kind::kList, .required = true, .high = 100, .of = &kEnvelope},
    }};

const std::vector<std::string_view> kLineKinds = {"amendment", "refund", "expense", "payment"};
const Schema kLine{.fields = {
                       {.name = "lineId", .kind = Kind::kKey, .required = true, .high = 64},
                       {.name = "kind", .kind = Kind::kWord, .required = true, .words = kLineKinds},
                       {.name = "amountCents",
                        .kind = Kind::kInt,
                        .required = true,
                        .low = -kAnyNumber / 4096,
                        .high = kAnyNumber / 4096},
                       {.name = "legId", .kind = Kind::kText, .high = 64},
                       {.name = "title", .kind = Kind::kText, .high = 300},
                       {.name = "receiptRef", .kind = Kind::kText, .high = 1024},
                       {.name = "at", .kind = Kind::kTime},
                   }};
const Schema kTotal{
    .fields = {
        {.name = "legId", .kind = Kind::kText, .required = true, .high = 64},
        {.name = "amountCents", .kind = Kind::kInt, .required = true, .low = -kAnyNumber, .high = kAnyNumber},
    }};
const Schema kExpenses{
    .fields = {
        {.name = "currency", .kind = Kind::kText, .high = 3},
        {.name = "lines", .kind = Kind::kList, .required = true, .high = 300, .of = &kLine},
        {.name = "totalCents", .kind = Kind::kInt, .low = -kAnyNumber, .high = kAnyNumber},
        {.name = "legTotals", .kind = Kind::kList, .high = 100, .of = &kTotal},
    }};
const Schema kAnything{.open = true};

}  // namespace parley::threads::tabs
