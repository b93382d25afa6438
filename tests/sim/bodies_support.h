// Every text that was ever requested to be written, and every text that a device was shown: what is shown
// must be what was acknowledged, or at least what somebody requested without getting an answer.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "protocol/value.h"

namespace parley::sim {

class Bodies {
 public:
  // Writes, as asked; a repeat is the same write.
  void AskSend(const std::string& author, const std::string& client_id, const std::string& body) {
    births_[author + ' ' + client_id] = body;
  }
  size_t AskEdit(const std::string& message, const std::string& body);  // its number among the message's
  void Edited(const std::string& message, size_t edit, int64_t seq);    // acknowledged as this seq
  void AskDelete(const std::string& message) { messages_[message].delete_asked = true; }
  void Deleted(const std::string& message, int64_t seq);
  // Staff may redact or withhold it from now on; redacted as of this seq, as acknowledged.
  void AskStub(const std::string& message) { messages_[message].stub_asked = true; }
  void Redacted(const std::string& message, int64_t seq);

  // A message as a device holds it, a read returns it, or the store keeps it.
  void Told(const protocol::Value& message);
  // Once everything is answered. Complains about texts that nobody wrote; returns how many different versions
  // were shown.
  size_t Judge(std::vector<std::string>* complaints) const;

 private:
  struct Edit {
    std::string body;
    int64_t seq = 0;  // 0: not acknowledged
  };
  struct Telling {
    int64_t seq;
    bool deleted;
    std::string body;
    friend auto operator<=>(const Telling&, const Telling&) = default;
  };
  struct Message {
    std::string name;  // author and clientId; empty: not a client's
    std::vector<Edit> edits;
    bool delete_asked = false;
    int64_t deleted_seq = 0;
    bool stub_asked = false;
    int64_t redacted_seq = 0;
    std::set<Telling> tellings;
  };
  std::string WhyWrong(const Message& message, const Telling& telling) const;

  std::map<std::string, std::string> births_;  // by author and clientId
  std::map<std::string, Message> messages_;    // by messageId
};

}  // namespace parley::sim
