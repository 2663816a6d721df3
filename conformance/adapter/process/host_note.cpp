#include "conformance/adapter/process/host_note.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>

#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

std::string text_of(std::span<const char> array) {
  return printable({array.data(), strnlen(array.data(), array.size())}, array.size());
}

// The probe behind the numbers on the note; invalid ones print as a question mark.
Probe probe_of(const HostNote& note) {
  Probe probe;
  std::size_t at = 0;
  each_field(probe, [&](auto& value, std::int64_t, std::int64_t) {
    value = static_cast<std::remove_reference_t<decltype(value)>>(note.called[at++]);
  });
  return probe;
}

// A message of one byte, with room for a descriptor.
struct Parcel {
  Parcel() {
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
  }
  char byte = 'n';
  iovec piece = {&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
};

}  // namespace

void note_call(HostNote& note, const Probe* probe) {
  if (probe != nullptr) {
    std::size_t at = 0;
    each_field(*probe, [&](auto value, std::int64_t, std::int64_t) {
      note.called[at++] = static_cast<std::int64_t>(value);
    });
  }
  note.stage = probe != nullptr ? HostNote::Stage::execution : HostNote::Stage::inference;
}

std::string what_was_called(const HostNote& note) {
  switch (note.stage.load()) {
    case HostNote::Stage::starting: return "the start of the host process";
    case HostNote::Stage::idle: return "the time between two requests";
    case HostNote::Stage::loading: return "loading";
    case HostNote::Stage::inference: return "inference";
    case HostNote::Stage::execution: return text(probe_of(note));
    case HostNote::Stage::several_calls: return "inference or execution";
  }
  return "inference";
}

std::string what_was_seen(const HostNote& note) { return text_of(note.saw); }

std::optional<Observation> what_was_observed(const HostNote& note) {
  Observation seen{watch_named(text_of(note.watch)), Plane::memory, duty_named(text_of(note.duty)),
                   text_of(note.saw)};
  const bool named = seen.watch != CaughtBy::none && seen.duty != Duty::none;
  return note.signal != 0 && named ? std::optional(std::move(seen)) : std::nullopt;
}

std::optional<std::uint64_t> where_it_crashed(const HostNote& note) {
  constexpr std::uint64_t kNoFileIsLarger = std::uint64_t{1} << 48;
  const std::uint64_t address = note.crashed_at;
  if (note.signal == 0 || address == 0 || address >= kNoFileIsLarger) return std::nullopt;
  return address;
}

SharedNote::~SharedNote() {
  close_file();
  if (note_ != nullptr) munmap(note_, sizeof(HostNote));
}

bool SharedNote::create() {
  const int file = memfd_create("host-note", MFD_CLOEXEC);
  if (file < 0) return false;
  if (ftruncate(file, sizeof(HostNote)) != 0 || !adopt(dup(file))) {
    close(file);
    return false;
  }
  new (note_) HostNote();
  file_ = file;
  return true;
}

bool SharedNote::adopt(int file) {
  if (file < 0) return false;
  void* page = mmap(nullptr, sizeof(HostNote), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (page == MAP_FAILED) return false;
  note_ = static_cast<HostNote*>(page);
  return true;
}

void SharedNote::close_file() {
  if (file_ >= 0) close(file_);
  file_ = -1;
}

bool send_descriptor(int channel, int file) {
  Parcel parcel;
  cmsghdr* head = CMSG_FIRSTHDR(&parcel.message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(head), &file, sizeof file);
  return sendmsg(channel, &parcel.message, MSG_NOSIGNAL) == 1;
}

int receive_descriptor(int channel) {
  Parcel parcel;
  ssize_t got = 0;
  do {
    got = recvmsg(channel, &parcel.message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  const cmsghdr* head = got == 1 ? CMSG_FIRSTHDR(&parcel.message) : nullptr;
  if (head == nullptr || head->cmsg_type != SCM_RIGHTS) return -1;
  int file = -1;
  std::memcpy(&file, CMSG_DATA(head), sizeof file);
  return file;
}

}  // namespace reshape::conformance
