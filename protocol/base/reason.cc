#include "protocol/base/reason.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace parley::protocol {
namespace {

using E = ErrorCode;
using R = Reason;
constexpr std::array<ReasonInfo, kReasonCount> kReasons = {{
    {R::kOnlyServices, E::kForbidden, "Only the back end of this service can do this."},
    {R::kOnlyServicesAndStaff, E::kForbidden, "Only the team of this service can do this."},
    {R::kOnlyStaff, E::kForbidden, "Only moderators and support can do this."},
    {R::kOnlyUsers, E::kForbidden, "This is for people who are signed in as themselves."},
    {R::kOnlyAdministrators, E::kForbidden, "Only administrators can do this."},
    {R::kOnlyParticipants, E::kForbidden, "Only people who take part in this conversation can do this."},
    {R::kOnlyThreadOwners, E::kForbidden, "Only the owners of this conversation can do this."},
    {R::kOnlyResourceOwners, E::kForbidden, "Only owners can change who has access here."},
    {R::kOnlyAuthor, E::kForbidden, "Only its author can change this message."},
    {R::kPermissionTooLow, E::kForbidden, "Your permission in this conversation does not include this."},
    {R::kReadsOnly, E::kForbidden, "You may read here, but not change anything."},
    {R::kOthersRecord, E::kForbidden, "This belongs to another user."},
    {R::kUserFieldFixed, E::kForbidden, "You cannot change this yourself."},
    {R::kNotYourCall, E::kForbidden, "Your kind of access does not include this."},
    {R::kTokenOfAnother, E::kForbidden, "This sign-in belongs to another user."},
    {R::kNeedsAccessToken, E::kForbidden, "Please sign in again to continue."},
    {R::kDemoElsewhere, E::kForbidden, "This demo is available on its own computer only."},
    {R::kForeignPage, E::kForbidden, "This page may not connect to the service."},
    {R::kTenantSuspended, E::kForbidden, "This service is suspended."},
    {R::kTenantInactive, E::kForbidden, "This service is not active at the moment."},
    {R::kUserSuspended, E::kForbidden, "Your account is suspended."},
    {R::kNotVerified, E::kForbidden, "Verify who you are before you start a conversation."},
    {R::kMuted, E::kForbidden, "You cannot write any more."},
    {R::kMutedForNow, E::kForbidden, "You cannot write for the time being."},
    {R::kFilesOff, E::kForbidden, "Files cannot be sent here."},
    {R::kOnlyProjects, E::kForbidden, "This is possible in projects only."},
    {R::kNeedsTwoSides, E::kForbidden, "This needs a buyer and a seller."},
    {R::kProjectsByServices, E::kForbidden, "A booking creates its project."},
    {R::kCreatorNotNamed, E::kForbidden, "You can only start conversations that you take part in."},
    {R::kDirectStays, E::kForbidden, "The members of a conversation of two people cannot change."},
    {R::kDirectHasNoOwner, E::kForbidden, "A conversation of two people has no owner."},
    {R::kPartiesKeepPermission, E::kForbidden, "The permissions of buyer and seller cannot be changed."},
    {R::kGroupNeedsOwner, E::kForbidden, "A group needs an owner: make somebody else one first."},
    {R::kLastOwner, E::kForbidden, "The last owner cannot be removed."},
    {R::kSafeModeByStaff, E::kForbidden, "Only moderators can lift Safe-Mode here."},
    {R::kMessageKindFixed, E::kForbidden, "This kind of message cannot be changed."},
    {R::kEditTimeOver, E::kForbidden, "The time for changes is over."},
    {R::kTooManyEdits, E::kForbidden, "This message has been changed too often."},
    {R::kMessageDeleted, E::kForbidden, "This message was deleted."},
    {R::kMessageWithheld, E::kForbidden, "Moderators withheld this message."},
    {R::kMessageRedacted, E::kForbidden, "Moderators redacted this message."},
    {R::kCardNotWithheld, E::kForbidden, "A card can be redacted or deleted, but not withheld."},
    {R::kRedactedForGood, E::kForbidden, "A redacted text cannot be restored."},
    {R::kPinForAllOnly, E::kForbidden, "Only messages that everybody sees can be pinned."},
    {R::kDisputeStaysPinned, E::kForbidden, "An open dispute stays pinned."},
    {R::kCardOfOtherSide, E::kForbidden, "Your side cannot open such a card."},
    {R::kCardNotYours, E::kForbidden, "This is for somebody else to decide."},
    {R::kCounterByOtherSide, E::kForbidden, "Only the other side can propose something else."},
    {R::kWithdrawnBySupport, E::kForbidden, "Only support can withdraw this."},
    {R::kFinalsBySeller, E::kForbidden, "Only the seller may deliver the final files."},
    {R::kFinalStays, E::kForbidden, "A final delivery can be neither changed nor removed."},
    {R::kTabDerived, E::kForbidden, "This list shows the open cards and cannot be edited."},
    {R::kTabOfServices, E::kForbidden, "This part is filled in for you."},
    {R::kRequestOfAnother, E::kForbidden, "Only the person who was asked can answer."},
    {R::kInvitationOfAnother, E::kForbidden, "This invitation is for another e-mail address."},
    {R::kAboutOneself, E::kForbidden, "You cannot decide about yourself."},
    {R::kCaseAboutYou, E::kForbidden, "This case is about you."},
    {R::kCaseYouReported, E::kForbidden, "You reported this, so somebody else decides."},
    {R::kCaseNeedsTwo, E::kForbidden, "An open case about this needs two people to decide."},
    {R::kCaseHolds, E::kForbidden, "This conversation is locked until a case is decided."},
    {R::kNameAThread, E::kForbidden, "Name a conversation that one of your cases is about."},
    {R::kTooManyOnlookers, E::kForbidden, "Too many moderators look into this conversation at the moment."},
    {R::kRecordTooLarge, E::kTooLarge, "This record is too large."},
    {R::kTextTooLong, E::kTooLarge, "This is too long."},
    {R::kTabTooLarge, E::kTooLarge, "This part of the project has become too large."},
    {R::kCardTooLarge, E::kTooLarge, "This card is too large."},
    {R::kRequestTooLarge, E::kTooLarge, "This request is too large."},
    {R::kTooManyReactions, E::kTooLarge, "This message cannot have more different reactions."},
    {R::kTooManyPins, E::kTooLarge, "No more messages can be pinned here. Unpin one first."},
    {R::kThreadFull, E::kTooLarge, "No more people can join this conversation."},
    {R::kTooManyBlocks, E::kTooLarge, "You cannot block more people."},
    {R::kTooManyKeys, E::kTooLarge, "No more keys can be added. Remove one first."},
    {R::kTooManyTenants, E::kTooLarge, "No more tenants can be created."},
    {R::kTooManyStrangers, E::kTooLarge, "You ask too many people at once whom you do not know."},
    {R::kTooManyLegs, E::kTooLarge, "This booking has more conversations than one message can reach."},
    {R::kStoreDown, E::kUnavailable, "Nothing can be saved right now. Please try again later."},
    {R::kStoreUnreadable, E::kUnavailable, "The server cannot read its data right now. Please try again."},
    {R::kNoSpace, E::kUnavailable, "There is no room for files right now. Please try again later."},
    {R::kFilesBusy, E::kUnavailable, "Too many files arrive at the moment. Please try again."},
    {R::kDraining, E::kUnavailable, "The server is restarting. Please try again in a moment."},
    {R::kBusy, E::kUnavailable, "The server is very busy. Please try again in a moment."},
    {R::kTenantBusy, E::kUnavailable, "This service is overloaded at the moment. Please try again."},
    {R::kSameUnderWay, E::kUnavailable, "The same request is running already. Please try again."},
    {R::kIndexBehind, E::kUnavailable, "This list is not up to date yet. Please try again in a moment."},
    {R::kOutboxFull, E::kUnavailable, "Too many actions are waiting here. Please try again later."},
    {R::kDecidedNotDone, E::kUnavailable, "The decision is made and takes effect soon."},
    {R::kBlockSpreads, E::kUnavailable, "The block is in force. Some conversations do not show it yet."},
    {R::kMessagingPaused, E::kUnavailable, "Messaging is paused here for now. Please try again later."},
    {R::kClockInDoubt, E::kUnavailable, "The clock of the server is being checked. Please try again later."},
    {R::kNoMessage, E::kNotFound, "This message does not exist."},
    {R::kNoFile, E::kNotFound, "This file does not exist."},
    {R::kNoReplyTarget, E::kNotFound, "The message that this answers does not exist."},
    {R::kNoCard, E::kNotFound, "This card does not exist."},
    {R::kNoDeliverable, E::kNotFound, "This delivery does not exist."},
    {R::kNoParticipant, E::kNotFound, "This person does not take part here."},
    {R::kNoUser, E::kNotFound, "This user does not exist."},
    {R::kNoTenant, E::kNotFound, "This tenant does not exist."},
    {R::kNoKey, E::kNotFound, "This key does not exist."},
    {R::kNoEvent, E::kNotFound, "This event does not exist."},
    {R::kNoInvitation, E::kNotFound, "This invitation does not exist."},
    {R::kNoCase, E::kNotFound, "This case does not exist."},
    {R::kNoRequest, E::kNotFound, "This request does not exist."},
    {R::kNoLevel, E::kNotFound, "This person has no access here."},
    {R::kNoLegThread, E::kNotFound, "This booking has no conversations."},
    {R::kNoPath, E::kNotFound, "There is nothing at this address."},
    {R::kExistsAlready, E::kAlreadyExists, "This exists already."},
    {R::kEventExists, E::kAlreadyExists, "This event has been recorded already."},
    {R::kIsMember, E::kAlreadyExists, "This person is a member already."},
    {R::kInvitationWaits, E::kAlreadyExists, "An invitation for this address is already pending."},
    {R::kTenantExists, E::kAlreadyExists, "This tenant exists already."},
    {R::kOfAnotherUser, E::kAlreadyExists, "Another user has this already."},
    {R::kInquiryExists, E::kAlreadyExists, "There is a conversation about this already."},
    {R::kInvitationOver, E::kActionInvalidState, "This invitation can no longer be used."},
    {R::kFileIncomplete, E::kActionInvalidState, "This file has not been uploaded completely yet."},
    {R::kFileMovedOn, E::kActionInvalidState, "This file has changed in the meantime."},
    {R::kCaseOver, E::kActionInvalidState, "This case has ended."},
    {R::kCaseMoved, E::kActionInvalidState, "This case has just changed. Look at it again."},
    {R::kCardRedacted, E::kActionInvalidState, "Moderators redacted this card."},
    {R::kCardWaits, E::kActionInvalidState, "This card waits for the result of an earlier action."},
    {R::kCardMovedOn, E::kActionInvalidState, "This is no longer possible."},
    {R::kCardEndsWithCase, E::kActionInvalidState, "This ends when its case is decided."},
    {R::kTooManyDeliveries, E::kActionInvalidState, "There have been too many deliveries."},
    {R::kTooManyProposals, E::kActionInvalidState, "Too many proposals wait for an answer."},
    {R::kTooManyCards, E::kActionInvalidState, "Too many cards are open here."},
    {R::kDisputeOpen, E::kActionInvalidState, "Not while a dispute is open."},
    {R::kRescheduleOpen, E::kActionInvalidState, "Not while a new date is being proposed."},
    {R::kRevisionsUsed, E::kActionInvalidState, "All agreed revisions have been used."},
    {R::kRequestAnswered, E::kActionInvalidState, "This request has been answered already."},
    {R::kRequestsTooFast, E::kRateLimited, "Too fast. Please wait a moment."},
    {R::kMessagesTooFast, E::kRateLimited, "You write too fast. Please wait a moment."},
    {R::kPairTooFast, E::kRateLimited, "You write too fast to this person. Please wait a moment."},
    {R::kQuotaUsedUp, E::kRateLimited,
     "You have done this as often as you can for now. Please try again later."},
    {R::kSimilarStarts, E::kRateLimited, "You have just written the same to others. Please wait a moment."},
    {R::kTooManyReports, E::kRateLimited, "You have reported as much as you can for today."},
    {R::kTooManySessions, E::kRateLimited, "You are connected too many times. Close another window first."},
    {R::kTooManyOpened, E::kRateLimited, "Too many conversations are open in this window. Close some first."},
    {R::kSubscriptionUsedUp, E::kRateLimited, "You have used all of today's requests."},
    {R::kStrikeRest, E::kRateLimited, "Please wait a moment before you write again."},
    {R::kSafetyReport, E::kSafetySoftBlock, "Messaging is paused in this conversation."},
    {R::kStrikeStop, E::kSafetySoftBlock,
     "Writing in this conversation is paused because of earlier messages."},
    {R::kTextAgainstRules, E::kMsgPolicyBlocked, "This message goes against the rules."},
    {R::kNotJudged, E::kMsgPolicyBlocked, "This text cannot be checked. Please write it more plainly."},
    {R::kLinksOff, E::kMsgPolicyBlocked, "Links are off for you in this conversation for now."},
    {R::kAnswerFirst, E::kMsgGateRequired, "Answer the request of this person first."},
    {R::kNotAccepted, E::kMsgGateRequired, "Wait until your request is accepted."},
    {R::kNoCredits, E::kCreditsExhausted, "You have no credits left for new conversations."},
    {R::kCreditsFrozen, E::kCreditsExhausted, "Your credits cannot be used at the moment."},
    {R::kNoCredential, E::kUnauthenticated, "Please sign in."},
    {R::kBadCredential, E::kUnauthenticated, "Your sign-in is not valid. Please sign in again."},
}};

constexpr bool IsSound() {
  for (size_t i = 0; i < kReasonCount; ++i) {
    if (static_cast<size_t>(kReasons[i].reason) != i || kReasons[i].hint.empty()) return false;
  }
  return true;
}
static_assert(IsSound(), "each reason has its line, in the order of the enumeration, with a hint");

struct FieldHint {
  std::string_view words;  // a part of the fault's text
  std::string_view hint;
};
// The first match counts. Faults without a match can only be corrected by developers.
constexpr FieldHint kFieldHints[] = {
    {"is required", "Something that is needed is missing."},
    {"is not one emoji", "This is not one emoji."},
    {"e-mail address", "This is not an e-mail address."},
    {"blank", "This must not be empty."},
    {"empty", "This must not be empty."},
    {"too many", "There are too many of something."},
    {"twice", "Something is there twice."},
    {"too long", "This is too long."},
    {"too large", "This is too large."},
    {"cursor", "This list has changed. Please load it again."},
    {"must be a time", "This is not a point in time."},
};

}  // namespace

const ReasonInfo& Describe(Reason reason) {
  return kReasons[static_cast<size_t>(reason)];
}

std::span<const ReasonInfo> Reasons() {
  return kReasons;
}

Error ErrorFor(Reason reason, std::string message) {
  const ReasonInfo& info = Describe(reason);
  Error error(info.code, std::move(message));
  error.hint = info.hint;
  return error;
}

std::string_view HintOfField(std::string_view what) {
  const auto* found = std::find_if(std::begin(kFieldHints), std::end(kFieldHints), [&](const FieldHint& one) {
    return what.find(one.words) != std::string_view::npos;
  });
  return found == std::end(kFieldHints) ? Describe(ErrorCode::kBadRequest).hint : found->hint;
}

}  // namespace parley::protocol
