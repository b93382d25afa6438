#include "threads/cards/card_files.h"

#include <set>

namespace parley::threads {
namespace {

constexpr size_t kMostFiles = 64;  // more than any payload may name

Error Unusable(const FileRef& ref, const char* what) {
  Error error(ErrorCode::kCardInvalid, ref.path + ": " + what);
  error.fields.emplace_back(ref.path, what);
  return error;
}

}  // namespace

Result<std::vector<NamedFile>> LoadCardFiles(const RowReader& rows, const protocol::CardCreate::Args& args) {
  return ReadNamed(rows, args.thread_id, PlacesInCard(args.type.value), args.payload, kMostFiles);
}

Result<protocol::Json> WithCardFiles(std::string_view type, const protocol::Json& payload,
                                     const std::vector<NamedFile>& files, const Caller& caller) {
  std::set<AttachmentId> named;
  for (const NamedFile& file : files) {
    if (!named.insert(file.ref.id).second) return Unusable(file.ref, "names an upload twice");
    PARLEY_CHECK_OK(RequireMayShow(file, caller, ErrorCode::kCardInvalid));
    const auto& cards = file.row->cards.value;
    if (cards && cards->items.size() == kMaxCardsOfFile)
      return Unusable(file.ref, "names an upload that too many cards show");
  }
  return WithFiles(PlacesInCard(type), payload, files);
}

void MarkShownByCard(const TenantId& tenant, const protocol::CardCreate::Args& args,
                     const std::vector<NamedFile>& files, const MessageId& card, Draft* draft) {
  for (const NamedFile& file : files) MarkShownByCard(tenant, args.thread_id, *file.row, card, draft);
}

}  // namespace parley::threads
