#include "conformance/performance/crew.h"

#include <algorithm>

#include "unsupported/Eigen/CXX11/ThreadPool"

namespace reshape::conformance::performance {

struct Crew::Pool {
  explicit Pool(int threads) : others(threads) {}
  Eigen::ThreadPool others;
};

Crew::Crew(int threads) : threads_(std::max(threads, 1)) {
  if (threads_ > 1) pool_ = std::make_unique<Pool>(threads_ - 1);
}
Crew::~Crew() = default;

void Crew::run(const std::function<void(int)>& task) {
  if (threads_ == 1) return task(0);
  Eigen::Barrier done(static_cast<unsigned>(threads_ - 1));
  for (int thread = 1; thread < threads_; ++thread) {
    pool_->others.Schedule([&task, &done, thread] {
      task(thread);
      done.Notify();
    });
  }
  task(0);
  done.Wait();
}

}  // namespace reshape::conformance::performance
