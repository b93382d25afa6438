// Every text in a request to write, and every text that a device was shown. A shown text must have been
// acknowledged, or at least requested by a request without an answer.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "protocol/value.h"

namespace parley::sim {

class Bodies {
 public:
  // Writes, as requested; a repeat is the same write.
  void AskSend(const std::string& author, const std::string& client_id, const std::string& body) {
    births_[author + ' ' + client_id] = body;
  }
  // returns its number among the message's
  size_t AskEdit(const std::string& message, const std::string& body);
  void Edited(const std::string& message, size_t edit, int64_t seq);  // acknowledged as this seq
  void AskDelete(const std::string& message) { messages_[message].delete_asked = true; }
  void Deleted(const std::string& message, int64_t seq);
  // Staff may redact or withhold it from now on; Redacted: it was acknowledged as redacted as of this seq.
  void AskStub(const std::string& message) { messages_[message].stub_asked = true; }
  void Redacted(const std::string& message, int64_t seq);

  // A message that a device has, a read returned, or the store contains.
  void Delivered(const protocol::Value& message);
  // Call once every request is answered. Complains about texts that were never written; returns the number of
  // different versions that were shown.
  size_t Judge(std::vector<std::string>* complaints) const;

 private:
  struct Edit {
    std::string body;
    int64_t seq = 0;  // 0: not acknowledged
  };
  struct Copy {
    int64_t seq;
    bool deleted;
    std::string body;
    friend auto operator<=>(const Copy&, const Copy&) = default;
  };
  struct Message {
    std::string name;  // author and clientId; empty if no client wrote it
    std::vector<Edit> edits;
    bool delete_asked = false;
    int64_t deleted_seq = 0;
    bool stub_asked = false;
    int64_t redacted_seq = 0;
    std::set<Copy> copies;
  };
  std::string WhyWrong(const Message& message, const Copy& copy) const;

  std::map<std::string, std::string> births_;  // by author and clientId
  std::map<std::string, Message> messages_;    // by messageId
};

}  // namespace parley::sim
