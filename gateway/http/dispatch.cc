#include "gateway/http/dispatch.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "accounts/sigv4_canonical.h"
#include "gateway/app/origin.h"
#include "gateway/http/http_json.h"
#include "gateway/http/http_limits.h"
#include "protocol/base/reason.h"

namespace parley::gateway {
namespace {

using protocol::Error;
using protocol::Reason;

constexpr std::string_view kTenantParameter = "tenant";  // the tenant that an operator names

std::vector<std::string_view> Segments(std::string_view path) {
  std::vector<std::string_view> out;
  while (!path.empty()) {
    path.remove_prefix(1);
    const size_t end = std::min(path.find('/'), path.size());
    out.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return out;
}

bool IsParameter(std::string_view segment) {
  return segment.size() > 2 && segment.front() == '{';
}

struct Pattern {
  const HttpRoute* route;
  std::vector<std::string_view> segments;
  bool Matches(const std::vector<std::string_view>& path) const {
    return std::equal(segments.begin(), segments.end(), path.begin(), path.end(),
                      [](std::string_view want, std::string_view has) {
                        return IsParameter(want) ? !has.empty() : want == has;
                      });
  }
  // Patterns with more fixed words match first: /v1/events/ack is not an event.
  size_t Words() const {
    return static_cast<size_t>(std::count_if(segments.begin(), segments.end(),
                                             [](std::string_view one) { return !IsParameter(one); }));
  }
};

const std::vector<Pattern>& Patterns() {
  static const auto patterns = [] {
    std::vector<Pattern> out;
    for (const HttpRoute& route : AllRoutes()) out.push_back({&route, Segments(route.path)});
    std::stable_sort(out.begin(), out.end(),
                     [](const Pattern& a, const Pattern& b) { return a.Words() > b.Words(); });
    return out;
  }();
  return patterns;
}

bool Serves(Method method, std::string_view name) {
  return NameOf(method) == name || (method == Method::kGet && name == "HEAD");
}

// Returns the routes of the first pattern that matches, one for each method.
std::vector<const Pattern*> Fitting(std::string_view path) {
  std::vector<const Pattern*> out;
  if (!path.starts_with('/')) return out;
  const auto segments = Segments(path);
  for (const Pattern& pattern : Patterns()) {
    if (pattern.Matches(segments) && (out.empty() || pattern.route->path == out.front()->route->path))
      out.push_back(&pattern);
  }
  return out;
}

const Pattern* Find(std::string_view method, std::string_view path) {
  for (const Pattern* pattern : Fitting(path)) {
    if (Serves(pattern->route->method, method)) return pattern;
  }
  return nullptr;
}

const HttpRoute::Field* FieldNamed(const std::vector<HttpRoute::Field>& fields, std::string_view name) {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const auto& field) { return field.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

// Converts a text to the field's type. A text of another form stays text, and binding rejects it.
protocol::Value ValueOf(const HttpRoute::Field& field, std::string_view text) {
  if (field.type == HttpRoute::FieldType::kBoolean && (text == "true" || text == "false"))
    return protocol::Value(text == "true");
  int64_t number = 0;
  const char* const end = text.data() + text.size();
  if (field.type == HttpRoute::FieldType::kInteger) {
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec == std::errc() && read.ptr == end) return protocol::Value(number);
  }
  return protocol::Value(text);
}

// Collects a request's arguments in one map, which points into the request.
class Arguments {
 public:
  Arguments(const Pattern& pattern, size_t body_max) : pattern_(pattern), body_max_(body_max) {}

  protocol::Status Read(const HttpRequest& request, std::string_view path) {
    const HttpRoute& route = *pattern_.route;
    fields_ = route.fields();
    const bool has_body =
        route.method != Method::kGet && route.method != Method::kDelete && !route.bind_pieces;
    if (has_body) PARLEY_CHECK_OK(ReadBody(request));
    const bool in_body = has_body && route.traits.body_field.empty();
    if (!route.traits.any_query) PARLEY_CHECK_OK(ReadQuery(request, in_body));
    return ReadPath(path);
  }
  const protocol::Map& map() const { return map_; }
  const std::string& tenant() const { return tenant_; }

 private:
  protocol::Status ReadBody(const HttpRequest& request) {
    const size_t own_max = pattern_.route->traits.body_bytes_max, max = own_max == 0 ? body_max_ : own_max;
    if (const auto field = pattern_.route->traits.body_field; !field.empty()) {
      if (request.body.size() > max) return ErrorFor(Reason::kRequestTooLarge, "the body is too long");
      map_.emplace_back(field, protocol::Value(std::string_view(request.body)));
      return protocol::Ok();
    }
    auto body = JsonBody(request, max);
    if (!body.ok()) return std::move(body.error());
    body_ = *std::move(body);
    map_ = *body_.root.as_map();
    return protocol::Ok();
  }

  protocol::Status ReadQuery(const HttpRequest& request, bool in_body) {
    auto parameters = accounts::ParseQuery(accounts::QueryOf(request.target));
    if (!parameters) return Error::BadRequest("the query cannot be read");
    query_ = *std::move(parameters);
    for (const auto& [name, value] : query_) {
      if (name == kTenantParameter) {
        tenant_ = value;
        continue;
      }
      const HttpRoute::Field* field = in_body || IsInPath(name) ? nullptr : FieldNamed(fields_, name);
      if (!field || name == pattern_.route->traits.body_field) return protocol::UnknownField(name);
      map_.emplace_back(field->name, ValueOf(*field, value));
    }
    return protocol::Ok();
  }

  protocol::Status ReadPath(std::string_view path) {
    const auto segments = Segments(path);
    for (size_t i = 0; i < segments.size(); ++i) {
      if (!IsParameter(pattern_.segments[i])) continue;
      const std::string_view name = pattern_.segments[i].substr(1, pattern_.segments[i].size() - 2);
      // Rejects a field that the body gives, too.
      for (const auto& [given, value] : map_) {
        if (given == name) return protocol::UnknownField(name);
      }
      auto decoded = accounts::ParseQuery("v=" + std::string(segments[i]));
      if (!decoded || decoded->size() != 1) return Error::BadRequest("the path cannot be read");
      path_.push_back(std::move(decoded->front().second));
      map_.emplace_back(name, protocol::Value());
      if (name == "tenantId") tenant_ = path_.back();
    }
    // path_ is complete, so the values may point into it.
    size_t next = 0;
    for (size_t i = 0; i < segments.size(); ++i) {
      if (!IsParameter(pattern_.segments[i])) continue;
      const std::string_view name = pattern_.segments[i].substr(1, pattern_.segments[i].size() - 2);
      for (auto& [given, value] : map_) {
        if (given == name) value = protocol::Value(std::string_view(path_[next]));
      }
      ++next;
    }
    return protocol::Ok();
  }

  bool IsInPath(std::string_view name) const {
    const std::string parameter = "{" + std::string(name) + "}";
    return std::find(pattern_.segments.begin(), pattern_.segments.end(), parameter) !=
           pattern_.segments.end();
  }

  const Pattern& pattern_;
  const size_t body_max_;
  std::vector<HttpRoute::Field> fields_;
  protocol::Document body_;
  accounts::QueryParameters query_;
  std::vector<std::string> path_;
  protocol::Map map_;
  std::string tenant_;
};

bool MayCall(const HttpRoute& route, const Identity& who) {
  if (who.is_operator) return (route.who & kOperator) != 0;
  return (route.who & (who.caller.is_service() ? kServices : kUsers)) != 0;
}

// Another tenant's resources answer 404, not 403.
protocol::Status CheckTenant(const HttpRoute& route, const Identity& who, const std::string& tenant) {
  if (!MayCall(route, who)) return ErrorFor(Reason::kNotYourCall, "the caller may not use this route");
  if (!who.is_operator && !tenant.empty() && who.caller.tenant.ToText() != tenant)
    return ErrorFor(Reason::kNoTenant, "no such tenant");
  return protocol::Ok();
}

accounts::Purpose PurposeOf(const HttpRoute& route) {
  if (route.traits.looks) return accounts::Purpose::kAccess;
  return route.traits.administers ? accounts::Purpose::kChange : accounts::Purpose::kOp;
}

}  // namespace

Dispatch::Dispatch(IoThread& io, Refuse refuse) : io_(io), refuse_(std::move(refuse)) {}

std::string Dispatch::MethodsOf(std::string_view path) {
  std::set<Method> methods;
  for (const Pattern* pattern : Fitting(path)) methods.insert(pattern->route->method);
  std::string out;
  for (const Method method : methods) {
    out += (out.empty() ? "" : ", ") + std::string(NameOf(method));
    if (method == Method::kGet) out += ", HEAD";
  }
  return out;
}

std::string Dispatch::RouteOf(std::string_view path) {
  const auto fitting = Fitting(path);
  return fitting.empty() ? std::string() : std::string(fitting.front()->route->path);
}

size_t Dispatch::BodyLimit(std::string_view method, std::string_view path) {
  const Pattern* found = Find(method, path);
  if (!found) return 0;
  const HttpRoute& route = *found->route;
  const bool for_strangers = route.who == kAnyone || !route.traits.credential.empty();
  return for_strangers && route.bind ? kSmallBodyBytes : route.traits.body_bytes_max;
}

bool Dispatch::TakesPieces(std::string_view method, std::string_view path) {
  const Pattern* found = Find(method, path);
  return found && found->route->bind_pieces;
}

HttpHeaders Dispatch::OptionsOf(std::string_view path) {
  HttpHeaders out;
  for (const Pattern* pattern : Fitting(path)) {
    if (out.empty() && pattern->route->traits.options) out = pattern->route->traits.options();
  }
  return out;
}

std::unique_ptr<BodyReceiver> Dispatch::Receive(const std::shared_ptr<HttpExchange>& exchange,
                                                std::string_view path) {
  const HttpRequest& request = exchange->request();
  const Pattern& found = *Find(request.method, path);
  const HttpRoute& route = *found.route;
  const auto respond = Responding(exchange, route);
  Arguments args(found, 0);
  auto read = args.Read(request, path);
  if (read.ok() && io_.node().draining())
    read = protocol::Status(ErrorFor(Reason::kDraining, "the server is draining"));
  auto bound = read.ok() ? route.bind_pieces(route, protocol::Value(args.map()))
                         : protocol::Result<HttpRoute::Receive>(std::move(read.error()));
  if (!bound.ok()) {
    respond(std::move(bound.error()));
    return nullptr;
  }
  return (*bound)(Call{{io_, exchange, route.id}, io_}, respond);
}

HttpRoute::Respond Dispatch::Responding(std::shared_ptr<HttpExchange> exchange,
                                        const HttpRoute& route) const {
  return [refuse = refuse_, exchange = std::move(exchange),
          headers = route.traits.headers](protocol::Result<HttpResponse> answer) {
    HttpResponse response = answer.ok() ? *std::move(answer) : refuse(answer.error());
    if (headers) {
      for (auto& header : headers()) response.headers.push_back(std::move(header));
    }
    exchange->Respond(std::move(response));
  };
}

bool Dispatch::Handle(const std::shared_ptr<HttpExchange>& exchange, std::string_view path) {
  const HttpRequest& request = exchange->request();
  const Pattern* found = Find(request.method, path);
  if (!found) {
    const std::string methods = MethodsOf(path);
    if (methods.empty()) return false;
    HttpResponse refusal = refuse_(Error::BadRequest("this path does not support the method"));
    refusal.status = 405;
    refusal.headers.emplace_back("Allow", methods);
    exchange->Respond(std::move(refusal));
    return true;
  }
  if (!found->route->bind) return false;
  Arguments args(*found, static_cast<size_t>(io_.node().config().max_frame_bytes));
  if (auto read = args.Read(request, path); !read.ok()) {
    exchange->Respond(refuse_(read.error()));
  } else if (io_.node().draining() && found->route->method != Method::kGet) {
    exchange->Respond(refuse_(ErrorFor(Reason::kDraining, "the server is draining")));
  } else {
    Run(exchange, *found->route, protocol::Value(args.map()), args.tenant());
  }
  return true;
}

void Dispatch::Run(const std::shared_ptr<HttpExchange>& exchange, const HttpRoute& route,
                   const protocol::Value& args, std::string tenant) {
  auto bound = route.bind(route, args);
  if (!bound.ok()) return exchange->Respond(refuse_(bound.error()));
  const auto respond = Responding(exchange, route);
  const auto call = std::make_shared<Call>(Call{{io_, exchange, route.id}, io_});
  if (route.who == kAnyone || (!route.traits.credential.empty() && args.Find(route.traits.credential)))
    return (*bound)(*call, respond);
  auto knock = KnockOf(io_.node().config(), exchange->request());
  if (!knock.ok()) return respond(std::move(knock.error()));
  call->credential = knock->credential;
  if (route.traits.of_no_tenant) {
    auto is_operator = io_.node().authenticator().IsOperator(*knock);
    if (!is_operator.ok()) return respond(std::move(is_operator.error()));
    call->who.is_operator = *is_operator;
    if (*is_operator) return (*bound)(*call, respond);
  }
  knock->purpose = PurposeOf(route);
  knock->writes = route.method != Method::kGet && !route.traits.for_readers;
  knock->tenant = tenant;
  Authenticate(io_, io_.road(), *std::move(knock),
               [this, call, &route, tenant = std::move(tenant), run = *std::move(bound),
                respond](protocol::Result<Identity> judged) {
                 if (!judged.ok()) return respond(std::move(judged.error()));
                 call->who = *std::move(judged);
                 if (auto may = CheckTenant(route, call->who, tenant); !may.ok())
                   return respond(std::move(may.error()));
                 RunCharged(call, run, respond);
               });
}

// Adds the caller's remaining rate limit to the answer.
void Dispatch::RunCharged(const std::shared_ptr<Call>& call, const HttpRoute::Run& run,
                          const HttpRoute::Respond& respond) {
  RateLimits& limits = io_.node().rate_limits();
  const auto charged = limits.Charge(call->who, {});
  const accounts::Verdict verdict = charged ? charged->verdict : accounts::Verdict{};
  if (!verdict.allowed) return respond(accounts::RateLimited(verdict));
  run(*call, [refuse = refuse_, &clock = io_.node().clock(), respond,
              verdict](protocol::Result<HttpResponse> answer) {
    const bool adds = answer.ok() || answer.error().rate_limit == 0;
    HttpResponse response = answer.ok() ? *std::move(answer) : refuse(answer.error());
    if (adds) AddRateHeaders(verdict, clock.Now(), &response);
    respond(std::move(response));
  });
}

}  // namespace parley::gateway
