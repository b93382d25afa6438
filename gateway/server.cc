#include "gateway/server.h"

#include "gateway/front.h"
#include "gateway/heap.h"
#include "gateway/process_metrics.h"

namespace parley::gateway {

Server::Server(Node& node, const std::vector<Transport*>& transports, const StaticFiles& files)
    : node_(node), probe_(node.metrics()) {
  for (size_t i = 0; i < transports.size(); ++i)
    fronts_.push_back(std::make_unique<Front>(*node.io_threads()[i], *transports[i], probe_, files));
  CountTransports(transports);
}

Server::~Server() = default;

TransportHandler* Server::handler(size_t i) const {
  return fronts_[i].get();
}

void Server::CountTransports(const std::vector<Transport*>& transports) {
  const auto sum = [transports](auto member) {
    return [transports, member] {
      uint64_t total = 0;
      for (const Transport* transport : transports) total += transport->Counts().*member;
      return static_cast<double>(total);
    };
  };
  auto& metrics = node_.metrics();
  AddProcessMetrics(metrics);
  metrics.AddReadGauge("parley_heap_bytes", "Heap in use by the whole process, as the allocator counts it",
                       [] { return static_cast<double>(HeapInUse()); });
  metrics.AddReadGauge("parley_connections_open", "TCP connections held", [first = transports.front()] {
    return static_cast<double>(first->Counts().open);  // shared: each transport knows the total
  });
  metrics.AddReadCounter("parley_connections_accepted_total", "TCP connections accepted",
                         sum(&TransportCounts::accepted));
  metrics.AddReadCounter("parley_connections_refused_full_total",
                         "Connections refused beyond the total limit or out of descriptors",
                         sum(&TransportCounts::refused_full));
  metrics.AddReadCounter("parley_connections_refused_address_total",
                         "Connections refused beyond the limit per address",
                         sum(&TransportCounts::refused_address));
  metrics.AddReadCounter("parley_accept_errors_total",
                         "Accepts that failed because no descriptor was free; peers wait in the backlog",
                         sum(&TransportCounts::accept_errors));
  metrics.AddReadGauge("parley_reader_bytes",
                       "Bytes held for all readers: queued output and answers in progress",
                       [readers = node_.readers()] { return static_cast<double>(readers->held()); });
  metrics.AddReadGauge("parley_http_body_bytes",
                       "Bytes of HTTP bodies held, from their arrival to the answer",
                       [first = transports.front()] {
                         return static_cast<double>(first->Counts().body_bytes);  // shared, too
                       });
  metrics.AddReadCounter("parley_http_bodies_evicted_total",
                         "HTTP bodies evicted because they came too slowly while others waited for room",
                         [first = transports.front()] {
                           return static_cast<double>(first->Counts().bodies_evicted);  // shared, too
                         });
  metrics.AddReadCounter("parley_readers_evicted_total",
                         "Slow readers disconnected because the readers' budget was used up",
                         sum(&TransportCounts::evicted));
  metrics.AddReadCounter("parley_network_bytes_in_total", "Bytes received", sum(&TransportCounts::bytes_in));
  metrics.AddReadGauge("parley_tls_certificate_expiry_seconds",
                       "End of the TLS certificate, in Unix time; 0 without TLS",
                       [first = transports.front()] {
                         return static_cast<double>(first->Counts().tls_expires_s);  // shared, too
                       });
  metrics.AddReadCounter("parley_network_bytes_out_total", "Bytes sent", sum(&TransportCounts::bytes_out));
  metrics.AddReadCounter("parley_network_batched_writes_total",
                         "Writes that shared a system call with those of other connections (io_uring)",
                         sum(&TransportCounts::batched));
}

void Server::Drain(std::function<void()> drained) {
  if (drained_) return;
  drained_ = std::move(drained);
  node_.SetDraining();
  draining_ = fronts_.size();
  const auto one_done = [this] {
    if (--draining_ == 0) drained_();
  };
  for (size_t i = 1; i < fronts_.size(); ++i) {
    node_.io_threads()[i]->loop().Post([this, &front = *fronts_[i], one_done] {
      front.Drain([this, one_done] { node_.io().loop().Post(one_done); });
    });
  }
  fronts_.front()->Drain(one_done);
}

}  // namespace parley::gateway
