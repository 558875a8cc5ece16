// A thread that works on the newest request alone: a new request drops the one before and what it has found.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/give_back_memory.h"

namespace gemmscope::experiment {

// `Found` is what the work of a request has found and nobody has taken yet. Calls return at once, from any
// thread.
template <typename Request, typename Found>
class NewestRequest {
 public:
  // The request that the thread works on.
  class Work {
   public:
    const std::atomic<bool>& cancelled() const { return owner_.cancelled_; }
    // Lets `change` write into what is found, and wakes the reader. False: the request has been dropped.
    template <typename Change>
    bool post(Change&& change) {
      {
        const std::lock_guard lock(owner_.mutex_);
        if (owner_.stopping_ || generation_ != owner_.generation_) return false;
        change(owner_.found_);
      }
      owner_.wake_();
      return true;
    }

   private:
    friend class NewestRequest;
    Work(NewestRequest& owner, uint64_t generation) : owner_(owner), generation_(generation) {}
    NewestRequest& owner_;
    uint64_t generation_;
  };
  using DoWork = std::function<void(const Request&, Work&)>;

  // Calls `work` on its own thread, one request at a time. `wake` says that something was found.
  NewestRequest(std::function<void()> wake, DoWork work)
      : wake_(std::move(wake)), work_(std::move(work)), thread_([this] { loop(); }) {}
  ~NewestRequest() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      cancelled_ = true;
    }
    ready_.notify_one();
    thread_.join();
  }
  NewestRequest(const NewestRequest&) = delete;
  NewestRequest& operator=(const NewestRequest&) = delete;

  // Drops the present request; nullopt: only that.
  void replace(std::optional<Request> next) {
    {
      const std::lock_guard lock(mutex_);
      next_ = std::move(next);
      found_ = {};
      ++generation_;
      cancelled_ = true;
    }
    ready_.notify_one();
  }
  // Never of an older request.
  Found take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(found_, {});
  }
  bool busy() const {
    const std::lock_guard lock(mutex_);
    return working_ || next_.has_value();
  }

 private:
  void loop() {
    for (;;) {
      std::unique_lock lock(mutex_);
      working_ = false;
      ready_.wait(lock, [this] { return stopping_ || next_.has_value(); });
      if (stopping_) return;
      const Request request = *std::exchange(next_, std::nullopt);
      Work work(*this, generation_);
      cancelled_ = false;
      working_ = true;
      lock.unlock();
      work_(request, work);
      give_back_memory();
    }
  }

  std::function<void()> wake_;
  DoWork work_;
  mutable std::mutex mutex_;  // guards the five below
  std::condition_variable ready_;
  std::optional<Request> next_;
  Found found_{};
  uint64_t generation_ = 0;
  bool stopping_ = false, working_ = false;
  std::atomic<bool> cancelled_{false};
  std::thread thread_;
};

}  // namespace gemmscope::experiment
