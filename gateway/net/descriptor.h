// Owns a file descriptor. Valid C++17.
#pragma once

#include <unistd.h>

#include <utility>

namespace parley::gateway {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { Close(); }
  Descriptor(Descriptor&& from) noexcept : number_(std::exchange(from.number_, -1)) {}
  Descriptor& operator=(Descriptor&& from) noexcept {
    if (this == &from) return *this;
    Close();
    number_ = std::exchange(from.number_, -1);
    return *this;
  }

  int get() const { return number_; }  // -1: none
  void Close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_ = -1;
};

}  // namespace parley::gateway
