// Every op that names something, with args about one thread, its message, its project or its members. Tests
// ask these as callers without access.
#pragma once

#include <map>
#include <string>

namespace parley::gateway_test {

struct OpIds {
  std::string thread, message, project, seller;
};

// Maps each op to its args as JSON.
inline std::map<std::string, std::string> EveryOpAbout(const OpIds& ids) {
  const auto in = [&](const std::string& more = "") {
    return R"({"threadId":")" + ids.thread + "\"" + more + "}";
  };
  const auto with = [&](const std::string& more) {
    return in(R"(,"messageId":")" + ids.message + "\"" + more);
  };
  const auto seller = [&](const std::string& more = "") {
    return in(R"(,"userId":")" + ids.seller + "\"" + more);
  };
  const std::string kNoCase = R"({"caseId":"case_00000000000000000000000000")";
  const std::string project = R"({"lbgId":")" + ids.project + "\"";
  return {{"thread.get", in()},
          {"thread.open", in(R"(,"afterSeq":0)")},
          {"thread.close", in()},
          {"thread.changes", in(R"(,"afterSeq":0)")},
          {"thread.update", in(R"(,"version":1,"subject":"s")")},
          {"thread.promote", in(R"(,"legId":"leg_2","eventId":"e")")},
          {"thread.setBooking", in(R"(,"state":"closed")")},
          {"thread.setStatus", in(R"(,"status":"locked","reason":"r")")},
          {"thread.schedule", in(R"(,"meetingAt":null)")},
          {"thread.byProject", project + R"(,"limit":1})"},
          {"participant.add", in(R"(,"userId":"stranger")")},
          {"participant.remove", seller()},
          {"participant.update", seller(R"(,"permission":"read")")},
          {"participant.list", in()},
          {"participant.mute", in(R"(,"muted":true)")},
          {"inbox.explain", in()},
          {"inbox.set", in(R"(,"pinned":true)")},
          {"inbox.list", "{}"},
          {"inbox.counts", "{}"},
          {"read.mark", with("")},
          {"message.send", in(R"(,"clientId":"c","type":"text","body":"b")")},
          {"message.list", in()},
          {"message.edit", with(R"(,"body":"b","reason":"r")")},
          {"message.delete", with(R"(,"reason":"r")")},
          {"message.history", with("")},
          {"message.react", with(R"(,"emoji":"👍","on":true)")},
          {"message.pin", with(R"(,"pinned":true)")},
          {"tab.get", in(R"(,"tab":"brief")")},
          {"tab.put", in(R"(,"tab":"brief","version":2,"content":{})")},
          {"card.create", in(R"(,"clientId":"c","type":"SAFETY","payload":{"reason":"r","severity":"low"})")},
          {"card.act", with(R"(,"intent":"approve","version":1,"clientId":"c","reason":"r")")},
          {"card.list", in()},
          {"card.resolve", with(R"(,"effectId":"e","outcome":"ok","clientId":"c")")},
          {"outbox.list", "{}"},
          {"outbox.ack", in(R"(,"effectIds":[")" + ids.message + R"(.9"])")},
          {"moderation.audit", in()},
          {"thread.audit", in()},
          {"message.report", with(R"(,"reason":"spam")")},
          {"thread.report", in(R"(,"reason":"spam")")},
          {"user.report", seller(R"(,"reason":"spam")")},
          {"moderation.queue", "{}"},
          {"moderation.case", kNoCase + "}"},
          {"moderation.decide", kNoCase + R"(,"decision":"reject"})"},
          {"moderation.file",
           R"({"attachmentId":"att_00000000000000000000000000","state":"quarantined","reason":"r"})"},
          {"moderation.message", with(R"(,"moderation":"redacted","reason":"r")")},
          {"moderation.resetLadder", seller(R"(,"reason":"r")")},
          {"moderation.threads", "{}"},
          {"thread.broadcast", project + R"(,"clientId":"c","body":"b"})"},
          {"request.accept", in()},
          {"request.decline", in()},
          {"request.block", in()},
          {"typing.set", in(R"(,"typing":true)")}};
}

}  // namespace parley::gateway_test
