// The list and get commands on a stopped store, with the same members as a server's responses.
#include <algorithm>
#include <tuple>

#include "accounts/audit/audit_row.h"
#include "accounts/tenants/administration.h"
#include "accounts/tenants/tenant_keys.h"
#include "accounts/users/user_reads.h"
#include "ctl/command.h"
#include "ctl/ctl.h"
#include "ctl/show.h"
#include "features/settings.h"
#include "protocol/base/clock.h"
#include "protocol/base/reason.h"
#include "protocol/schema.h"
#include "storage/declarations/load.h"
#include "storage/engine/catalog.h"
#include "storage/engine/service_rules.h"

namespace parley::ctl {
namespace {

using accounts::RecordReads;
using protocol::Error;
using protocol::Status;
using protocol::TenantId;

constexpr size_t kRowsRead = 200;

class StoreRun {
 public:
  StoreRun(const storage::Table& table, const storage::Sealer& sealer, const CtlArgs& args, std::FILE* out)
      : table_(table),
        args_(args),
        out_(out),
        now_(protocol::SystemClock().Now()),
        sealer_(sealer),
        listing_(args.asked->columns, args.json, out) {}

  // Returns nullopt if the command needs a running server.
  std::optional<Status> Run() {
    const auto is = [this](std::string_view noun, std::string_view verb) {
      return args_.asked->noun == noun && args_.asked->verb == verb;
    };
    if (is("tenant", "list")) return Finished(ListTenants());
    if (is("tenant", "get")) return GetTenant();
    if (is("key", "list")) return Finished(ListKeys());
    if (is("user", "list")) return Finished(ListUsers());
    if (is("user", "get")) return GetUser();
    if (is("table", "list")) return Finished(ListTables());
    if (is("audit", "export")) return Finished(ExportAudit());
    return std::nullopt;
  }

 private:
  Status Finished(Status status) {
    if (status.ok()) listing_.Finish();
    return status;
  }
  template <class T>
  static protocol::Document DocumentOf(const T& shown) {
    protocol::Document document;
    protocol::DecodeLimits limits;
    limits.max_bytes = size_t{64} << 20;
    if (protocol::DecodeMsgpack(protocol::Encode(shown), limits, &document)) return {};
    return document;
  }
  std::string ValueOf(std::string_view parameter) const {
    const auto found = args_.values.find(parameter);
    return found == args_.values.end() ? std::string() : found->second;
  }
  RecordReads ReadsOf(const TenantId& tenant) const { return {table_, tenant, now_, sealer_}; }
  protocol::Result<TenantId> TenantMeant() const {
    const auto tenant = TenantId::FromText(args_.tenant);
    if (!tenant) return Error::BadRequest("--tenant is required");
    return *tenant;
  }

  Status ListTenants() {
    std::vector<TenantId> ids;
    if (const auto status = accounts::ListTenants(table_, &ids); !status.ok())
      return Error(protocol::ErrorCode::kInternal, status.detail);
    std::vector<accounts::Tenant> all;
    for (const TenantId& id : ids) {
      PARLEY_TRY(tenant, accounts::ReadTenant(ReadsOf(id)));
      if (tenant) all.push_back(*std::move(tenant));
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return std::tie(a.created_at, a.id) < std::tie(b.created_at, b.id);
    });
    for (const accounts::Tenant& tenant : all) listing_.Add(DocumentOf(features::AnswerOf(tenant)).root);
    return protocol::Ok();
  }

  Status GetTenant() {
    const auto id = TenantId::FromText(ValueOf("tenantId"));
    if (!id) return ErrorFor(protocol::Reason::kNoTenant, "no such tenant");
    PARLEY_TRY(tenant, accounts::ReadTenant(ReadsOf(*id)));
    if (!tenant) return ErrorFor(protocol::Reason::kNoTenant, "no such tenant");
    ShowOne(DocumentOf(features::AnswerOf(*tenant)).root, args_.json, out_);
    return protocol::Ok();
  }

  Status ListKeys() {
    PARLEY_TRY(tenant, TenantMeant());
    PARLEY_TRY(keys, accounts::ListTenantKeys(ReadsOf(tenant)));
    for (const accounts::TenantKey& key : keys) listing_.Add(DocumentOf(key).root);
    return protocol::Ok();
  }

  void Add(const accounts::User& user) { listing_.Add(DocumentOf(accounts::ViewOf(user)).root); }

