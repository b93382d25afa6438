// The panel: write permission for each tab, versions, schemas, and side effects of a change.
#include "tests/threads/scene.h"

namespace parley::threads {
namespace {

// Makes a project between buyer and seller; seqs 1 to 4.
constexpr std::string_view kProject = "service thread.promote legId=G1 eventId=e1";
std::string Then(std::string_view lines) {
  return std::string(kProject) + "; " + std::string(lines);
}

TEST(Panel, exists_on_projects_and_is_refused_on_an_inquiry) {
  ExpectRows({
      {"", "buyer tab.put tab=brief version=0 content={\"title\":\"x\"}", "FORBIDDEN"},
      {"", "service tab.put tab=docs version=0 content={\"envelopes\":[]}", "FORBIDDEN"},
      {kProject, "buyer tab.put tab=brief version=0 content={\"title\":\"x\"}", "6 tab.updated brief"},
      {kProject, "eve tab.put tab=brief version=0 content={\"title\":\"x\"}", "THREAD_NOT_MEMBER"},
  });
}

TEST(Panel, a_change_of_the_current_version_is_accepted_and_a_stale_one_gets_the_servers_tab) {
  const std::string given = Then("buyer tab.put tab=brief version=0 content={\"title\":\"a\"}");
  ExpectRows({
      {given, "seller tab.put tab=brief version=1 content={\"title\":\"b\"}", "7 tab.updated brief v2"},
      {given, "seller tab.put tab=brief version=0 content={\"title\":\"b\"}",
       "PANEL_VERSION_CONFLICT version current=v1"},
      {given, "seller tab.put tab=brief version=2 content={\"title\":\"b\"}",
       "PANEL_VERSION_CONFLICT version current=v1"},
      {given, "seller tab.put tab=moodboard version=1 content={\"pins\":[]}",
       "PANEL_VERSION_CONFLICT version current=v0"},
      {given, "seller tab.put tab=brief version=1 content={\"title\":\"a\"}", "nothing"},
  });
}

TEST(Panel, has_its_own_version_that_rises_with_each_change_of_a_tab) {
  Scene scene;
  scene.Given("buyer thread.create brief={\"title\":\"t\"}");
  EXPECT_EQ(scene.Head().item.panel_version, 1);
  scene.Given(kProject);
  scene.Given("buyer tab.put tab=brief version=1 content={\"title\":\"u\"}");
  scene.Given("seller tab.put tab=moodboard version=0 content={\"pins\":[]}");
  EXPECT_EQ(scene.Head().item.panel_version, 3);
  EXPECT_EQ(scene.Head().item.version, 2) << "a tab is no field of the thread's own";
}

TEST(Panel, members_who_may_write_change_it_unless_the_thread_is_locked) {
  const std::string given = Then(
      "buyer participant.add userId=carol permission=read; buyer participant.add userId=dan "
      "permission=files");
  constexpr std::string_view put = " tab.put tab=brief version=0 content={\"title\":\"x\"}";
  ExpectRows({
      {given, "carol" + std::string(put), "FORBIDDEN"},
      {given, "dan" + std::string(put), "FORBIDDEN"},
      {given, "ann(admin)" + std::string(put), "FORBIDDEN"},
      {given, "service" + std::string(put), "FORBIDDEN"},
      {Then("ann(admin) thread.setStatus status=locked reason=r"), "buyer" + std::string(put),
       "THREAD_LOCKED"},
      {Then("ann(admin) thread.setStatus status=archived reason=r"), "buyer" + std::string(put),
       "THREAD_ARCHIVED"},
  });
}

TEST(Panel, only_services_write_docs_and_expenses_and_no_one_writes_actions) {
  ExpectRows({
      {kProject, "buyer tab.put tab=docs version=0 content={\"envelopes\":[]}", "FORBIDDEN"},
      {kProject, "service tab.put tab=docs version=0 content={\"envelopes\":[]}", "6 tab.updated docs"},
      {kProject, "seller tab.put tab=expenses version=0 content={\"lines\":[]}", "FORBIDDEN"},
      {kProject, "service(seller) tab.put tab=expenses version=0 content={\"lines\":[]}",
       "6 tab.updated expenses"},
      {kProject, "service tab.put tab=actions version=0 content={}", "FORBIDDEN"},
      {kProject, "buyer tab.put tab=actions version=0 content={}", "FORBIDDEN"},
  });
}

TEST(Panel, refuses_content_outside_a_tabs_schema) {
  const auto put = [](std::string tab, std::string content) {
    return "buyer tab.put tab=" + tab + " version=0 content=" + content;
  };
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {put("brief", "[]"), "content"},
      {put("brief", "{\"title\":7}"), "content.title"},
      {put("brief", "{\"styleRefs\":[{\"note\":\"n\"}]}"), "content.styleRefs.0.url"},
      {put("brief", "{\"title\":\"" + std::string(201, 'x') + "\"}"), "content.title"},
      {put("moodboard", "{}"), "content.pins"},
      {put("moodboard", "{\"pins\":[{\"id\":\"p\",\"attribution\":\"a\",\"nsfwBand\":3}]}"),
       "content.pins.0.nsfwBand"},
      {put("moodboard", "{\"pins\":[{\"id\":\"p\",\"nsfwBand\":0}]}"), "content.pins.0.attribution"},
      {put("moodboard", "{\"pins\":[],\"order\":[]}"), "content.order"},
      {put("moodboard", "{\"pins\":[{\"id\":\"\",\"nsfwBand\":\"1\"}]}"),
       "content.pins.0.id content.pins.0.nsfwBand content.pins.0.attribution"},
      {put("shotlist", "{\"shots\":[{\"id\":\"s\",\"name\":\"n\",\"status\":\"maybe\"}]}"),
       "content.shots.0.status"},
      {put("shotlist",
           "{\"shots\":[{\"id\":\"s\",\"name\":\"n\",\"status\":\"todo\"},"
           "{\"id\":\"s\",\"name\":\"n\",\"status\":\"todo\"}]}"),
       "content.shots.1.id"},
      {put("shotlist", "{\"shots\":[{\"id\":\"s\",\"name\":\"n\",\"status\":\"todo\",\"owner\":\"a b\"}]}"),
       "content.shots.0.owner"},
      {put("files", "{\"finals\":[{\"s3Key\":\"k\"}]}"),
       "content.finals.0.s3Key content.finals.0.manifestRef"},
      {put("files", "{\"proofs\":[{\"id\":\"p\",\"name\":\"n\",\"s3Key\":\"k\",\"bytes\":-1}]}"),
       "content.proofs.0.bytes"},
  };
  for (const auto& [line, field] : wrong) ExpectRows({{kProject, line, "BAD_REQUEST " + field}});
}

TEST(Panel, the_brief_accepts_fields_of_the_tenant_within_the_size_of_a_tab) {
  ExpectRows({
      {kProject, "buyer tab.put tab=brief version=0 content={\"guests\":12,\"venue\":{\"city\":\"Houston\"}}",
       "6 tab.updated brief"},
      {kProject, "buyer tab.put tab=brief version=0 content={\"x\":\"" + std::string(33'000, 'x') + "\"}",
       "TOO_LARGE"},
  });
}

TEST(Panel, the_head_shows_how_much_of_the_shot_list_is_done) {
  Scene scene;
  scene.Given("buyer thread.create; " + std::string(kProject));
  EXPECT_FALSE(scene.Head().item.shotlist);
  const std::string one = "{\"id\":\"1\",\"name\":\"a\",\"status\":\"todo\"}",
                    two = "{\"id\":\"2\",\"name\":\"b\",\"status\":\"done\"}";
  scene.Given("buyer tab.put tab=shotlist version=0 content={\"shots\":[" + one + "," + two + "]}");
  EXPECT_EQ(scene.Head().item.shotlist, (protocol::ShotProgress{1, 2}));
  scene.Given("seller tab.put tab=shotlist version=1 content={\"shots\":[" + two + "]}");
  EXPECT_EQ(scene.Head().item.shotlist, (protocol::ShotProgress{1, 1}));
  EXPECT_EQ(scene.Reply("tab.updatedBy"), "seller");
}

TEST(Panel, keeps_a_delivered_final_manifest_unchanged) {
  const std::string given = Then(
      "seller tab.put tab=files version=0 "
      "content={\"finals\":[{\"manifestRef\":\"https://m.example/m1\",\"name\":\"Album\"}]}");
  const auto put = [](std::string finals) {
    return "seller tab.put tab=files version=1 content={\"finals\":[" + finals + "]}";
  };
  ExpectRows({
      {kProject,
       "seller tab.put tab=files version=0 "
       "content={\"finals\":[{\"manifestRef\":\"https://m.example/m1\",\"name\":\"Album\"}]}",
       "6 tab.updated files; 7 message.created M2 - 'Finals delivered: Album (manifest "
       "https: m.example/m1)' system"},
      {given, put(""), "FORBIDDEN content.finals"},
      {given, put("{\"manifestRef\":\"https://m.example/m1\",\"name\":\"Other\"}"),
       "FORBIDDEN content.finals"},
      {given,
       put("{\"manifestRef\":\"https://m.example/m2\"},{\"manifestRef\":\"https://m.example/"
           "m1\",\"name\":\"Album\"}"),
       "8 tab.updated files v2; 9 message.created M3 - 'Finals delivered: https: m.example/m2 (manifest "
       "https: m.example/m2)' system"},
      {given,
       "service(buyer) tab.put tab=files version=1 "
       "content={\"proofs\":[{\"id\":\"p\",\"name\":\"n\",\"s3Key\":\"k\"}],"
       "\"finals\":[{\"manifestRef\":\"https://m.example/m1\",\"name\":\"Album\"}]}",
       "8 tab.updated files v2"},
  });
}

TEST(Panel, accepts_new_finals_from_the_seller_and_services) {
  const std::string given = Then(
      "seller tab.put tab=files version=0 "
      "content={\"finals\":[{\"manifestRef\":\"https://m.example/m1\",\"name\":\"Album\","
      "\"entries\":[{\"name\":\"a\",\"sha256\":\"00\"}]}]}");
  const std::string again =
      "{\"entries\":[{\"sha256\":\"00\",\"mime\":null,\"name\":\"a\"}],\"name\":\"Album\",\"manifestRef\":"
      "\"https://m.example/m1\"}";
  const auto put = [](std::string who, std::string finals) {
    return who + " tab.put tab=files version=1 content={\"finals\":[" + finals + "]}";
  };
  ExpectRows({
      {kProject,
       "buyer tab.put tab=files version=0 content={\"finals\":[{\"manifestRef\":\"https://m.example/m1\"}]}",
       "FORBIDDEN content.finals"},
      {std::string(kProject) + "; buyer participant.add userId=carol roleContext=seller",
       "carol tab.put tab=files version=0 content={\"finals\":[{\"manifestRef\":\"https://m.example/m1\"}]}",
       "FORBIDDEN content.finals"},
      {kProject,
       "service(buyer) tab.put tab=files version=0 "
       "content={\"finals\":[{\"manifestRef\":\"https://m.example/m1\"}]}",
       "6 tab.updated files; 7 message.created M2 - 'Finals delivered: https: m.example/m1 (manifest "
       "https: m.example/m1)' system"},
      {kProject,
       "service tab.put tab=files version=0 "
       "content={\"finals\":[{\"manifestRef\":\"https://m.example/m1\"}]}",
       "6 tab.updated files; 7 message.created M2 - 'Finals delivered: https: m.example/m1 (manifest "
       "https: m.example/m1)' system"},
      {given, put("service", "{\"manifestRef\":\"https://m.example/m2\"}"), "FORBIDDEN content.finals"},
      {given, put("buyer", again + ",{\"manifestRef\":\"https://m.example/m2\"}"),
       "FORBIDDEN content.finals"},
      {given, put("buyer", again), "8 tab.updated files v2"},
  });
}

TEST(Panel, quotes_names_as_short_plain_text_on_one_line) {
  const auto put = [](const std::string& name) {
    return "seller tab.put tab=files version=0 "
           "content={\"finals\":[{\"manifestRef\":\"https://m.example/m_1\",\"name\":\"" +
           name + "\"}]}";
  };
  const auto reported = [](const std::string& name) {
    return "6 tab.updated files; 7 message.created M2 - 'Finals delivered: " + name +
           " (manifest https: m.example/m_1)' system";
  };
  ExpectRows({
      {kProject, put("[Pay here](https://evil.example/x)"), reported("Pay here (https: evil.example/x)")},
      {kProject, put("a\\n\\n# **Album** <b>_x_</b> `1`"), reported("a # Album b x /b 1")},
      {kProject, put(std::string(300, 'x')), reported(std::string(79, 'x') + "…")},
  });
}

TEST(Panel, reports_a_signed_document_once) {
  const std::string sent = "{\"docId\":\"d1\",\"title\":\"Contract\",\"status\":\"sent\"}",
                    done =
                        "{\"docId\":\"d1\",\"title\":\"Contract\",\"status\":\"signed\",\"sha256\":\"ab12\"}";
  const auto put = [](int version, const std::string& doc) {
    return "service tab.put tab=docs version=" + std::to_string(version) + " content={\"envelopes\":[" + doc +
           "]}";
  };
  ExpectRows({
      {Then(put(0, sent)), put(1, done),
       "7 tab.updated docs v2; 8 message.created M2 - 'Document signed: Contract (d1, sha256 ab12)' system"},
      {Then(put(0, done)), put(1, done + ",{\"docId\":\"d2\",\"status\":\"draft\"}"),
       "8 tab.updated docs v2"},
  });
}

TEST(Panel, computes_the_sum_of_the_expenses) {
  Scene scene;
  scene.Given("buyer thread.create; " + std::string(kProject));
  const std::string lines =
      "\"lines\":[{\"lineId\":\"1\",\"kind\":\"amendment\",\"amountCents\":500,\"legId\":\"G1\"},"
      "{\"lineId\":\"2\",\"kind\":\"refund\",\"amountCents\":-200,\"legId\":\"G2\"},"
      "{\"lineId\":\"3\",\"kind\":\"payment\",\"amountCents\":50,\"title\":\"Deposit\",\"receiptRef\":\"r9\"}"
      "]";
  EXPECT_EQ(scene.Do("service tab.put tab=expenses version=0 content={" + lines + ",\"totalCents\":1}"),
            "BAD_REQUEST content.totalCents");
  EXPECT_EQ(scene.Do("service tab.put tab=expenses version=0 content={" + lines + "}"),
            "6 tab.updated expenses; 7 message.created M2 - 'Payment received: Deposit (receipt r9)' system");
  EXPECT_EQ(scene.Reply("tab.content.totalCents"), "350");
  EXPECT_EQ(scene.Reply("tab.content.legTotals.*.amountCents"), "500 -200");
}

TEST(Marks, reactions_are_stored_per_emoji_and_user_and_sent_as_a_change_of_the_message) {
  ExpectRows({
      {"buyer message.send body=hi", "seller message.react messageId=M1 emoji=👍 on=true",
       "5 message.updated M1 buyer 'hi' 👍x1"},
      {"buyer message.send body=hi; seller message.react messageId=M1 emoji=👍 on=true",
       "seller message.react messageId=M1 emoji=👍 on=true", "nothing"},
      {"buyer message.send body=hi; seller message.react messageId=M1 emoji=👍 on=true",
       "buyer message.react messageId=M1 emoji=👍 on=true", "6 message.updated M1 buyer 'hi' 👍x2"},
      {"buyer message.send body=hi; seller message.react messageId=M1 emoji=👍 on=true",
       "seller message.react messageId=M1 emoji=👍 on=false", "6 message.updated M1 buyer 'hi'"},
      {"buyer message.send body=hi", "seller message.react messageId=M1 emoji=👍 on=false", "nothing"},
      {"buyer message.send body=hi", "seller message.react messageId=M1 emoji='' on=true",
       "BAD_REQUEST emoji"},
      {"buyer message.send body=hi", "seller message.react messageId=M1 emoji=ok on=true",
       "BAD_REQUEST emoji"},
      {"buyer message.send body=hi", "seller message.react messageId=M1 emoji=👍👍 on=true",
       "BAD_REQUEST emoji"},
      {"buyer message.send body=hi", "seller message.react messageId=M1 emoji=ok on=false",
       "BAD_REQUEST emoji"},
      {"buyer message.send body=hi; buyer participant.add userId=carol permission=files",
       "carol message.react messageId=M1 emoji=👍 on=true", "FORBIDDEN"},
  });
}

TEST(Marks, pins_are_shared_and_bounded_and_removed_with_the_message) {
  Scene scene;
  scene.Given("buyer thread.create; buyer message.send body=hi");
  EXPECT_EQ(scene.Do("seller message.pin messageId=M1 pinned=true"),
            "5 message.updated M1 buyer 'hi' pinned by seller");
  EXPECT_EQ(scene.Head().item.pins->items.size(), 1u);
  EXPECT_EQ(scene.Do("buyer message.pin messageId=M1 pinned=true"), "nothing");
  scene.Given("buyer message.delete messageId=M1");
  EXPECT_FALSE(scene.Head().item.pins);
  EXPECT_EQ(scene.Do("buyer message.pin messageId=M1 pinned=true"), "FORBIDDEN");
  for (int i = 2; i <= 22; ++i) {
    scene.Given("buyer message.send body=b" + std::to_string(i));
    EXPECT_EQ(
        scene.Do("buyer message.pin pinned=true messageId=M" + std::to_string(i)).starts_with("TOO_LARGE"),
        i == 22);
  }
  scene.Given("seller message.pin messageId=M2 pinned=false");
  EXPECT_EQ(scene.Head().item.pins->items.size(), 19u);
}

}  // namespace
}  // namespace parley::threads
