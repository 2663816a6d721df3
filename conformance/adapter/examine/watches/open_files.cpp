#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <compare>
#include <cstdlib>
#include <string>

#include "conformance/adapter/examine/watches/watch.h"

namespace reshape::conformance {
namespace {

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
  if (fstat(number, &about) != 0) return false;
  file = {number, about.st_dev, about.st_ino, fcntl(number, F_GETFL), fcntl(number, F_GETFD)};
  return true;
}

// The number of open files, which Linux tells as the size of /proc/self/fd since 6.2; 0 before
// that.
off_t open_count() {
  struct stat about = {};
  return stat("/proc/self/fd", &about) == 0 ? about.st_size : 0;
}

// Whether exactly these files are open: each descriptor is still the same file, and there are no
// others.
bool are_open(const std::vector<OpenFile>& files) {
  if (files.empty() || open_count() != static_cast<off_t>(files.size())) return false;
  return std::all_of(files.begin(), files.end(), [](const OpenFile& known) {
    OpenFile now;
    return describe(known.number, now) && now == known;
  });
}

std::vector<OpenFile> open_now() {
  std::vector<OpenFile> files;
  DIR* folder = opendir("/proc/self/fd");
  if (folder == nullptr) return files;
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] == '.') continue;
    const int file = std::atoi(entry->d_name);
    OpenFile open;
    if (file != dirfd(folder) && describe(file, open)) files.push_back(open);
  }
  closedir(folder);
  std::sort(files.begin(), files.end());
  return files;
}

std::string what_is(int file) {
  char target[128];
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  const ssize_t size = readlink(link.c_str(), target, sizeof target);
  return size > 0 ? " (" + std::string(target, static_cast<std::size_t>(size)) + ")" : "";
}

void saw(std::vector<Observation>& seen, std::string what) {
  seen.push_back({CaughtBy::open_files, Plane::memory, Duty::C14, std::move(what)});
}

// Duty C14. A file that this request leaves open is not blamed on the next.
class OpenFiles : public Watch {
 public:
  void before(const CallSite&) override { before_ = open_now(); }

  void after(const CallSite&, Status, std::vector<Observation>& seen) override {
    if (are_open(before_)) return;
    const std::vector<OpenFile> now = open_now();
    for (const OpenFile& file : now) {
      if (std::binary_search(before_.begin(), before_.end(), file)) continue;
      const OpenFile* const known = with_number(before_, file.number);
      const bool same = known && known->device == file.device && known->node == file.node;
      saw(seen, "file " + std::to_string(file.number) + what_is(file.number) +
                    (same    ? " was given other flags"
                     : known ? " was put in the place of another"
                             : " was left open"));
      if (same) {
        fcntl(file.number, F_SETFL, known->of_file);
        fcntl(file.number, F_SETFD, known->of_descriptor);
      }
      break;
    }
    for (const OpenFile& file : before_) {
      if (with_number(now, file.number) != nullptr) continue;
      saw(seen, "file " + std::to_string(file.number) + ", which is not the library's, was closed");
      break;
    }
  }

 private:
  static const OpenFile* with_number(const std::vector<OpenFile>& files, int number) {
    const auto found = std::ranges::find(files, number, &OpenFile::number);
    return found == files.end() ? nullptr : &*found;
  }

  std::vector<OpenFile> before_;
};

}  // namespace

WatchPtr watch_open_files() { return std::make_unique<OpenFiles>(); }

}  // namespace reshape::conformance
