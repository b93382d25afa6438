// The ops for a user's contact filter, and those of the recipient of a stranger's first message, who accepts
// or declines it.
#pragma once

#include "protocol/ops/base.h"
#include "protocol/ops/list.h"
#include "threads/requests/request_forms.h"

namespace parley::features {

using protocol::Bounded;
using protocol::Empty;
using protocol::List;
using protocol::Omit;
using protocol::OpKind;
using protocol::RequestState;
using protocol::Text;

// The caller's conditions for first messages by strangers.
struct FilterSettings {
  Omit<bool> verified_only;
  Omit<Bounded<0, 150>> min_age;
  Omit<List<Text<32>, 16>> fields;
  static constexpr void Fields(auto& field) {
    using T = FilterSettings;
    field("verifiedOnly", &T::verified_only, "only verified users may write (idVerified)");
    field("minAge", &T::min_age, "the least age of an author, in years");
    field("fields", &T::fields, "fields that the first message must answer: budget, date, city …");
  }
};

struct FilterReply {
  bool verified_only = false;
  int64_t min_age = 0;
  List<Text<32>, 16> fields;
  static constexpr void Fields(auto& field) {
    using T = FilterReply;
    field("verifiedOnly", &T::verified_only, "whether the author must be verified");
    field("minAge", &T::min_age, "the least age of an author, in years; 0: any age");
    field("fields", &T::fields, "fields that the first message must answer");
  }
};

struct ContactFilterGet {
  static constexpr std::string_view kName = "contact.filter";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc = "the caller's contact filter for strangers";
  using Args = Empty;
  using Reply = FilterReply;
};

struct ContactFilterSet {
  static constexpr std::string_view kName = "contact.filterSet";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "replaces the contact filter; strangers who meet it need no request, and the others get an error with "
      "the missing fields";
  using Args = FilterSettings;
  using Reply = FilterReply;
};

struct RequestAccept {
  static constexpr std::string_view kName = "request.accept";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "lets in who asked: the thread moves to the folder `all`, and its content can be read";
  static constexpr RequestState kState = RequestState::kAccepted;
  using Args = threads::RequestArgs;
  using Reply = threads::RequestReply;
};

struct RequestDecline {
  static constexpr std::string_view kName = "request.decline";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "declines a request and notifies its author; an entry without a preview stays in the folder `requests`";
  static constexpr RequestState kState = RequestState::kDeclined;
  using Args = threads::RequestArgs;
  using Reply = threads::RequestReply;
};

struct RequestBlock {
  static constexpr std::string_view kName = "request.block";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "declines a request and blocks its author, who is notified of the decline only";
  static constexpr RequestState kState = RequestState::kBlocked;
  using Args = threads::RequestArgs;
  using Reply = threads::RequestReply;
};

using RequestOps =
    protocol::OpList<ContactFilterGet, ContactFilterSet, RequestAccept, RequestDecline, RequestBlock>;

}  // namespace parley::features
