#include "threads/cards/schema.h"

#include "protocol/value.h"

namespace parley::threads::schemas {
namespace {

using Kind = PayloadField::Kind;
constexpr int64_t kCentsMax = 100'000'000'000;  // a billion, in cents

PayloadField Text(std::string_view name, int64_t most, std::string_view doc) {
  return {name, Kind::kText, false, 1, most, {}, nullptr, doc};
}
PayloadField Int(std::string_view name, int64_t low, int64_t high, std::string_view doc) {
  return {name, Kind::kInt, false, low, high, {}, nullptr, doc};
}
PayloadField Cents(std::string_view name, int64_t low, std::string_view doc) {
  return {name, Kind::kCents, false, low, kCentsMax, {}, nullptr, doc};
}
PayloadField Time(std::string_view name, std::string_view doc) {
  return {name, Kind::kTime, false, 0, 0, {}, nullptr, doc};
}
PayloadField Bool(std::string_view name, std::string_view doc) {
  return {name, Kind::kBool, false, 0, 0, {}, nullptr, doc};
}
PayloadField Word(std::string_view name, std::vector<std::string_view> words, std::string_view doc) {
  return {name, Kind::kWord, false, 0, 0, std::move(words), nullptr, doc};
}
PayloadField Map(std::string_view name, const PayloadSchema* of, std::string_view doc) {
  return {name, Kind::kMap, false, 0, 0, {}, of, doc};
}
PayloadField List(std::string_view name, int64_t low, int64_t high, const PayloadSchema* of,
                  std::string_view doc) {
  return {name, Kind::kList, false, low, high, {}, of, doc};
}
PayloadField Files(std::string_view name, int64_t low, std::string_view doc) {
  return {name, Kind::kFiles, false, low, 20, {}, nullptr, doc};
}
PayloadField Id(std::string_view name, std::string_view doc) {
  return {name, Kind::kId, false, 0, 0, {}, nullptr, doc};
}
PayloadField Need(PayloadField field) {
  field.required = true;
  return field;
}

PayloadField Reason() {
  return Text("reason", 1000, "why");
}
PayloadField Note() {
  return Text("note", 2000, "what the other side should know");
}

const PayloadSchema kRange{{Need(Time("start", "from")), Need(Time("end", "until"))}};
const PayloadSchema kExtraItem{{Need(Text("title", 200, "what")), Need(Int("qty", 1, 10'000, "how many")),
                                Need(Cents("unitCents", 0, "price of one"))}};
const PayloadSchema kGalleryItem{{Need(Text("thumb", 1024, "small picture")),
                                  Text("web", 1024, "larger picture"),
                                  Int("count", 0, 100'000, "how many are behind it")}};

}  // namespace

const PayloadSchema kIds{{Id("legId", "the leg it is about; on a thread of a leg no other than that"),
                          Id("docId", "the document it is about"),
                          Id("amendmentId", "the amendment it is about")}};

const PayloadSchema kReschedule{
    {Map("old", &kRange, "the time as agreed"), Map("proposed", &kRange, "the time asked for"),
     Time("oldStart", "the time as agreed, from"), Time("oldEnd", "until"),
     Time("newStart", "the time asked for, from"), Time("newEnd", "until"), Reason(), Note()},
    {{"newStart", "newEnd"}, {"proposed"}}};
const PayloadSchema kExtra{
    {List("items", 1, 50, &kExtraItem, "what is added"), Text("name", 200, "what is added, if one thing"),
     Cents("priceCents", 0, "its price"), Text("currency", 3, "ISO 4217"), Note()},
    {{"items"}, {"name", "priceCents"}}};
const PayloadSchema kOvertime{{Need(Int("minutes", 1, 120, "how long")), Note()}};
const PayloadSchema kProof{
    {Text("manifestRef", 1024, "a manifest of the proofs"),
     List("gallery", 1, 200, &kGalleryItem, "previews"), Bool("watermarked", "whether the previews are"),
     Time("expiresAt", "when the gallery closes"), Bool("allowSelections", "whether the buyer picks"),
     Int("maxRevisions", 0, 20, "how often revisions may be asked for"), Note()},
    {{"manifestRef"}, {"gallery"}}};
const PayloadSchema kFinal{{Need(Text("manifestRef", 1024, "the external manifest; never an upload")),
                            Int("maxRevisions", 0, 20, "how often revisions may be asked for"), Note()}};
const PayloadSchema kDeliverableIntent{
    {{"deliverableId", Kind::kMessage, true, 0, 0, {}, nullptr, "the deliverable's card"},
     Int("version", 1, protocol::kMaxSafeInteger, "the version of that card that the caller saw"),
     Note()}};
const PayloadSchema kLegReason{{Need(Reason()), Note()}};
const PayloadSchema kRefund{
    {Need(Reason()), Cents("amountCents", 1, "how much; all of it if not given"), Note()}};
const PayloadSchema kComplete{{Word("kind", {"time_based", "milestone"}, "what ends"),
                               Text("milestoneId", 64, "which milestone"), Text("notes", 2000, "remarks"),
                               Files("attachments", 0, "what belongs to it")}};
const PayloadSchema kDeposit{{Need(Cents("amountCents", 1, "how much is claimed")), Need(Reason()),
                              Need(Files("evidence", 1, "what shows it")), Text("details", 4000, "more")}};
const PayloadSchema kDispute{
    {Need(Reason()), Text("details", 4000, "what happened"), Files("evidence", 0, "what shows it")}};
const PayloadSchema kExpense{{Need(Cents("amountCents", 1, "how much")),
                              Need(Text("currency", 3, "ISO 4217")),
                              Need(Text("merchant", 200, "paid to whom")), Need(Time("date", "when")),
                              Need(Text("receiptImage", 1024, "s3Key of the receipt")),
                              Bool("buyerPayable", "whether the buyer pays it"), Note()}};
const PayloadSchema kSafety{{Need(Reason()), Text("notes", 2000, "what happened"),
                             Need(Word("severity", {"low", "medium", "high"}, "how grave"))}};
const PayloadSchema kLocation{
    {Need(Int("latE6", -90'000'000, 90'000'000, "latitude in millionths of a degree")),
     Need(Int("lonE6", -180'000'000, 180'000'000, "longitude likewise")),
     Need(Time("until", "nobody sees it after that"))}};
const PayloadSchema kAny{{}, {}, true};
const PayloadSchema kNote{{Note()}};

}  // namespace parley::threads::schemas
