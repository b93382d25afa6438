// Ops, items and events as lines of text, so that tests are readable rows:
//
//   buyer message.send body='hello there' clientId=c1      a call: caller, op, args
//   4 message.created M1 buyer 'hello there'               an event: seq, kind, the item in short
//
// A caller is a user (carol), a user with a role (ann(admin)), a tenant's key (service), the key acting for a
// user (service(buyer)), or a user of another tenant (carol@acme). An arg is a word, a 'quoted text', a
// number, true, false, null, or JSON in brackets. Ids are replaced by names: T, T2, M1, T2.M1.
//
// The tests of two folders compile its source into their programs.
#pragma once

#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/ops/all.h"
#include "threads/model/caller.h"
#include "threads/model/change.h"

namespace parley::threads {

// Translates between ids and their names.
class Names {
 public:
  void Put(const std::string& name, const std::string& id) { ids_[name] = id; }
  // Returns the id, or the text itself if it is not a name.
  std::string IdOf(const std::string& name) const {
    const auto found = ids_.find(name);
    return found == ids_.end() ? name : found->second;
  }
  std::string NameOf(const std::string& id) const {
    for (const auto& [name, known] : ids_) {
      if (known == id) return name;
    }
    return id;
  }
  // The JSON text with every quoted name replaced by its id.
  std::string Expand(std::string text) const {
    for (const auto& [name, id] : ids_) {
      const std::string quoted = "\"" + name + "\"";
      for (size_t at = 0; (at = text.find(quoted, at)) != std::string::npos; at += id.size())
        text.replace(at + 1, name.size(), id);
    }
    return text;
  }
  // The text with every known id replaced by its name.
  std::string Shorten(std::string text) const {
    for (const auto& [name, id] : ids_) {
      for (size_t at = 0; (at = text.find(id, at)) != std::string::npos; at += name.size())
        text.replace(at, id.size(), name);
    }
    return text;
  }

 private:
  std::map<std::string, std::string> ids_;
};

// Splits at `separator`, except within quotes and brackets; omits empty parts.
std::vector<std::string> SplitText(std::string_view line, char separator);

protocol::Document DecodeOwn(std::string_view msgpack);

template <class T>
T ItemFrom(std::string_view msgpack) {
  T out;
  if (!protocol::Bind(DecodeOwn(msgpack).root, &out).ok()) std::abort();
  return out;
}

struct Call {
  Caller caller;
  std::string op;
  std::string args;  // one encoded map
};

Caller CallerFrom(std::string_view text);

void PutValue(protocol::Writer& w, const std::string& text, const Names& names);

// A valid payload for a card of the type.
std::string_view SomePayload(std::string_view type);

std::string FreshClientId();

// Args for an op that a line omits.
std::map<std::string, std::string> DefaultArgs(std::string_view op);

Call CallFrom(std::string_view line, const Names& names);

template <class Args>
protocol::Result<Args> ArgsOf(const Call& call) {
  Args args;
  PARLEY_CHECK_OK(protocol::Bind(DecodeOwn(call.args).root, &args));
  return args;
}

// FORBIDDEN, or with the invalid fields: BAD_REQUEST reason
std::string ErrorText(const protocol::Error& error);

std::string Quoted(const std::string& text);

std::string ItemText(const protocol::Thread& t);

std::string ItemText(const protocol::Participant& p);

std::string ItemText(const protocol::Message& m, const Names& names);

std::string ItemText(const protocol::Card& c, const Names& names);

// "4 message.created M1 buyer 'hello'"
std::string EventText(protocol::EventKind kind, int64_t seq, std::string_view item, const Names& names);

// Names the thread and the messages of an event: T, T2 …; M1, M2 … (T2.M1 in another thread).
void NameItems(const SharedChange& event, const ThreadId& thread, int* threads, Names* names);

// A part of an encoded value, as JSON with names for ids: Pick(reply, "entries.*.unread") → "2 0 1".
std::string Pick(std::string_view msgpack, std::string_view path, const Names& names);

}  // namespace parley::threads
