#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reshape::conformance {

// The words of a command line that contain a line end, each also without the option before it
// ("-iLIB" and "LIB"). No part of them may look like a line of our own where they are printed.
std::vector<std::string> words_of_lines(const std::vector<std::string>& arguments);

// `text` with the line ends escaped where one of these words occurs; other line ends stay.
std::string without_lines_of(const std::vector<std::string>& words, std::string text);

// A stream to a person. Makes each line that is written printable (see printable.h), so that no
// control byte in a name, id, path or message reaches a terminal, and then colours it with `paint`,
// if any (see painted).
class PrintableStream : public std::ostream {
 public:
  using Paint = std::string (*)(std::string_view line);

  // Writes to `to`, which must outlive this. Prepends `first` to output that does not begin with
  // it.
  explicit PrintableStream(std::ostream& to, std::string first = "", Paint paint = nullptr)
      : std::ostream(nullptr), buffer_(to, std::move(first), paint) {
    rdbuf(&buffer_);
  }
  ~PrintableStream() override { flush(); }

  // See words_of_lines.
  void escape(std::vector<std::string> words) { buffer_.words = std::move(words); }

 private:
  class Buffer : public std::streambuf {
   public:
    Buffer(std::ostream& to, std::string first, Paint paint)
        : to_(to), first_(std::move(first)), paint_(paint) {}

    std::vector<std::string> words;

   protected:
    int_type overflow(int_type letter) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;

   private:
    // Writes the first `bytes` of what is pending; false where that failed.
    bool pass_on(std::size_t bytes);

    std::string shown(std::string_view text) const;

    std::ostream& to_;
    std::string first_;
    Paint paint_;
    bool begun_ = false;
    std::string pending_;
  };
  Buffer buffer_;
};

}  // namespace reshape::conformance
