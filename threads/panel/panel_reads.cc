#include "threads/panel/panel_reads.h"

#include "threads/cards/card_reads.h"
#include "threads/model/mask.h"
#include "threads/model/pins.h"
#include "threads/panel/tab_rules.h"

namespace parley::threads {
namespace {

std::string ShownTo(const Standing& standing, std::string tab) {
  return standing.masked ? MaskedWire(protocol::ChangeKind::kTab, tab) : tab;
}

}  // namespace

ReadAnswer GetTab(const ReadContext& context, const protocol::TabGet::Args& args) {
  PARLEY_TRY(standing, StandingOf(context, args.thread_id));
  protocol::TabReply reply;
  if (args.tab == protocol::TabName::kActions) {
    PARLEY_TRY(open, ReadOpenCards(context.rows(), context.caller, standing.head, context.now));
    reply.tab.msgpack = ShownTo(standing, Wire(ActionsTab(standing.head, open)));
    return protocol::Encode(reply);
  }
  PARLEY_TRY(row, context.rows().Tab(args.thread_id, args.tab));
  const int64_t band_max = BandMaxOf(context.caller, standing.head.item);
  reply.tab.msgpack =
      ShownTo(standing, Wire(row ? ShownTab(row->item, band_max) : EmptyTab(args.tab, standing.head)));
  return protocol::Encode(reply);
}

}  // namespace parley::threads