  Status ListUsers() {
    PARLEY_TRY(tenant, TenantMeant());
    const RecordReads reads = ReadsOf(tenant);
    if (const std::string email = ValueOf("email"); !email.empty()) {
      PARLEY_TRY(user, accounts::FindUserByEmail(reads, email));
      if (user) Add(*user);
      return protocol::Ok();
    }
    if (const std::string identity = ValueOf("identity"); !identity.empty()) {
      PARLEY_TRY(user, accounts::FindUserByIdentity(reads, identity));
      if (user) Add(*user);
      return protocol::Ok();
    }
    accounts::UserListing ask{ValueOf("prefix"), {}, kRowsRead};
    do {
      PARLEY_TRY(page, accounts::ListUsers(reads, ask));
      for (const accounts::User& user : page.users) Add(user);
      ask.after = page.last;
    } while (ask.after);
    return protocol::Ok();
  }

  Status GetUser() {
    PARLEY_TRY(tenant, TenantMeant());
    const auto id = protocol::UserId::FromText(ValueOf("userId"));
    if (!id) return ErrorFor(protocol::Reason::kNoUser, "no such user");
    PARLEY_TRY(user, accounts::FindUser(ReadsOf(tenant), *id));
    if (!user) return ErrorFor(protocol::Reason::kNoUser, "no such user");
    ShowOne(DocumentOf(accounts::ViewOf(*user)).root, args_.json, out_);
    return protocol::Ok();
  }

  Status ListTables() {
    PARLEY_TRY(tenant, TenantMeant());
    storage::Catalog catalog(storage::SeedTables());
    if (const auto status = catalog.Load(table_); !status.ok())
      return Error(protocol::ErrorCode::kInternal, status.detail);
    for (const storage::TableDefPtr& def : catalog.List(tenant))
      listing_.Add(protocol::Value(protocol::Map{{"name", protocol::Value(std::string_view(def->name))}}));
    return protocol::Ok();
  }

  // Oldest first, unlike a server's pages.
  Status ExportAudit() {
    PARLEY_TRY(tenant, TenantMeant());
    PARLEY_TRY(from, TimeIn("from", protocol::Time{}));
    PARLEY_TRY(to, TimeIn("to", protocol::Time{INT64_MAX}));
    bool sound = true;
    const auto status = table_.Scan(
        accounts::AuditPartition(tenant), {accounts::AuditEntryKey(0), accounts::AuditEntryKey(UINT64_MAX)},
        storage::Direction::kForward, SIZE_MAX, [&](std::string_view, storage::RowView row) {
          protocol::ChainEntry entry;
          sound = accounts::DecodeChainEntry(row.payload, &entry);
          if (!sound) return false;
          if (entry.at >= from && entry.at < to && IsMeant(entry)) listing_.Add(DocumentOf(entry).root);
          return true;
        });
    if (!status.ok()) return Error(protocol::ErrorCode::kInternal, status.detail);
    if (!sound) return Error(protocol::ErrorCode::kInternal, "an entry of the audit cannot be read");
    return protocol::Ok();
  }
  protocol::Result<protocol::Time> TimeIn(std::string_view parameter, protocol::Time otherwise) const {
    const std::string text = ValueOf(parameter);
    if (text.empty()) return otherwise;
    const auto time = protocol::ParseTime(text);
    if (!time) return Error::BadRequest("a time must have the form 2025-11-05T14:12:07.123Z");
    return *time;
  }
  bool IsMeant(const protocol::ChainEntry& entry) const {
    const std::pair<const char*, accounts::AuditFacet> facets[] = {
        {"threadId", accounts::AuditFacet::kThread},
        {"actor", accounts::AuditFacet::kActor},
        {"userId", accounts::AuditFacet::kUser},
        {"caseId", accounts::AuditFacet::kCase}};
    return std::all_of(std::begin(facets), std::end(facets), [&](const auto& facet) {
      const std::string asked = ValueOf(facet.first);
      return asked.empty() || FacetOf(entry, facet.second) == asked;
    });
  }

  const storage::Table& table_;
  const CtlArgs& args_;
  std::FILE* const out_;
  const protocol::Time now_;
  const storage::Sealer sealer_;
  Listing listing_;
};

}  // namespace

int CtlOnStore(const storage::Table& table, const storage::Sealer& sealer, const CtlArgs& args,
               std::FILE* out, std::FILE* err) {
  const auto done = StoreRun(table, sealer, args, out).Run();
  if (!done) {
    std::fprintf(err, "parleyctl: %s %s needs a running server: --url\n",
                 std::string(args.asked->noun).c_str(), std::string(args.asked->verb).c_str());
    return kCtlCouldNotRun;
  }
  if (done->ok()) return kCtlClean;
  std::fprintf(err, "parleyctl: %s\n", done->error().message.c_str());
  return kCtlCouldNotRun;
}

}  // namespace parley::ctl
