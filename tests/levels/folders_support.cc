#include "tests/levels/folders.h"

#include <iterator>

namespace parley::levels {
namespace {

// The slices of threads/, lowest first: each may include itself and those before it.
constexpr std::string_view kThreadSlices[] = {
    "threads/text/",     "threads/model/",     "threads/engine/", "threads/contacts/",
    "threads/judge/",    "threads/run/",       "threads/files/",  "threads/messages/",
    "threads/members/",  "threads/cards/",     "threads/panel/",  "threads/inbox/",
    "threads/requests/", "threads/lifecycle/", "threads/staff/",  "threads/clock/",
};

// The slices of storage/, lowest first, above the files in the folder itself.
constexpr std::string_view kStorageSlices[] = {"storage/sealing/", "storage/items/", "storage/declarations/",
                                               "storage/expressions/", "storage/engine/"};

// The slices of accounts/, lowest first, above the files in the folder itself.
constexpr std::string_view kAccountSlices[] = {"accounts/records/",    "accounts/audit/", "accounts/limits/",
                                               "accounts/tenants/",    "accounts/users/", "accounts/tokens/",
                                               "accounts/permissions/"};

// The features. Each may include itself, the kit in features/host/, and the asks.h of others.
constexpr std::string_view kFeatures[] = {"features/broadcast/", "features/events/",     "features/files/",
                                          "features/invites/",   "features/moderation/", "features/people/",
                                          "features/requests/",  "features/text_policy/"};
constexpr std::string_view kFeatureAsks[] = {"features/events/asks.h", "features/moderation/asks.h",
                                             "features/people/asks.h", "features/text_policy/asks.h"};

// The rooms of gateway/ above net/, lowest first; the files in the folder itself are above all rooms.
constexpr std::string_view kGatewayRooms[] = {"gateway/net/", "gateway/app/",      "gateway/ops/",
                                              "gateway/ws/",  "gateway/dynamodb/", "gateway/http/"};

// The proofs of features' rows, by the beginnings of their paths.
constexpr std::string_view kFeatureFacts[] = {
    "features/events/event_facts",     "features/files/file_facts",      "features/files/quota_facts",
    "features/moderation/audit_facts", "features/moderation/case_facts", "features/requests/request_facts"};

// Verify shares with the code that it verifies only formats, the text of previews, and the tenants' settings,
// by which counts are checked.
std::vector<std::string_view> VerifyMayInclude() {
  return {"fanout/verify/",
          "fanout/keys.h",
          "fanout/cells.h",
          "fanout/inbox_rows.h",
          "fanout/projection_id.h",
          "fanout/upkeep.h",
          "threads/model/keys.h",
          "threads/model/preview.h",
          "threads/model/rows.h",
          "threads/model/change.h",
          "accounts/audit/audit_row.h",
          "accounts/limits/quota_row.h",
          "accounts/tenants/settings.h",
          "storage/",
          "protocol/"};
}

}  // namespace

std::vector<Level> AllLevels() {
  std::vector<Level> levels = {
      {"protocol/base/", {"protocol/base/"}},
      {"protocol/", {"protocol/"}},
      {"storage/", {"storage/", "protocol/"}},
      {"threads/", {"threads/", "storage/", "protocol/"}},
      {"accounts/", {"accounts/", "storage/", "protocol/"}},
      {"fanout/", {"fanout/", "threads/", "accounts/", "storage/", "protocol/"}},
      {"fanout/verify/", VerifyMayInclude()},
      {"media/", {"media/"}},
      {"gateway/net/", {"gateway/net/", "protocol/base/"}},
      {"gateway/", {"gateway/", "features/", "fanout/", "threads/", "accounts/", "storage/", "protocol/"}},
      {"ctl/",
       {"ctl/", "gateway/net/", "features/", "fanout/", "threads/", "accounts/", "storage/", "protocol/"}},
      {"bench/",
       {"bench/", "gateway/", "features/", "fanout/", "threads/", "accounts/", "storage/", "protocol/"}},
      {"tests/bench/", {"bench/", "features/", "accounts/", "fanout/", "storage/", "protocol/"}},
      {"tests/gateway/ws_test_client_support.cc", {"tests/gateway/", "bench/net/ws_frame.h"}},
      {"tests/",
       {"tests/", "media/", "ctl/", "gateway/", "features/", "fanout/", "threads/", "accounts/", "storage/",
        "protocol/"}},
  };
  std::vector<std::string_view> so_far = {"storage/", "protocol/"};
  for (const std::string_view slice : kThreadSlices) {
    so_far.push_back(slice);
    levels.push_back({slice, so_far});
  }
  so_far = {"storage/", "protocol/"};
  for (const std::string_view slice : kStorageSlices) {
    so_far.push_back(slice);
    levels.push_back({slice, so_far});
  }
  // Code beside the slices that needs none of them and that they may use.
  so_far = {"storage/", "protocol/", "accounts/jwt.h", "accounts/jwt_crypto.h"};
  for (const std::string_view slice : kAccountSlices) {
    so_far.push_back(slice);
    levels.push_back({slice, so_far});
  }
  for (const std::string_view feature : kFeatures) {
    so_far = {feature, "features/host/", "fanout/", "threads/", "accounts/", "storage/", "protocol/"};
    so_far.insert(so_far.end(), std::begin(kFeatureAsks), std::end(kFeatureAsks));
    if (feature == "features/files/") so_far.push_back("media/frames.h");
    levels.push_back({feature, so_far});
  }
  for (const std::string_view facts : kFeatureFacts) {
    so_far = VerifyMayInclude();
    so_far.push_back(facts);
    levels.push_back({facts, so_far});
  }
  levels.push_back({"features/", {"features/", "fanout/", "threads/", "accounts/", "storage/", "protocol/"}});
  levels.push_back(
      {"features/host/", {"features/host/", "fanout/", "threads/", "accounts/", "storage/", "protocol/"}});
  so_far = {"features/", "fanout/", "threads/", "accounts/", "storage/", "protocol/"};
  for (const std::string_view room : kGatewayRooms) {
    so_far.push_back(room);
    if (room == "gateway/net/") continue;
    levels.push_back({room, so_far});
    if (room == "gateway/ws/") so_far.pop_back();  // HTTP and the DynamoDB API do not know sessions
  }
  return levels;
}

}  // namespace parley::levels
