#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reshape::conformance {

// Of the words of a command line those that hold a line end, each also without the option before it: where they are
// printed, no part of them may read as a line of ours.
std::vector<std::string> words_of_lines(const std::vector<std::string>& arguments);
// `text` with the line ends of these words escaped, and no others.
std::string without_lines_of(const std::vector<std::string>& words, std::string text);

// A stream to a person: whatever a command writes into it comes out printable (see printable.h), line by
// line, so that no name, id, path or message of others reaches a terminal raw. `paint`, if any, is what each line
// then goes through (see paint.h).
class PrintableStream : public std::ostream {
 public:
  using Paint = std::string (*)(std::string_view line);

  // What is written begins with `first`, and is given it where it does not.
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
    bool pass_on(
        std::size_t bytes);  // the first of what is pending; false: it could not be written

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
