// Every case of the band up to which a viewer sees pictures: behaviour 88.
#include "threads/model/safe_mode.h"

#include <gtest/gtest.h>

#include <string_view>

namespace parley::threads {
namespace {

const protocol::UserId kViewerOfBands = *protocol::UserId::FromText("ann");

TEST(SafeMode, the_band_of_each_viewer) {
  struct ViewerCase {
    std::string_view viewer;
    Role role;
    bool acts_as_user, mature;
    int64_t band_max, where_required;
  };
  const ViewerCase rows[] = {
      {"a member, adult or not, with Safe-Mode on", Role::kMember, true, false, 1, 0},
      {"an adult who switched it off", Role::kMember, true, true, 2, 0},
      {"a bot", Role::kBot, true, false, 1, 0},
      {"an admin", Role::kAdmin, true, false, 2, 2},
      {"support", Role::kSupport, true, false, 2, 2},
      {"a moderator", Role::kModerator, true, false, 2, 2},
      {"a service", Role::kService, false, false, 2, 2},
      {"a service that acts as a user", Role::kService, true, false, 1, 0},
  };
  for (const ViewerCase& row : rows) {
    Caller caller;
    caller.role = row.role;
    caller.mature = row.mature;
    if (row.acts_as_user) caller.user = kViewerOfBands;
    EXPECT_EQ(BandMaxOf(caller, false), row.band_max) << row.viewer;
    EXPECT_EQ(BandMaxOf(caller, true), row.where_required) << row.viewer;
  }
}

TEST(SafeMode, shared_events_stop_at_the_band_that_all_members_see) {
  EXPECT_EQ(SharedBandMax(false), 1);
  EXPECT_EQ(SharedBandMax(true), 0);
}

}  // namespace
}  // namespace parley::threads
