// Pages of the audit chain: content, order, and bounded work.
#include "accounts/audit/audit_reads.h"

#include <gmock/gmock.h>

#include "accounts/audit/audit_chain.h"
#include "tests/accounts/record_scene.h"

namespace parley::accounts {
namespace {

using protocol::ChainEntry;
using protocol::Time;
using testing::ElementsAre;
using testing::IsEmpty;

class AuditReads : public testing::Test {
 protected:
  // The facts of an act at `ms` by `actor` about `user`.
  static protocol::AuditFacts Facts(int64_t ms, const std::string& actor, const std::string& user = "") {
    protocol::AuditFacts facts;
    facts.at = Time{ms};
    facts.audit_id.ulid.bytes[15] = static_cast<uint8_t>(ms);
    facts.actor = *protocol::UserId::FromText(actor);
    facts.action = std::to_string(ms);
    if (!user.empty()) facts.user_id = *protocol::UserId::FromText(user);
    return facts;
  }
  void Append(const std::vector<protocol::AuditFacts>& all) {
    const auto done = scene_.Decide<protocol::Unit>([&](RecordTransaction& tx) -> protocol::Status {
      for (const auto& facts : all) PARLEY_CHECK_OK(AppendFacts(tx, facts));
      return tx.Commit();
    });
    EXPECT_EQ(CodeOf(done), "ok");
  }
  // Returns the actions of one page and sets `ask.below` to the start of the next.
  std::vector<std::string> Page(AuditAsk* ask, size_t limit, bool* more) {
    std::vector<std::string> out;
    const auto next = ListAudit(scene_.items.table(), scene_.tenant, *ask,
                                [&](const ChainEntry& entry, const std::string&) {
                                  if (out.size() == limit) return false;
                                  out.push_back(entry.action);
                                  return true;
                                });
    EXPECT_TRUE(next.ok());
    *more = next.ok() && *next;
    if (*more) ask->below = **next;
    return out;
  }
  std::vector<std::string> All(AuditAsk ask, size_t limit = 1000) {
    std::vector<std::string> out;
    for (bool more = true; more;) {
      for (std::string& action : Page(&ask, limit, &more)) out.push_back(std::move(action));
    }
    return out;
  }

