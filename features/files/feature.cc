#include "features/files/feature.h"

#include "features/files/due.h"
#include "features/files/file_facts.h"
#include "features/files/files.h"
#include "features/files/quota_facts.h"
#include "features/files/upload_quotas.h"
#include "features/files/verdict.h"
#include "features/moderation/asks.h"
#include "protocol/ops/messages.h"
#include "protocol/ops/staff.h"

namespace parley::features {
namespace {

using threads::RetentionOf;

constexpr std::string_view kClock = "the clock, in order of time";

std::vector<HttpRoute> Routes() {
  std::vector<HttpRoute> out = UploadRoutes();
  for (HttpRoute& route : VerdictRoutes()) out.push_back(std::move(route));
  for (HttpRoute& route : FileRoutes()) out.push_back(std::move(route));
  for (HttpRoute& route : ProfileRoutes()) out.push_back(std::move(route));
  return out;
}

}  // namespace

const Feature& FileFeature() {
  static const Operation operations[] = {ModerationFileOp()};
  static constexpr Followup followups[] = {{protocol::MessageDelete::kName, &WakeIfDue},
                                           {protocol::ModerationMessage::kName, &WakeIfDue},
                                           {ModerationDecide::kName, &WakeIfDue}};
  static constexpr Due due[] = {{&FindFileTasks}};
  static constexpr threads::Retention retention[] = {
      {storage::TableTag::kThreads, static_cast<uint8_t>(storage::ThreadTag::kFile), "FILE#",
       "while a message, a card or a tab shows it, or it is an avatar or a brand; else 24 hours, 30 days in "
       "quarantine",
       kClock},
      RetentionOf(storage::UserTag::kFile, "FILE", "with its FILE# row", kClock),
      RetentionOf(storage::UserTag::kFileDue, "FILEDUE#", "until the clock has looked after the upload",
                  kClock),
      RetentionOf(storage::UserTag::kFileMark, "FILEMARK", "until staff or the back end lift it",
                  threads::kNoRemover),
      RetentionOf(storage::UserTag::kFileSpread, "FILESPREAD#",
                  "until all uploads follow the mark of their bytes", kClock),
      RetentionOf(storage::UserTag::kProfile, "PROFILE", "forever; another upload replaces it",
                  threads::kNoRemover),
      RetentionOf(storage::UserTag::kFileRef, "FILEREF#", "while the upload needs the stored bytes", kClock),
  };
  static constexpr fanout::MakeFacts proofs[] = {&facts::MakeFileFacts, &facts::MakeQuotaFacts};
  static const Feature feature{.name = "files",
                               .operations = operations,
                               .followups = followups,
                               .checks = &AddFileChecks,
                               .due = due,
                               .routes = &Routes,
                               .service = &MakeFiles,
                               .retention = retention,
                               .facts = proofs};
  return feature;
}

}  // namespace parley::features
