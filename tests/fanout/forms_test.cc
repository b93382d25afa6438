// Tests that an event is framed once in each form in use, and in no other form.
#include <gtest/gtest.h>

#include "fanout/hub.h"
#include "protocol/frame.h"
#include "protocol/message_items.h"
#include "protocol/schema.h"

namespace parley::fanout {
namespace {

class Reader final : public Subscriber {
 public:
  Reader(const std::string& user, Form form) : user_{user.c_str()}, form_(form) {}
  const TenantId& tenant() const override { return tenant_; }
  const UserId& user() const override { return user_; }
  void OnRun(LiveRun& run) override { received.push_back(run.joined.Frame(form_)); }
  void OnEntry(const EntryNotice&, SharedPayload& payload) override {
    received.push_back(payload.Frame(form_));
  }
  void OnNotice(SharedPayload&) override {}
  void OnEphemeral(const ThreadId&, SharedPayload& payload) override {
    received.push_back(payload.Frame(form_));
  }
  std::vector<FramePtr> received;

 private:
  const TenantId tenant_{"demo"};
  const UserId user_;
  const Form form_;
};

class Forms : public testing::Test {
 protected:
  Forms() {
    change_->tenant = TenantId{"demo"};
    change_->recipients =
        threads::Members::Of({UserId{"ann"}, UserId{"bob"}, UserId{"cat"}, UserId{"dan"}, UserId{"eve"}});
    protocol::Message message;
    message.body = "hello";
    message.seq = 4;
    change_->events.push_back({protocol::EventKind::kMessageCreated, 4, protocol::Encode(message)});
    change_->events.push_back({protocol::EventKind::kMessageUpdated, 5, protocol::Encode(message)});
  }
  void Deliver() { hub_.Deliver(std::vector<threads::CommittedChangePtr>{change_}); }
  static std::string Text(const FramePtr& frame) {
    return *std::static_pointer_cast<const std::string>(frame);
  }

  size_t framed_ = 0;
  protocol::Metrics metrics_;
  Hub hub_{[this](Payloads payloads, protocol::Encoding) -> FramePtr {
             ++framed_;
             std::string all;
             for (const std::string& payload : payloads) all += payload;
             return std::make_shared<const std::string>(all);
           },
           metrics_};
  std::shared_ptr<threads::CommittedChange> change_ = std::make_shared<threads::CommittedChange>();
};

using protocol::Encoding;

TEST_F(Forms, of_an_event_are_encoded_once_each_for_any_number_of_readers) {
  Reader ann("ann", {Encoding::kMsgpack}), bob("bob", {Encoding::kMsgpack, true}),
      cat("cat", {Encoding::kJson}), dan("dan", {Encoding::kJson, true}), eve("eve", {Encoding::kJson, true});
  for (Reader* one : {&ann, &bob, &cat, &dan, &eve}) hub_.Add(one);
  Deliver();
  EXPECT_EQ(framed_, 4u);
  EXPECT_EQ(dan.received.front(), eve.received.front()) << "the bytes are shared";
  EXPECT_LT(Text(bob.received.front()).size(), Text(ann.received.front()).size());
  EXPECT_LT(Text(dan.received.front()).size(), Text(cat.received.front()).size());
  EXPECT_NE(Text(cat.received.front()).find("\"reactions\":[]"), std::string::npos);
  EXPECT_EQ(Text(dan.received.front()).find("\"reactions\":[]"), std::string::npos);
  EXPECT_NE(Text(dan.received.front()).find("message.updated"), std::string::npos) << "the whole run";
  for (Reader* one : {&ann, &bob, &cat, &dan, &eve}) hub_.Remove(one);
}

TEST_F(Forms, without_a_reader_are_not_encoded) {
  Reader bob("bob", {Encoding::kMsgpack, true}), dan("dan", {Encoding::kMsgpack, true});
  hub_.Add(&bob);
  hub_.Add(&dan);
  Deliver();
  EXPECT_EQ(framed_, 1u);
  hub_.Remove(&bob);
  hub_.Remove(&dan);
}

TEST_F(Forms, of_an_entry_are_encoded_once_each) {
  Reader ann("ann", {Encoding::kJson}), phone("ann", {Encoding::kJson, true}),
      pad("ann", {Encoding::kJson, true});
  for (Reader* one : {&ann, &phone, &pad}) hub_.Add(one);
  EntryNotice notice;
  notice.tenant = TenantId{"demo"};
  notice.user = UserId{"ann"};
  notice.entry = protocol::Encode(protocol::Entry());
  hub_.DeliverEntries({notice}, {});
  EXPECT_EQ(framed_, 2u);
  EXPECT_LT(Text(phone.received.front()).size(), Text(ann.received.front()).size());
  for (Reader* one : {&ann, &phone, &pad}) hub_.Remove(one);
}

// An event without an item has the same bytes in both forms.
TEST_F(Forms, of_typing_are_the_same) {
  Reader ann("ann", {Encoding::kJson}), bob("bob", {Encoding::kJson, true});
  for (Reader* one : {&ann, &bob}) {
    hub_.Add(one);
    hub_.OpenThread(one, change_->thread);
  }
  const std::string typing = protocol::TypingEvent(change_->thread, {});
  SharedPayload payload(Payloads(&typing, 1), hub_.framer());
  for (Reader* one : {&ann, &bob}) one->OnEphemeral(change_->thread, payload);
  EXPECT_EQ(framed_, 1u);
  EXPECT_EQ(ann.received.front(), bob.received.front());
  for (Reader* one : {&ann, &bob}) hub_.Remove(one);
}

}  // namespace
}  // namespace parley::fanout
