// Strangers act against each other: blocks and reports; and read their credits.
#include "tests/sim/strangers_answers_support.h"
#include "tests/sim/strangers_support.h"

namespace parley::sim {

using protocol::Value;

void Strangers::ChangeBlock(size_t by, size_t whom) {
  Fact& fact = block(by, whom);
  if (!fact.certain() || fact.busy()) return;
  const bool blocks = fact.Is("off");
  AskBlock(&fact, blocks ? "on" : "off");
  people_[by]->Run({by, blocks ? "user.block" : "user.unblock", "{\"userId\":" + Quoted(name(whom)) + "}",
                    [this, &fact, blocks](const Value* ok, const std::string& code) {
                      if (!ok) {
                        fact.Lost();
                        if (!IsUnknown(code) && !IsUnheard(code)) Complain("a block is refused: " + code);
                        return;
                      }
                      BlockSettled(&fact);
                      report_.blocks += blocks;
                    }});
}

void Strangers::AskBlock(Fact* fact, std::string value) {
  settled_[static_cast<size_t>(fact - blocks_.data())] = false;
  fact->Ask(std::move(value));
}

void Strangers::BlockSettled(Fact* fact) {
  settled_[static_cast<size_t>(fact - blocks_.data())] = true;
  fact->Acknowledged();
}

// Reports a message by another user, or a user.
void Strangers::Report(size_t who) {
  const std::string reason = NewText(Text::Kind::kReported, who, 0);
  const size_t number = texts_.size() - 1;
  const size_t whom = (who + 1 + Roll(kPeople - 1)) % kPeople;
  std::string op = "user.report", args = "{\"userId\":" + Quoted(name(whom));
  for (size_t tries = 0; tries < 8 && op == "user.report"; ++tries) {
    const Text& text = texts_[Roll(texts_.size())];
    if (text.kind != Text::Kind::kSaid || text.id.empty()) continue;
    const Room& room = rooms_[text.room];
    if (text.author == who || (who != room.by && who != room.to)) continue;
    const std::string gate = GateOf(room);
    if (gate != "open" && gate != "accepted") continue;
    op = "message.report";
    args = "{\"threadId\":" + Quoted(room.thread) + ",\"messageId\":" + Quoted(text.id);
  }
  Do({who, op, args + ",\"reason\":" + Quoted(reason) + "}",
      [this, number, op](const Value* ok, const std::string& code) {
        if (ok) {
          texts_[number].id = sim::Text(*ok, "caseId");
          ++report_.reports;
        } else if (!IsUnheard(code)) {
          Complain(op + ": " + code);
        }
      }});
}

void Strangers::AskCredits(size_t who) {
  people_[who]->Run(
      {who, "inbox.counts", "{}", [this, who, then = SpentBy(who)](const Value* ok, const std::string& code) {
         if (ok) {
           const Value* credits = ok->Find("credits");
           JudgeCredits(who, then, credits ? Number(*credits, "available") : -1, "in the counts");
         } else if (!IsUnknown(code) && !IsUnheard(code)) {
           Complain("inbox.counts: " + code);
         }
       }});
}

}  // namespace parley::sim
