#include "fanout/view/view_items.h"

#include "fanout/view/view_keys.h"
#include "protocol/message_items.h"
#include "threads/inbox/entry.h"

namespace parley::fanout {
namespace {

using protocol::Time;
using storage::AttributeValue;
using storage::Item;

AttributeValue ValueOf(const protocol::Value& value) {
  if (const auto* text = value.as_text()) return *text;
  if (const auto* number = value.as_int()) return AttributeValue::OfInt(*number);
  if (const auto* yes = value.as_bool()) return AttributeValue::OfBool(*yes);
  if (const auto* array = value.as_array()) {
    storage::List list;
    for (const protocol::Value& element : *array) list.push_back(ValueOf(element));
    return list;
  }
  if (const auto* map = value.as_map()) {
    Item members;
    for (const auto& [name, member] : *map) members.Set(name, ValueOf(member));
    return members;
  }
  return AttributeValue();
}
AttributeValue ValueOf(const protocol::Json& json) {
  protocol::Document document;
  return threads::DecodeStored(json.msgpack, &document) ? ValueOf(document.root) : AttributeValue();
}
AttributeValue ValueOf(Time time) {
  return protocol::FormatTime(time);
}
AttributeValue ValueOf(const std::string& text) {
  return text;
}
AttributeValue ValueOf(int64_t number) {
  return AttributeValue::OfInt(number);
}
template <size_t N>
AttributeValue ValueOf(const protocol::Text<N>& text) {
  return text.value;
}
template <int64_t Low, int64_t High>
AttributeValue ValueOf(const protocol::Bounded<Low, High>& number) {
  return AttributeValue::OfInt(number.value);
}
template <class Id>
requires requires(const Id& id) {
  id.ToText();
}
AttributeValue ValueOf(const Id& id) {
  return id.ToText();
}

template <class T>
AttributeValue OrNull(const std::optional<T>& value) {
  return value ? ValueOf(*value) : AttributeValue();
}
template <class T>
void SetIf(std::string_view name, const std::optional<T>& value, Item* item) {
  if (value) item->Set(name, ValueOf(*value));
}

template <class T>
void SetIf(std::string_view name, const protocol::Omit<T>& value, Item* item) {
  SetIf(name, value.value, item);
}

Item VariantItem(const protocol::FileVariant& variant) {
  Item out{{"name", protocol::NameOf(variant.name)},
           {"mime", ValueOf(variant.mime)},
           {"size", AttributeValue::OfInt(variant.size)}};
  SetIf("w", variant.w, &out);
  SetIf("h", variant.h, &out);
  return out;
}

// Readers of the table know previews and manifests only: an upload is a preview whose key is its id.
void SetUpload(const protocol::Attachment& upload, Item* out) {
  out->Set("kind", protocol::NameOf(protocol::AttachmentKind::kPreview));
  SetIf("s3Key", upload.attachment_id, out);
  SetIf("attachmentId", upload.attachment_id, out);
  SetIf("name", upload.name, out);
  SetIf("size", upload.size, out);
  SetIf("sha256", upload.sha256, out);
  if (upload.state.value) out->Set("state", protocol::NameOf(*upload.state.value));
  SetIf("nsfwBand", upload.nsfw_band, out);
  SetIf("durationMs", upload.duration_ms, out);
  SetIf("createdAt", upload.created_at, out);
  SetIf("by", upload.by, out);
  if (!upload.variants.value) return;
  storage::List variants;
  for (const auto& variant : upload.variants.value->items) variants.push_back(VariantItem(variant));
  out->Set("variants", std::move(variants));
}

Item AttachmentItem(const protocol::Attachment& attachment) {
  Item out{{"kind", protocol::NameOf(attachment.kind)}};
  if (attachment.attachment_id.value) SetUpload(attachment, &out);
  SetIf("s3Key", attachment.s3_key, &out);
  SetIf("manifestRef", attachment.manifest_ref, &out);
  SetIf("mime", attachment.mime, &out);
  SetIf("w", attachment.w, &out);
  SetIf("h", attachment.h, &out);
  return out;
}

Item ActionItem(const protocol::MessageAction& action) {
  return {{"type", ValueOf(action.type)},
          {"payload", ValueOf(action.payload)},
          {"state", ValueOf(action.state)},
          {"version", AttributeValue::OfInt(action.version)}};
}

Item FlagsItem(const protocol::MessageFlags& flags) {
  storage::List hints;
  for (const auto& hint : flags.policy_hints.items) hints.push_back(ValueOf(hint));
  return {{"moderation", protocol::NameOf(flags.moderation)}, {"policyHints", std::move(hints)}};
}

}  // namespace

Item KeyItem(const ThreadId& thread, std::string_view sort) {
  return {{"pk", ThreadText(thread)}, {"sk", sort}};
}

Item ThreadItem(const protocol::Thread& thread) {
  Item out = KeyItem(thread.thread_id, kThreadSort);
  storage::List participants;
  for (const UserId& user : thread.participants.items) participants.push_back(ValueOf(user));
  out.Set("kind", protocol::NameOf(thread.kind));
  out.Set("lbgId", OrNull(thread.lbg_id));
  out.Set("legId", OrNull(thread.leg_id));
  SetIf("buyerUserId", thread.buyer_user_id, &out);
  SetIf("sellerUserId", thread.seller_user_id, &out);
  out.Set("participants", std::move(participants));
  SetIf("city", thread.city, &out);
  out.Set("createdAt", ValueOf(thread.created_at));
  out.Set("updatedAt", ValueOf(thread.updated_at));
  out.Set("status", protocol::NameOf(thread.status));
  SetIf("lastMessageAt", thread.last_message_at, &out);
  out.Set("safeModeRequired", AttributeValue::OfBool(thread.safe_mode_required));
  if (!thread.lbg_id && !thread.leg_id) return out;
  out.Set("GSI2PK", thread.lbg_id ? LbgText(*thread.lbg_id) : LegText(*thread.leg_id));
  out.Set("GSI2SK", ValueOf(thread.created_at));
  return out;
}

Item ParticipantItem(const ThreadId& thread, const threads::ParticipantRow& row, Time place, Time now) {
  Item out = KeyItem(thread, ParticipantText(row.item.user_id));
  out.Set("roleContext", protocol::NameOf(row.item.role_context));
  SetIf("lastReadMsgId", row.item.last_read_msg_id, &out);
  SetIf("lastReadAt", row.item.last_read_at, &out);
  out.Set("muted", AttributeValue::OfBool(threads::IsMuted(row, now)));
  out.Set("blockedUntil", OrNull(row.hidden.blocked_until));
  out.Set("GSI1PK", InboxText(row.item.user_id));
  out.Set("GSI1SK", PlaceText(place));
  return out;
}

Item MessageItem(const protocol::Message& message) {
  Item out = KeyItem(message.thread_id, MessageText(message.message_id));
  storage::List attachments;
  for (const auto& attachment : message.attachments.items) attachments.push_back(AttachmentItem(attachment));
  out.Set("type", protocol::NameOf(message.type));
  out.Set("body", message.body);
  out.Set("attachments", std::move(attachments));
  out.Set("action", message.action ? AttributeValue(ActionItem(*message.action)) : AttributeValue());
  SetIf("authorUserId", message.author_user_id, &out);
  out.Set("nsfwBand", AttributeValue::OfInt(message.nsfw_band));
  out.Set("flags", FlagsItem(message.flags));
  out.Set("createdAt", ValueOf(message.created_at));
  return out;
}

Item CardItem(const ThreadId& thread, const protocol::Card& card) {
  Item out = KeyItem(thread, CardText(card.message_id));
  out.Set("type", ValueOf(card.type));
  out.Set("payload", ValueOf(card.payload));
  out.Set("state", ValueOf(card.state));
  out.Set("version", AttributeValue::OfInt(card.version));
  return out;
}

Item TabItem(const ThreadId& thread, const protocol::Tab& tab) {
  Item out = KeyItem(thread, TabText(tab.tab));
  out.Set("snapshot", ValueOf(tab.content));
  out.Set("version", AttributeValue::OfInt(tab.version));
  out.Set("updatedAt", ValueOf(tab.updated_at));
  return out;
}

}  // namespace parley::fanout
