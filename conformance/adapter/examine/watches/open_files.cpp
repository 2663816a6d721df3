#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <compare>
#include <cstdlib>
#include <string>
#include <thread>

#include "conformance/adapter/examine/watches/watch.h"

namespace reshape::conformance {
namespace {

using namespace std::chrono_literals;

// An open descriptor and the file behind it, to detect that the number was reused; and its flags,
// which other processes may share (O_NONBLOCK).
struct OpenFile {
  int number = -1;
  dev_t device = 0;
  ino_t node = 0;
  int of_file = 0;
  int of_descriptor = 0;  // FD_CLOEXEC
  friend auto operator<=>(const OpenFile&, const OpenFile&) = default;
};

bool describe(int number, OpenFile& file) {
  struct stat about = {};
  // Not fstat(), which ThreadSanitizer takes for a use of the file, and tells of whoever closes it.
  if (fstatat(number, "", &about, AT_EMPTY_PATH) != 0) return false;
  file = {number, about.st_dev, about.st_ino, fcntl(number, F_GETFL), fcntl(number, F_GETFD)};
  return true;
}

// The number of open files, which Linux tells as the size of /proc/self/fd since 6.2; 0 before
// that.
std::size_t open_count() {
  struct stat about = {};
  return stat("/proc/self/fd", &about) == 0 ? static_cast<std::size_t>(about.st_size) : 0;
}

// The folder of the threads has a link from each, one from its own folder and one from itself.
bool has_other_threads() {
  struct stat about = {};
  return stat("/proc/self/task", &about) == 0 && about.st_nlink > 3;
}

constexpr std::chrono::milliseconds kPauses[] = {1ms, 2ms, 4ms, 8ms, 16ms, 32ms, 64ms};

std::string what_is(int file) {
  char target[128];
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  const ssize_t size = readlink(link.c_str(), target, sizeof target);
  return size > 0 ? " (" + std::string(target, static_cast<std::size_t>(size)) + ")" : "";
}

void saw(std::vector<Observation>& seen, std::string what) {
  seen.push_back({CaughtBy::open_files, Plane::memory, Duty::C14, std::move(what)});
}

// Duty C14. A file that a request leaves open is told once, and is the library's from then on: it
// may close it later, and is not slowed down by thousands of them.
class OpenFiles : public Watch {
 public:
  explicit OpenFiles(Patience patience) : patience_(patience) {}
  ~OpenFiles() override {
    if (folder_ != nullptr) closedir(folder_);
  }
  OpenFiles(const OpenFiles&) = delete;
  OpenFiles& operator=(const OpenFiles&) = delete;

  void before(const CallSite&) override {
    if (are_as_known()) return;
    const std::vector<OpenFile> before = known_;
    if (before.empty()) {
      look();
    } else {
      look_until_as(before);
    }
  }

  void after(const CallSite&, Status, std::vector<Observation>& seen) override {
    if (are_as_known()) return;
    const std::vector<OpenFile> before = known_;
    if (look_until_as(before)) return;
    for (const OpenFile& file : known_) {
      if (std::ranges::binary_search(before, file)) continue;
      const OpenFile* const was = with_number(before, file.number);
      const bool same = was && was->device == file.device && was->node == file.node;
      saw(seen, "file " + std::to_string(file.number) + what_is(file.number) +
                    (same  ? " was given other flags"
                     : was ? " was put in the place of another"
                           : " was left open"));
      if (same) {
        fcntl(file.number, F_SETFL, was->of_file);
        fcntl(file.number, F_SETFD, was->of_descriptor);
      }
      break;
    }
    for (const OpenFile& file : before) {
      if (with_number(known_, file.number) != nullptr) continue;
      saw(seen, "file " + std::to_string(file.number) + ", which is not the library's, was closed");
      break;
    }
    std::erase_if(known_, [&](const OpenFile& file) {
      if (with_number(before, file.number) != nullptr) return false;
      left_open_.insert(std::ranges::lower_bound(left_open_, file.number), file.number);
      return true;
    });
  }

 private:
  // `files` are ascending.
  static const OpenFile* with_number(const std::vector<OpenFile>& files, int number) {
    const auto found = std::ranges::lower_bound(files, number, {}, &OpenFile::number);
    return found == files.end() || found->number != number ? nullptr : &*found;
  }

  // Whether exactly these files are open: each descriptor is still the same file, and there are no
  // others.
  bool are_as_known() const {
    if (known_.empty() || open_count() != known_.size() + left_open_.size()) return false;
    return std::ranges::all_of(known_, [](const OpenFile& known) {
      OpenFile now;
      return describe(known.number, now) && now == known;
    });
  }

  // Looks whether the same files are open as `before`. Another thread may have one open for a
  // moment: the runtime of Java looks up now and then how much memory it may use. Where files were
  // left open often there is no more waiting.
  bool look_until_as(const std::vector<OpenFile>& before) {
    constexpr int kMostInVain = 10;
    look();
    if (known_ == before) return true;
    if (patience_ == Patience::none || in_vain_ >= kMostInVain || !has_other_threads())
      return false;
    for (const auto pause : kPauses) {
      std::this_thread::sleep_for(pause);
      look();
      if (known_ == before) return true;
    }
    ++in_vain_;
    return false;
  }

  // The numbers of the open files, ascending. The folder stays open, to be read where a library has
  // left no file free.
  std::vector<int> open_numbers() {
    std::vector<int> numbers;
    constexpr int kTimes = 2;
    for (int time = 0; time < kTimes && numbers.empty(); ++time) {
      if (folder_ == nullptr) folder_ = opendir("/proc/self/fd");
      if (folder_ == nullptr) break;
      rewinddir(folder_);
      while (const dirent* entry = readdir(folder_)) {
        if (entry->d_name[0] != '.') numbers.push_back(std::atoi(entry->d_name));
      }
      if (!numbers.empty()) break;
      // Its descriptor was closed, and may be another file's by now.
      if (fcntl(dirfd(folder_), F_GETFD) < 0) closedir(folder_);
      folder_ = nullptr;
    }
    if (numbers.empty()) {  // of those that are known it can be told all the same
      const auto add_open = [&](int number) {
        if (fcntl(number, F_GETFD) >= 0) numbers.push_back(number);
      };
      for (const OpenFile& file : known_) add_open(file.number);
      for (const int number : left_open_) add_open(number);
    }
    std::ranges::sort(numbers);
    return numbers;
  }

  void look() {
    const std::vector<int> numbers = open_numbers();
    std::erase_if(left_open_,
                  [&](int number) { return !std::ranges::binary_search(numbers, number); });
    known_.clear();
    for (const int number : numbers) {
      OpenFile file;
      if (std::ranges::binary_search(left_open_, number) || !describe(number, file)) continue;
      known_.push_back(file);
    }
  }

  DIR* folder_ = nullptr;
  Patience patience_;
  int in_vain_ = 0;
  std::vector<OpenFile> known_;  // ascending, without those that were left open
  std::vector<int> left_open_;   // by earlier requests; ascending
};

}  // namespace

WatchPtr watch_open_files(Patience patience) { return std::make_unique<OpenFiles>(patience); }

}  // namespace reshape::conformance
