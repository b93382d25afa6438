#include "gateway/net/ready_set.h"

#include <algorithm>
#include <stdexcept>

namespace parley::gateway {
namespace {

constexpr uint32_t kEvents = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;

int NewEpoll() {
  const int descriptor = ::epoll_create1(EPOLL_CLOEXEC);
  if (descriptor < 0) throw std::runtime_error("epoll_create1 failed");  // as asio does for its own
  return descriptor;
}

Readiness Of(uint32_t events) {
  const bool broken = (events & (EPOLLERR | EPOLLHUP)) != 0;
  const bool ended = broken || (events & EPOLLRDHUP) != 0;
  return {ended || (events & EPOLLIN) != 0, ended, broken || (events & EPOLLOUT) != 0};
}

}  // namespace

ReadySet::ReadySet() : epoll_(NewEpoll()) {}

bool ReadySet::Add(int descriptor, Pollable* pollable) {
  epoll_event event = {};
  event.events = kEvents;
  event.data.ptr = pollable;
  return ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event) == 0;
}

void ReadySet::HandOver(int descriptor, Pollable* from, Pollable* to) {
  Forget(from);  // the kernel reports the present state again
  epoll_event event = {};
  event.events = kEvents;
  event.data.ptr = to;
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, descriptor, &event);
}

void ReadySet::Remove(int descriptor, Pollable* pollable) {
  Forget(pollable);
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, descriptor, nullptr);
}

void ReadySet::Forget(const Pollable* pollable) {
  for (size_t i = next_; i < count_; ++i) {
    if (events_[i].data.ptr == pollable) events_[i].data.ptr = nullptr;
  }
}

void ReadySet::NotifyListeners() {
  const int count = ::epoll_wait(epoll_.get(), events_.data(), static_cast<int>(kEventsMax), 0);
  count_ = static_cast<size_t>(std::max(count, 0));
  for (next_ = 0; next_ < count_;) {
    const epoll_event& event = events_[next_++];
    if (event.data.ptr) static_cast<Pollable*>(event.data.ptr)->OnReadiness(Of(event.events));
  }
  next_ = count_ = 0;
}

}  // namespace parley::gateway
