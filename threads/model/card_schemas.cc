#include "threads/model/card_schemas.h"

#include "protocol/value.h"

namespace parley::threads::schemas {
namespace {

using Kind = SchemaField::Kind;
constexpr int64_t kCentsMax = 100'000'000'000;  // a billion, in cents

SchemaField Text(std::string_view name, int64_t most, std::string_view doc) {
  return {.name = name, .kind = Kind::kText, .low = 1, .high = most, .doc = doc};
}
SchemaField Int(std::string_view name, int64_t low, int64_t high, std::string_view doc) {
  return {.name = name, .kind = Kind::kInt, .low = low, .high = high, .doc = doc};
}
SchemaField Cents(std::string_view name, int64_t low, std::string_view doc) {
  return {.name = name, .kind = Kind::kCents, .low = low, .high = kCentsMax, .doc = doc};
}
SchemaField Time(std::string_view name, std::string_view doc) {
  return {.name = name, .kind = Kind::kTime, .doc = doc};
}
SchemaField Bool(std::string_view name, std::string_view doc) {
  return {.name = name, .kind = Kind::kBool, .doc = doc};
}
SchemaField Word(std::string_view name, std::vector<std::string_view> words, std::string_view doc) {
  return {.name = name, .kind = Kind::kWord, .words = std::move(words), .doc = doc};
}
SchemaField Map(std::string_view name, const Schema* of, std::string_view doc) {
  return {.name = name, .kind = Kind::kMap, .of = of, .doc = doc};
}
SchemaField List(std::string_view name, int64_t low, int64_t high, const Schema* of, std::string_view doc) {
  return {.name = name, .kind = Kind::kList, .low = low, .high = high, .of = of, .doc = doc};
}
SchemaField Files(std::string_view name, int64_t low, std::string_view doc) {
  return {.name = name, .kind = Kind::kFiles, .low = low, .high = 20, .doc = doc};
}
SchemaField Id(std::string_view name, std::string_view doc) {
  return {.name = name, .kind = Kind::kId, .doc = doc};
}
SchemaField Need(SchemaField field) {
  field.required = true;
  return field;
}

SchemaField Reason() {
  return Text("reason", 1000, "the reason");
}
SchemaField Note() {
  return Text("note", 2000, "a note for the other side");
}

const Schema kRange{{Need(Time("start", "from")), Need(Time("end", "until"))}};
const Schema kExtraItem{{Need(Text("title", 200, "its title")), Need(Int("qty", 1, 10'000, "the number")),
                         Need(Cents("unitCents", 0, "price of one"))}};
const Schema kGalleryItem{{Need(Text("thumb", 1024, "small picture")), Text("web", 1024, "larger picture"),
                           Int("count", 0, 100'000, "the number of files in it")}};

}  // namespace

const Schema kIds{{Id("legId", "the leg it is about; in a thread of a leg, only that leg"),
                   Id("orderId", "the order it is about, if that is not a leg"),
                   Id("docId", "the document it is about"), Id("amendmentId", "the amendment it is about")}};

const Schema kReschedule{
    {Map("old", &kRange, "the time as agreed"), Map("proposed", &kRange, "the time asked for"),
     Time("oldStart", "the time as agreed, from"), Time("oldEnd", "until"),
     Time("newStart", "the time asked for, from"), Time("newEnd", "until"), Reason(), Note()},
    {{"newStart", "newEnd"}, {"proposed"}}};
const Schema kExtra{
    {List("items", 1, 50, &kExtraItem, "the added items"), Text("name", 200, "the added item, if it is one"),
     Cents("priceCents", 0, "its price"), Text("currency", 3, "ISO 4217"), Note()},
    {{"items"}, {"name", "priceCents"}}};
const Schema kOvertime{{Need(Int("minutes", 1, 120, "the duration")), Note()}};
const Schema kProof{
    {Text("manifestRef", 1024, "a manifest of the proofs"),
     List("gallery", 1, 200, &kGalleryItem, "previews"), Bool("watermarked", "the previews have watermarks"),
     Time("expiresAt", "end of the gallery"), Bool("allowSelections", "the buyer may select files"),
     Int("maxRevisions", 0, 20, "the most revisions that may be requested"), Note()},
    {{"manifestRef"}, {"gallery"}}};
const Schema kFinal{{Need(Text("manifestRef", 1024, "the external manifest; never an upload")),
                     Int("maxRevisions", 0, 20, "the most revisions that may be requested"), Note()}};
const Schema kDeliverableIntent{
    {{.name = "deliverableId", .kind = Kind::kMessage, .required = true, .doc = "the deliverable's card"},
     Int("version", 1, protocol::kMaxSafeInteger, "the version of that card that the caller saw"),
     Note()}};
const Schema kLegReason{{Need(Reason()), Note()}};
const Schema kRefund{{Need(Reason()), Cents("amountCents", 1, "the amount; all of it if not given"), Note()}};
const Schema kComplete{{Word("kind", {"time_based", "milestone"}, "the part that is complete"),
                        Text("milestoneId", 64, "the milestone"), Text("notes", 2000, "remarks"),
                        Files("attachments", 0, "its attachments")}};
const Schema kDeposit{{Need(Cents("amountCents", 1, "the claimed amount")), Need(Reason()),
                       Need(Files("evidence", 1, "the evidence")), Text("details", 4000, "more")}};
const Schema kDispute{{Need(Reason()), Text("details", 4000, "a description of the event"),
                       Files("evidence", 0, "the evidence")}};
const Schema kExpense{{Need(Cents("amountCents", 1, "the amount")), Need(Text("currency", 3, "ISO 4217")),
                       Need(Text("merchant", 200, "the receiver of the payment")),
                       Need(Time("date", "time of the expense")),
                       Need({.name = "receiptImage", .kind = Kind::kFile, .doc = "the receipt"}),
                       Bool("buyerPayable", "the buyer pays it"), Note()}};
const Schema kSafety{{Need(Reason()), Text("notes", 2000, "a description of the event"),
                      Need(Word("severity", {"low", "medium", "high"}, "the severity"))}};
const Schema kLocation{{Need(Int("latE6", -90'000'000, 90'000'000, "latitude in millionths of a degree")),
                        Need(Int("lonE6", -180'000'000, 180'000'000, "longitude in millionths of a degree")),
                        Need(Time("until", "it is hidden after this time"))}};
const Schema kAny{{}, {}, true};
const Schema kNote{{Note()}};

}  // namespace parley::threads::schemas
