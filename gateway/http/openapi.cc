#include "gateway/http/openapi.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "features/ops.h"
#include "gateway/http/route.h"
#include "gateway/net/compression.h"
#include "gateway/ops/asyncapi.h"
#include "protocol/json_schema.h"
#include "protocol/message_items.h"

namespace parley::gateway {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson Json(const std::string& text) {
  return OrderedJson::parse(text);
}

OrderedJson Content(OrderedJson schema, std::string_view media = kMediaJson) {
  return {{std::string(media), {{"schema", std::move(schema)}}}};
}

OrderedJson Refusals() {
  return {{"description", "A refusal."}, {"content", Content({{"$ref", "#/components/schemas/Refusal"}})}};
}

std::string RefusalText(protocol::NamedSchemas* named) {
  return OrderedJson({{"type", "object"},
                      {"properties", {{"error", Json(ErrorSchema(named))}}},
                      {"required", OrderedJson::array({"error"})}})
      .dump();
}

std::string Lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

OrderedJson ParameterOf(const HttpRoute::Field& field, const char* in, protocol::NamedSchemas* named) {
  return {{"name", field.name},
          {"in", in},
          {"required", field.required},
          {"description", field.about},
          {"schema", Json(field.schema(named))}};
}

bool IsOfTables(const HttpRoute& route) {
  return route.traits.media == kMediaTables;
}

OrderedJson TypeOf(std::string_view media) {
  return {{"type", media == kMediaText || media == kMediaHtml ? "string" : "object"}};
}

OrderedJson OtherAnswerOf(const HttpRoute::Traits& traits) {
  if (traits.otherwise == 404) return Refusals();
  if (traits.otherwise == 426) {
    OrderedJson out = Refusals();
    out["description"] = "The request asks for no upgrade.";
    return out;
  }
  OrderedJson out = {{"description", "Not ready."}};
  if (!traits.media.empty()) out["content"] = Content(TypeOf(traits.media), traits.media);
  return out;
}

std::string TableRefusalText(protocol::NamedSchemas*) {
  const OrderedJson text = {{"type", "string"}};
  return OrderedJson({{"type", "object"},
                      {"properties", {{"__type", text}, {"message", text}, {"Message", text}}},
                      {"required", OrderedJson::array({"__type"})}})
      .dump();
}

OrderedJson TableRefusals(protocol::NamedSchemas* named) {
  return {{"description", "A refusal, as Amazon DynamoDB has it."},
          {"content", Content(Json(named->Refer("TableRefusal", &TableRefusalText)), kMediaTables)}};
}

// The header that names the operation on tables.
OrderedJson TargetParameter() {
  return {{"name", "X-Amz-Target"},
          {"in", "header"},
          {"required", true},
          {"description", "DynamoDB_20120810. and the operation"},
          {"schema", {{"type", "string"}}}};
}

OrderedJson HeaderSchema() {
  return {{"type", "string"}};
}

OrderedJson HeaderParameter(const HttpRoute::HeaderDoc& header) {
  return {{"name", header.name},
          {"in", "header"},
          {"required", header.required},
          {"description", header.about},
          {"schema", HeaderSchema()}};
}

OrderedJson HeadersOf(const HttpRoute& route) {
  OrderedJson out = OrderedJson::object();
  for (const HttpRoute::HeaderDoc& header : route.traits.gives)
    out[std::string(header.name)] = {{"description", header.about}, {"schema", HeaderSchema()}};
  return out;
}

// Returns a sentence about who may call.
std::string WhoMay(uint8_t who) {
  std::string out;
  for (const auto& [bit, name] :
       {std::pair{kUsers, "users"}, {kServices, "tenant keys"}, {kOperator, "the operator"}}) {
    if (who & bit) out += (out.empty() ? "For " : ", ") + std::string(name);
  }
  return out.empty() ? "For anyone." : out + ".";
}
std::string WhoMay(const HttpRoute& route) {
  if (IsOfTables(route)) return "For table keys, by AWS Signature Version 4.";
  const std::string_view credential = route.traits.credential;
  if (credential.empty()) return WhoMay(route.who);
  return WhoMay(route.who) + " With " + std::string(credential) + ", no other credential is needed.";
}

// Returns the accepted credentials; an empty object among others makes them optional.
OrderedJson SecurityOf(const HttpRoute& route) {
  OrderedJson out = OrderedJson::array();
  if (IsOfTables(route)) out.push_back({{"tableKey", OrderedJson::array()}});
  if (route.who != kAnyone) out.push_back({{"bearer", OrderedJson::array()}});
  if (!route.traits.credential.empty()) out.push_back(OrderedJson::object());
  return out;
}

// Returns the possible answers. Refusals have the form of their API; routes without refusals list their other
// status.
OrderedJson AnswersOf(const HttpRoute& route, protocol::NamedSchemas* named) {
  const HttpRoute::Traits& traits = route.traits;
  OrderedJson answer = {{"description", "Done."}};
  if (const std::string schema = route.reply_schema(named); !schema.empty())
    answer["content"] = Content(Json(schema));
  else if (traits.any_query && !traits.media.empty())
    answer["content"] = Content(TypeOf(traits.media), traits.media);
  if (!traits.gives.empty()) answer["headers"] = HeadersOf(route);
  OrderedJson out = {{std::to_string(route.status), std::move(answer)}};
  if (traits.otherwise != 0) out[std::to_string(traits.otherwise)] = OtherAnswerOf(traits);
  if (IsOfTables(route)) out["default"] = TableRefusals(named);
  if (!traits.any_query) out["default"] = Refusals();
  return out;
}

OrderedJson BodyOf(const std::vector<HttpRoute::Field>& fields, const HttpRoute& route,
                   protocol::NamedSchemas* named) {
  OrderedJson properties = OrderedJson::object(), required = OrderedJson::array();
  for (const HttpRoute::Field& field : fields) {
    if (field.name == route.traits.body_field) return {{"content", Content({{"type", "object"}})}};
    OrderedJson schema = Json(field.schema(named));
    // Clients may send null for an absent field.
    if (!field.required) schema = {{"anyOf", OrderedJson::array({schema, {{"type", "null"}}})}};
    if (!field.about.empty()) schema["description"] = field.about;
    properties[std::string(field.name)] = std::move(schema);
    if (field.required) required.push_back(field.name);
  }
  OrderedJson schema = {
      {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = required;
  return {{"required", !required.empty()}, {"content", Content(std::move(schema))}};
}

OrderedJson OperationOf(const HttpRoute& route, protocol::NamedSchemas* named) {
  OrderedJson parameters = OrderedJson::array();
  std::vector<HttpRoute::Field> others;
  for (HttpRoute::Field& field : route.fields()) {
    const bool in_path = route.path.find("{" + std::string(field.name) + "}") != std::string_view::npos;
    if (in_path)
      parameters.push_back(ParameterOf(field, "path", named));
    else
      others.push_back(std::move(field));
  }
  const bool has_body = route.method != Method::kGet && route.method != Method::kDelete;
  for (const HttpRoute::Field& field : others) {
    const bool beside_body = !route.traits.body_field.empty() && field.name != route.traits.body_field;
    if (!has_body || beside_body) parameters.push_back(ParameterOf(field, "query", named));
  }
  if (route.who & kOperator && !route.traits.of_no_tenant &&
      route.path.find("{tenantId}") == std::string_view::npos)
    parameters.push_back({{"name", "tenant"},
                          {"in", "query"},
                          {"required", false},
                          {"description", "the tenant that the operator means"},
                          {"schema", {{"type", "string"}}}});
  if (IsOfTables(route)) parameters.push_back(TargetParameter());
  for (const HttpRoute::HeaderDoc& header : route.traits.takes) parameters.push_back(HeaderParameter(header));
  OrderedJson out = {{"operationId", route.id},
                     {"summary", route.about},
                     {"description", WhoMay(route)},
                     {"responses", AnswersOf(route, named)}};
  if (!parameters.empty()) out["parameters"] = std::move(parameters);
  if (has_body && !others.empty()) out["requestBody"] = BodyOf(others, route, named);
  if (IsOfTables(route))
    out["requestBody"] = {{"required", true}, {"content", Content({{"type", "object"}}, kMediaTables)}};
  out["security"] = SecurityOf(route);
  return out;
}

template <class Op>
OrderedJson OperationOfOp(protocol::NamedSchemas* named) {
  return {{"operationId", Op::kName},
          {"summary", Op::kDoc},
          {"requestBody", {{"content", Content(Json(protocol::JsonSchema<typename Op::Args>(named)))}}},
          {"responses",
           {{"200",
             {{"description", "Done."},
              {"content", Content(Json(protocol::JsonSchema<typename Op::Reply>(named)))}}},
            {"default", Refusals()}}},
          {"security", OrderedJson::array({{{"bearer", OrderedJson::array()}}})}};
}

HttpResponse WholeAnswer(const std::string& document) {
  HttpResponse answer = JsonAnswer(200, document);
  answer.gzipped = GzipAhead(answer);
  return answer;
}

}  // namespace

std::string OpenApiDocument() {
  protocol::NamedSchemas named;
  OrderedJson paths = OrderedJson::object();
  for (const HttpRoute& route : AllRoutes())
    paths[std::string(route.path)][Lower(NameOf(route.method))] = OperationOf(route, &named);
  protocol::ForEachOp(features::AllOps{}, [&]<class Op>() {
    if constexpr (Op::kKind != protocol::OpKind::kSession)
      paths["/v1/ops/" + std::string(Op::kName)]["post"] = OperationOfOp<Op>(&named);
  });
  named.Refer("Refusal", &RefusalText);
  const OrderedJson whole = {{"openapi", "3.1.0"},
                             {"info",
                              {{"title", "Parley"},
                               {"version", "1.0.0"},
                               {"description", "Parley over HTTP. Made from the server's own routes."}}},
                             {"servers", OrderedJson::array({{{"url", "http://localhost:8080"}}})},
                             {"paths", std::move(paths)},
                             {"components",
                              {{"schemas", Json(named.AllText())},
                               {"securitySchemes",
                                {{"bearer", {{"type", "http"}, {"scheme", "bearer"}}},
                                 {"tableKey",
                                  {{"type", "apiKey"},
                                   {"in", "header"},
                                   {"name", "Authorization"},
                                   {"description", "AWS Signature Version 4 by a table key"}}}}}}}};
  return whole.dump(1) + "\n";
}

const HttpResponse& OpenApiAnswer() {
  static const HttpResponse answer = WholeAnswer(OpenApiDocument());
  return answer;
}

const HttpResponse& AsyncApiAnswer() {
  static const HttpResponse answer = WholeAnswer(AsyncApiDocument());
  return answer;
}

}  // namespace parley::gateway
