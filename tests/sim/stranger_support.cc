#include "tests/sim/stranger_support.h"

namespace parley::sim {

using protocol::Value;
using protocol::Writer;

// The wall clock is set by hours in both directions, and a token is valid for at most a day.
std::string StrangersToken(Process& process, const std::string& user, const std::string& role) {
  constexpr int64_t kHalfDayS = 12 * 3600;
  const accounts::TenantPtr tenant = process.node().tenants().Find(kStrangersTenant);
  accounts::Claims claims;
  claims.sub = user;
  claims.tid = kStrangersTenant;
  claims.role = role;
  claims.iat_s = process.clock().Now().ms / 1000 - kHalfDayS;
  claims.exp_s = *claims.iat_s + 2 * kHalfDayS;
  return accounts::SignHs256(claims, tenant->signing_secret);
}

void Stranger::Come(Process& process, size_t io) {
  Dial(process, io);
  process_ = &process;
  ready_ = false;
  if (!connected()) return;
  Writer args;
  args.BeginMap(2);
  Put(args, "token", Token());
  Put(args, "deliver", "all");
  Request("session.hello", args, [this](const Value* ok, const std::string&) { ready_ = ok != nullptr; });
}

void Stranger::Go() {
  if (idle() && outstanding() == 0) Disconnect();
}

void Stranger::Run(const Errand& errand) {
  protocol::Document args;
  if (protocol::DecodeJson(errand.args, {}, &args)) return Complain("args of ours are bad: " + errand.args);
  Writer w;
  w.Put(args.root);
  const size_t number = next_errand_++;
  errands_[number] = errand.done;
  Request(errand.op.c_str(), w, [this, number](const Value* ok, const std::string& code) {
    const auto found = errands_.find(number);
    if (found == errands_.end()) return;  // the connection was lost in the meantime
    const Errand::Done done = std::move(found->second);
    errands_.erase(found);
    done(ok, code);
  });
}

void Stranger::OnLineLost() {
  ready_ = false;
  for (const auto& [number, done] : std::exchange(errands_, {})) done(nullptr, "");
}

void Stranger::OnClosed(uint16_t code) {
  if (code != 4401 && code != 4508) Complain("closed with " + std::to_string(code));
}

}  // namespace parley::sim
