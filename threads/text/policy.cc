#include "threads/text/policy.h"

#include <algorithm>

#include "protocol/base/ascii.h"
#include "protocol/value.h"
#include "threads/text/contacts.h"
#include "threads/text/documents.h"

namespace parley::threads::text {
namespace {

using protocol::Error;
using protocol::PatternSet;
using protocol::PolicyForm;

constexpr uint32_t kHarmless = UINT32_MAX;
constexpr int64_t kBlockScore = 3, kOtherScore = 1;

Error BadSet(size_t set, const std::string& field, const std::string& what) {
  return Error::BadField("sets." + std::to_string(set) + "." + field, what);
}

protocol::Status AddTerms(const PatternSet::Terms& terms, size_t set, const char* field, uint32_t tag,
                          Terms* out) {
  if (!terms.value) return protocol::Ok();
  for (size_t i = 0; i < terms.value->items.size(); ++i) {
    if (!out->Add(terms.value->items[i].value, tag))
      return BadSet(set, field + ("." + std::to_string(i)),
                    "must have three letters or digits at least, and no signs but blanks and hyphens");
  }
  return protocol::Ok();
}

// Normalises a domain to "example.org": lower case, words cut like those of texts (Token); "" if it is not a
// domain.
std::string DomainOf(std::string_view host) {
  std::string out;
  bool dotted = false;
  size_t word = 0;
  for (char c : host) {
    c = protocol::LowerOf(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    const bool dot = c == '.' && !out.empty() && out.back() != '.';
    if (!plain && !dot) return {};
    dotted |= dot;
    word = dot || c == '-' ? 0 : word + 1;
    if (word <= Token::kWordMax) out += c;
  }
  return dotted && out.back() != '.' ? out : std::string();
}

bool HasForm(const PatternSet& set, PolicyForm form) {
  if (!set.forms.value) return false;
  const auto& forms = set.forms.value->items;
  return std::find(forms.begin(), forms.end(), form) != forms.end();
}

bool ByPlace(const Finding& a, const Finding& b) {
  if (a.begin != b.begin) return a.begin < b.begin;
  return a.end != b.end ? a.end > b.end : a.set > b.set;  // kHarmless first
}

// The buffers of a scan, which its thread keeps for the next one: allocating them costs more than a short
// text.
struct Room {
  std::vector<Unit> units;
  std::vector<Token> tokens;
  Spans spans;
  std::vector<Link> links;
};

Finding At(const std::vector<Unit>& units, uint32_t set, size_t begin, size_t end) {
  return {set, units[begin].begin, units[end - 1].end};
}

// Removes findings within a harmless phrase. REQUIRES: sorted by place.
void DropHarmless(std::vector<Finding>* findings) {
  uint32_t harmless_end = 0;  // the end of earlier phrases
  std::erase_if(*findings, [&](const Finding& one) {
    if (one.set == kHarmless) harmless_end = std::max(harmless_end, one.end);
    return one.set == kHarmless || one.end <= harmless_end;
  });
}

Policy::Sets ReadDefaults() {
  Policy::Sets out;
  for (const PatternDocument& document : PatternDocuments()) {
    protocol::Document read;
    PatternSet set;
    const bool sound = !protocol::DecodeJson(std::string(document.text), protocol::DecodeLimits{}, &read) &&
                       protocol::Bind(read.root, &set).ok();
    if (sound) out.push_back(std::move(set));  // a test decodes each of them
  }
  return out;
}

}  // namespace

protocol::Result<PolicyPtr> Policy::Make(Sets sets) {
  auto made = std::shared_ptr<Policy>(new Policy());
  for (size_t i = 0; i < sets.size(); ++i) {
    const PatternSet& set = sets[i];
    const auto same = [&](const PatternSet& other) { return other.name == set.name; };
    if (set.name.value.empty()) return BadSet(i, "name", "is empty");
    if (std::find_if(sets.begin(), sets.end(), same) != sets.begin() + static_cast<ptrdiff_t>(i))
      return BadSet(i, "name", "is another set's, too");
    const auto tag = static_cast<uint32_t>(i);
    PARLEY_CHECK_OK(AddTerms(set.terms, i, "terms", tag, &made->terms_));
    PARLEY_CHECK_OK(AddTerms(set.exceptions, i, "exceptions", kHarmless, &made->terms_));
    for (size_t form = 0; form < 3; ++form)
      made->has_form_[form] |= HasForm(set, static_cast<PolicyForm>(form));
    if (!set.hosts.value) continue;
    const auto& hosts = set.hosts.value->items;
    for (size_t host = 0; host < hosts.size(); ++host) {
      std::string domain = DomainOf(hosts[host].value);
      if (domain.empty())
        return BadSet(i, "hosts." + std::to_string(host), "is not the domain of a link, as in example.org");
      made->hosts_.emplace(std::move(domain), tag);  // the first of equal domains counts
    }
  }
  made->sets_ = std::move(sets);
  return PolicyPtr(std::move(made));
}

size_t Policy::bytes() const {
  constexpr size_t kAround = 64;  // approximate overhead of a map node and of a heap allocation
  size_t bytes = terms_.bytes();
  for (const auto& [domain, set] : hosts_) bytes += domain.capacity() + kAround;
  const auto add = [&bytes](const auto& list) {
    if (!list.value) return;
    for (const auto& one : list.value->items) bytes += sizeof one + one.value.capacity();
  };
  for (const PatternSet& set : sets_) {
    bytes += sizeof set;
    add(set.terms);
    add(set.exceptions);
    add(set.hosts);
  }
  return bytes;
}

int64_t Policy::ScoreOf(uint32_t set) const {
  const PatternSet& one = sets_[set];
  if (one.score.value) return one.score.value->value;
  return one.action == PolicyAction::kBlock ? kBlockScore : kOtherScore;
}

// Looks up each suffix of the host once, however many domains there are.
std::optional<uint32_t> Policy::SetOfHost(std::string_view host) const {
  std::optional<uint32_t> out;
  while (!hosts_.empty()) {
    const auto found = hosts_.find(host);
    if (found != hosts_.end() && (!out || found->second < *out)) out = found->second;
    const size_t dot = host.find('.');
    if (dot == std::string_view::npos) break;
    host.remove_prefix(dot + 1);
  }
  return out;
}

Scan Policy::Find(std::string_view text) const {
  thread_local Room room;
  Scan out;
  const auto& units = room.units;
  Fold(text, &room.units);
  Tokenize(units, &room.tokens);
  out.steps = units.size();
  // Leaves a share of the steps to the search for forms and links.
  const size_t steps_max = out.steps + 1 + kStepsPerByte / 2 * text.size() + kStepsMin / 2;
  for (size_t at = 0; at < units.size() && !terms_.empty(); ++at) {
    const bool starts = units[at].count > 0 && (at == 0 || !units[at - 1].is_word());
    if (!starts) continue;
    const auto found = terms_.FindAt(units, at, &out.steps, steps_max);
    if (found) out.findings.push_back(At(units, found->tag, found->begin, found->end));
  }
  out.complete = out.steps < steps_max;
  constexpr decltype(&FindPhones) kFinders[] = {&FindPhones, &FindEmails, &FindStreets};
  for (size_t form = 0; form < 3; ++form) {
    if (!has_form_[form]) continue;
    room.spans.clear();
    kFinders[form](units, room.tokens, &room.spans, &out.steps);
    for (uint32_t set = 0; set < sets_.size(); ++set) {
      if (!HasForm(sets_[set], static_cast<PolicyForm>(form))) continue;
      for (const Span& span : room.spans) out.findings.push_back(At(units, set, span.begin, span.end));
    }
  }
  room.links.clear();
  FindLinks(units, room.tokens, &room.links, &out.steps);
  out.has_link = !room.links.empty();
  for (const Link& link : room.links) {
    if (const auto set = SetOfHost(link.host))
      out.findings.push_back(At(units, *set, link.span.begin, link.span.end));
  }
  std::sort(out.findings.begin(), out.findings.end(), ByPlace);
  DropHarmless(&out.findings);
  return out;
}

const Policy::Sets& DefaultSets() {
  static const Policy::Sets sets = ReadDefaults();
  return sets;
}

const PolicyPtr& DefaultPolicy() {
  static const PolicyPtr policy = *Policy::Make(DefaultSets());
  return policy;
}

Policy::Sets WithDefaults(Policy::Sets own) {
  Policy::Sets out = DefaultSets();
  for (PatternSet& set : own) {
    const auto same =
        std::find_if(out.begin(), out.end(), [&](const auto& one) { return one.name == set.name; });
    if (same != out.end()) {
      *same = std::move(set);
    } else {
      out.push_back(std::move(set));
    }
  }
  return out;
}

std::string Redact(std::string_view text, const std::vector<Finding>& findings) {
  std::string out;
  size_t at = 0;
  for (const Finding& one : findings) {
    if (one.end <= at) continue;
    if (one.begin >= at) {
      out += text.substr(at, one.begin - at);
      out += kRemoved;
    }
    at = one.end;
  }
  return out.append(text.substr(at));
}

}  // namespace parley::threads::text