  RecordScene scene_;
};

TEST_F(AuditReads, come_in_the_order_of_the_chain_whatever_the_acts_times) {
  Append({Facts(30, "ann"), Facts(10, "bob"), Facts(20, "ann")});
  EXPECT_THAT(All({}), ElementsAre("20", "10", "30"));
  EXPECT_THAT(All({}, 1), ElementsAre("20", "10", "30")) << "page by page";
  EXPECT_THAT(All({.actor = "ann"}), ElementsAre("20", "30"));
  EXPECT_THAT(All({.actor = "eve"}), IsEmpty());
}

// Without a filter an entry's prevHash is the hash of the next one in the list.
TEST_F(AuditReads, the_hashes_of_a_page_can_be_checked) {
  Append({Facts(30, "ann"), Facts(30, "bob")});
  Append({Facts(10, "ann"), Facts(40, "bob"), Facts(40, "ann"), Facts(20, "ann")});
  std::vector<ChainEntry> page;
  const auto take = [&](const ChainEntry& entry, const std::string&) {
    page.push_back(entry);
    return true;
  };
  ASSERT_TRUE(ListAudit(scene_.items.table(), scene_.tenant, {}, take).ok());
  ASSERT_EQ(page.size(), 6u);
  for (size_t i = 0; i + 1 < page.size(); ++i) {
    EXPECT_EQ(page[i].prev_hash, page[i + 1].hash);
    EXPECT_EQ(page[i].seq, page[i + 1].seq + 1);
  }
  for (const AuditAsk& ask :
       {AuditAsk{.actor = "ann"}, AuditAsk{.from = Time{20}}, AuditAsk{.to = Time{31}}}) {
    page.clear();
    ASSERT_TRUE(ListAudit(scene_.items.table(), scene_.tenant, ask, take).ok());
    for (size_t i = 0; i + 1 < page.size(); ++i) EXPECT_GT(page[i].seq, page[i + 1].seq);
  }
}

// For example after the clock was set back, or when an act of a thread was chained late.
TEST_F(AuditReads, time_filters_use_the_times_of_the_acts_in_any_order_of_the_chain) {
  Append({Facts(30, "ann"), Facts(10, "bob"), Facts(50, "ann"), Facts(20, "bob"), Facts(60, "bob")});
  for (const size_t limit : {1000u, 1u, 2u}) {
    EXPECT_THAT(All({.to = Time{40}}, limit), ElementsAre("20", "10", "30"));
    EXPECT_THAT(All({.from = Time{15}, .to = Time{40}}, limit), ElementsAre("20", "30"));
    EXPECT_THAT(All({.from = Time{25}}, limit), ElementsAre("60", "50", "30"));
    EXPECT_THAT(All({.actor = "bob", .to = Time{55}}, limit), ElementsAre("20", "10"));
    EXPECT_THAT(All({.to = Time{15}}, limit), ElementsAre("10"));
    EXPECT_THAT(All({.to = Time{5}}, limit), IsEmpty());
    EXPECT_THAT(All({.to = Time{100}}, limit), ElementsAre("60", "20", "50", "10", "30"));
  }
}

TEST_F(AuditReads, the_later_in_the_chain_of_two_acts_in_one_millisecond_is_newer) {
  auto first = Facts(10, "ann"), second = Facts(10, "ann");
  second.action = "later";
  Append({first, second});
  EXPECT_THAT(All({}, 1), ElementsAre("later", "10"));
}

TEST_F(AuditReads, from_is_included_and_to_is_not) {
  Append({Facts(10, "ann"), Facts(20, "ann"), Facts(30, "ann")});
  EXPECT_THAT(All({.from = Time{20}}), ElementsAre("30", "20"));
  EXPECT_THAT(All({.to = Time{20}}), ElementsAre("10"));
  EXPECT_THAT(All({.from = Time{20}, .to = Time{30}}), ElementsAre("20"));
  EXPECT_THAT(All({.from = Time{-20}, .to = Time{30}}), ElementsAre("20", "10")) << "before there was any";
  EXPECT_THAT(All({.to = Time{-20}}), IsEmpty());
  EXPECT_THAT(All({.actor = "ann", .from = Time{20}, .to = Time{20}}), IsEmpty());
}

// The name of one actor may be a prefix of another's.
TEST_F(AuditReads, names_are_compared_whole) {
  Append({Facts(10, "ann"), Facts(20, "anna"), Facts(30, "an")});
  EXPECT_THAT(All({.actor = "ann"}), ElementsAre("10"));
}

TEST_F(AuditReads, several_filters_must_all_match) {
  Append({Facts(10, "ann", "x"), Facts(20, "bob", "x"), Facts(30, "ann", "y"), Facts(40, "ann", "x")});
  EXPECT_THAT(All({.actor = "ann", .user_id = "x"}), ElementsAre("40", "10"));
  EXPECT_THAT(All({.actor = "ann", .user_id = "x"}, 1), ElementsAre("40", "10"));
  EXPECT_THAT(All({.actor = "bob", .user_id = "y"}), IsEmpty());
}

// A page that finds nothing ends too and has a cursor.
TEST_F(AuditReads, a_page_examines_a_bounded_number_of_entries) {
  Append({Facts(10, "bob", "x")});
  for (int n = 0; n < 30; ++n) {
    std::vector<protocol::AuditFacts> some;
    for (int i = 0; i < 50; ++i) some.push_back(Facts(1000 + 50 * n + i, "ann", "x"));
    Append(some);
  }
  AuditAsk ask{.actor = "bob", .user_id = "x"};
  bool more = false;
  EXPECT_THAT(Page(&ask, 50, &more), IsEmpty());
  EXPECT_TRUE(more);
  EXPECT_THAT(Page(&ask, 50, &more), ElementsAre("10"));
  EXPECT_FALSE(more);
}

TEST_F(AuditReads, those_of_another_tenant_are_not_found) {
  Append({Facts(10, "ann")});
  scene_.tenant = *protocol::TenantId::FromText("other");
  EXPECT_THAT(All({}), IsEmpty());
  EXPECT_THAT(All({.actor = "ann"}), IsEmpty());
}

}  // namespace
}  // namespace parley::accounts
