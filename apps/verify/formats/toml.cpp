// As much of TOML as problem files need: tables, dotted keys, texts on one line, numbers, lists.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "formats/files.hpp"

namespace verify {
namespace {

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  json read() {
    json root = json::object();
    json* table = &root;
    for (skip(true); at_ < text_.size(); skip(true)) {
      if (take('[')) {
        table = &root;
        for (const std::string& key : path()) table = &(*table)[key];
        if (table->is_null()) *table = json::object();
        expect(']');
      } else {
        entry(*table);
      }
      skip(false);
      if (at_ < text_.size() && text_[at_] != '\n') fail();
    }
    return root;
  }

 private:
  [[noreturn]] void fail() const {
    const std::string before = text_.substr(0, at_);
    bad("line " + std::to_string(1 + std::count(before.begin(), before.end(), '\n')), "other text",
        "a key, a number, a text, a list or a table");
  }
  // Blanks and comments, and with `lines` ends of lines.
  void skip(bool lines) {
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '#') at_ = std::min(text_.find('\n', at_), text_.size());
      if (at_ == text_.size() || (text_[at_] == '\n' && !lines) ||
          std::string_view(" \t\r\n").find(text_[at_]) == std::string_view::npos)
        return;
    }
  }
  bool take(char c) {
    skip(false);
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail();
  }
  std::string token(const char* letters) {
    skip(false);
    const size_t end = std::min(text_.find_first_not_of(letters, at_), text_.size());
    if (end == at_) fail();
    const std::string found = text_.substr(at_, end - at_);
    at_ = end;
    return found;
  }
  std::vector<std::string> path() {
    std::vector<std::string> keys;
    do {
      keys.push_back(token("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"));
    } while (take('.'));
    return keys;
  }
  void entry(json& table) {
    json* place = &table;
    for (const std::string& key : path()) place = &(*place)[key];
    expect('=');
    if (!place->is_null()) bad("key", "one given twice", "once");
    *place = value();
  }
  json value() {
    if (++depth_ > 32) fail();
    json found;
    skip(false);
    const char first = at_ < text_.size() ? text_[at_] : '\n';
    if (first == '"' || first == '\'') {
      const size_t end = std::min(text_.find(first, at_ + 1), text_.find('\n', at_));
      if (end == text_.npos || text_[end] != first) fail();
      found = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
    } else if (take('[')) {
      found = json::array();
      for (skip(true); !take(']'); skip(true)) {
        found.push_back(value());
        skip(true);
        if (!take(',') && (at_ >= text_.size() || text_[at_] != ']')) fail();
      }
    } else if (take('{')) {
      found = json::object();
      for (bool more = !take('}'); more; more = !take('}')) {
        entry(found);
        if (!take(',') && (at_ >= text_.size() || text_[at_] != '}')) fail();
      }
    } else {
      found = scalar(token("abcdefghijklmnopqrstuvwxyzE0123456789+-._"));
    }
    --depth_;
    return found;
  }
  json scalar(std::string word) const {
    if (word == "true" || word == "false") return word == "true";
    std::erase(word, '_');
    if (word.starts_with('+')) word.erase(0, 1);
    double number = 0;
    const char* end = word.data() + word.size();
    const auto [rest, error] = std::from_chars(word.data(), end, number);
    if (error != std::errc() || rest != end || !std::isfinite(number)) fail();
    return word.find_first_of(".e") == word.npos && std::abs(number) < 0x1p53
               ? json(static_cast<long>(number))
               : json(number);
  }

  const std::string& text_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

json parse_toml(const std::string& bytes) { return Reader(bytes).read(); }

}  // namespace verify
