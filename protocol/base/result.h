// Result<T>: either a value or an Error. [[nodiscard]], so that no failure is dropped by accident.
#pragma once

#include <cassert>
#include <utility>
#include <variant>

#include "protocol/base/error.h"

namespace parley::protocol {

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit by design
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit by design

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  const T& value() const {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }
  Error& error() {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, Error> state_;
};

struct Unit {};
using Status = Result<Unit>;
inline Status Ok() {
  return Unit{};
}

// PARLEY_TRY(name, expression): declares `name` as the value, or returns the error from the enclosing
// function.
#define PARLEY_TRY(name, expression)                                \
  auto name##_result = (expression);                                \
  if (!name##_result.ok()) return std::move(name##_result.error()); \
  auto& name = *name##_result

// PARLEY_CHECK_OK(expression): returns the error from the enclosing function, if any.
#define PARLEY_CHECK_OK(expression)                                 \
  do {                                                              \
    auto check_result = (expression);                               \
    if (!check_result.ok()) return std::move(check_result.error()); \
  } while (false)

}  // namespace parley::protocol
