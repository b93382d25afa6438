// The op tab.put. It also applies the rules of individual tabs: finals do not change, services write docs and
// expenses, and the thread's head shows the progress of the shot list.
#include "threads/panel/put_tab.h"

#include "protocol/base/reason.h"
#include "protocol/message_items.h"
#include "threads/model/pins.h"
#include "threads/panel/tab_files.h"
#include "threads/panel/tab_rules.h"

namespace parley::threads {
namespace {

using protocol::TabName;

std::string ReplyFor(const protocol::Tab& tab, int64_t band_max) {
  protocol::TabReply reply;
  reply.tab.msgpack = Wire(ShownTab(tab, band_max));
  return protocol::Encode(reply);
}

protocol::Status MayAuthor(const Standing& standing, const Caller& caller, TabAuthor author) {
  switch (author) {
    case TabAuthor::kNobody:
      return ErrorFor(protocol::Reason::kTabDerived, "this tab is derived from the open cards");
    case TabAuthor::kServices:
      if (caller.is_service()) return protocol::Ok();
      return ErrorFor(protocol::Reason::kTabOfServices, "this tab is written by services");
    case TabAuthor::kDelivered:
      // Only the back end itself may report a delivery elsewhere, not a service that acts as a user.
      if (caller.is_service() && !caller.user) return protocol::Ok();
      break;
    case TabAuthor::kMembers:
      break;
  }
  return RequirePermission(standing, protocol::Permission::kWrite);
}

protocol::Status MayPut(const PutTab::Loaded& loaded, const Caller& caller, TabName tab) {
  const Standing& standing = loaded.standing;
  PARLEY_CHECK_OK(RequireProject(standing.head));
  PARLEY_CHECK_OK(MayAuthor(standing, caller, SpecOf(tab).author));
  return RequireMayWrite(standing, caller);
}

// Only the seller and the back end deliver finals.
bool MayDeliver(const PutTab::Loaded& loaded, const Caller& caller) {
  return caller.is_service() || caller.user == loaded.standing.head.item.seller_user_id;
}

// A conflict carries the server's tab with its version, author and time: together with the client's base and
// its own copy, these are the three sides of a merge.
Error Conflict(const PutTab::Loaded& loaded, TabName tab, int64_t based_on, int64_t band_max) {
  const protocol::Tab current = loaded.tab ? loaded.tab->item : EmptyTab(tab, loaded.standing.head);
  Error error(ErrorCode::kPanelVersionConflict, "the tab has another version");
  error.current = Wire(ShownTab(current, band_max));
  error.fields.emplace_back("version", "based on " + std::to_string(based_on) + ", the tab is at " +
                                           std::to_string(current.version));
  return error;
}

}  // namespace

Result<PutTab::Loaded> PutTab::Load(Transaction& tx, const Caller& caller, const Op::Args& args) {
  Loaded loaded;
  PARLEY_CHECK_OK(CheckTabContent(args.tab, args.content, "content", &loaded.content));
  PARLEY_TRY(standing, tx.StandingOf(caller, args.thread_id));
  PARLEY_TRY(tab, tx.Rows(caller.tenant).Tab(args.thread_id, args.tab));
  PARLEY_TRY(files, LoadTabFiles(tx.Rows(caller.tenant), args));
  loaded.standing = std::move(standing);
  loaded.files = std::move(files);
  loaded.tab = std::move(tab);
  return loaded;
}

Result<Decision> PutTab::Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                const SizeLimits& limits, Moment moment) {
  PARLEY_CHECK_OK(MayPut(loaded, caller, args.tab));
  const int64_t version = loaded.tab ? loaded.tab->item.version : 0;
  const int64_t band_max = BandMaxOf(caller, loaded.standing.head.item);
  if (args.version.value != version) return Conflict(loaded, args.tab, args.version.value, band_max);
  PARLEY_TRY(before, ReadContent(loaded.tab));
  const TabSpec& spec = SpecOf(args.tab);
  if (spec.check) PARLEY_CHECK_OK(spec.check(before.root, loaded.content.root, MayDeliver(loaded, caller)));
  protocol::Json content = args.content;
  if (spec.finish) {
    PARLEY_TRY(finished, spec.finish(args.content, loaded.content.root, before.root,
                                     {caller.user, band_max, moment.now}));
    content = std::move(finished);
  }
  PARLEY_TRY(shown, WithTabFiles({args.tab, before.root, content}, loaded.files, caller));
  content = std::move(shown);
  if (WithoutFiles(PlacesInTab(args.tab), content).msgpack.size() > limits.max_tab_bytes)
    return ErrorFor(protocol::Reason::kTabTooLarge, "the content is larger than a tab may be");
  if (loaded.tab && loaded.tab->item.content == content)
    return AnswerOnly(ReplyFor(loaded.tab->item, band_max));

  TabRow row = loaded.tab.value_or(TabRow());
  row.item.tab = args.tab;
  row.item.content = std::move(content);
  row.item.updated_by = caller.user;
  Draft draft(loaded.standing.head, moment.now);
  if (spec.summarise) spec.summarise(loaded.content.root, &draft.head().item);
  const protocol::Tab tab = draft.TabChanged(std::move(row));
  MarkShownByTab(caller.tenant, args, loaded.tab ? &*loaded.tab : nullptr, loaded.files, &draft);
  if (spec.outcomes) {
    for (const std::string& text : spec.outcomes(before.root, loaded.content.root))
      draft.AppendSystem(text, moment.ids);
  }
  return draft.Finish(ReplyFor(tab, band_max));
}

}  // namespace parley::threads
