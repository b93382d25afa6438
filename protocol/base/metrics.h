// Metrics, implemented with prometheus-cpp. Each subsystem has a probe struct that registers its metrics in
// its constructor; docs/metrics.txt lists them all, and a test compares. Ids never become labels.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace parley::protocol {

// Thread-safe, cheap. A copy counts into the same metric.
class Counter {
 public:
  void Add(double n = 1);

 private:
  friend class Metrics;
  void* metric_ = nullptr;
};
class Histogram {
 public:
  void Observe(double value);

 private:
  friend class Metrics;
  void* metric_ = nullptr;
};

using Labels = std::vector<std::pair<std::string, std::string>>;

class Metrics {
 public:
  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  Counter AddCounter(const std::string& name, const std::string& help, const Labels& labels = {});
  Histogram AddHistogram(const std::string& name, const std::string& help, const std::vector<double>& bounds,
                         const Labels& labels = {});
  // `read` is called at each scrape, on the scraping thread.
  void AddReadGauge(const std::string& name, const std::string& help, std::function<double()> read,
                    const Labels& labels = {});
  // The same for a total that is kept elsewhere. The result of `read` must never decrease.
  void AddReadCounter(const std::string& name, const std::string& help, std::function<double()> read,
                      const Labels& labels = {});

  std::string Render();                       // Prometheus text format
  std::vector<std::string> Describe() const;  // "name type help", sorted

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace parley::protocol
