#include <algorithm>

#include "cli/page.hpp"

namespace loopcert::app {
namespace {

constexpr size_t width = 80;
constexpr size_t body = 7;  // as man indents

// Split at spaces, but not inside `backticks`. A bar stays with the word before it.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  const auto finish = [&] {
    if (word == "|" && !words.empty())
      words.back() += " |";
    else if (!word.empty())
      words.push_back(word);
    word.clear();
  };
  for (const char c : text) {
    if (c == '`') quoted = !quoted;
    if (c == ' ' && !quoted)
      finish();
    else
      word += c;
  }
  finish();
  return words;
}

// A command line, where an option and its value stay together.
std::vector<std::string> code_words(std::string_view text) {
  std::vector<std::string> words;
  for (const std::string& word : words_of(text)) {
    const bool value = !words.empty() && words.back().starts_with('-') &&
                       words.back().find(' ') == std::string::npos && !word.starts_with('-');
    if (value)
      words.back() += " " + word;
    else
      words.push_back(word);
  }
  return words;
}

// Lines of words, each below `margin`; the first one goes on after `start`. `joint` ends a line
// that is continued.
std::string fill(const std::string& start, const std::vector<std::string>& words, size_t margin,
                 const std::string& joint = "") {
  std::string text, line = start;
  bool empty = true;
  for (const std::string& word : words) {
    if (!empty && line.size() + 1 + word.size() + joint.size() > width) {
      text += line + joint + "\n";
      line = std::string(margin, ' ');
      empty = true;
    }
    if (!empty) line += ' ';
    line += word;
    empty = false;
  }
  return text + line + "\n";
}

std::string item_text(const Block& block) {
  const size_t margin = body + static_cast<size_t>(block.indent);
  std::string start = std::string(body, ' ') + block.term;
  if (block.text.empty()) return start + "\n";
  const bool beside = start.size() + 2 <= margin;
  std::string text = beside ? "" : start + "\n";
  if (!beside) start.clear();
  start.resize(margin, ' ');
  return text + fill(start, words_of(block.text), margin);
}

std::string block_text(const Block& block) {
  switch (block.kind) {
    case Block::heading:
      return "   " + block.text + "\n";
    case Block::item:
      return item_text(block);
    case Block::synopsis: {
      const std::string start = std::string(body, ' ') + block.term + " ";
      std::string text = fill(start, words_of(block.text), std::min(start.size(), body + 16));
      std::replace(text.begin(), text.end(), '~', ' ');
      return text;
    }
    case Block::code:
      return fill(std::string(body + 4, ' '), code_words(block.text), body + 8, " \\");
    case Block::paragraph:
      break;
  }
  return fill(std::string(body, ' '), words_of(block.text), body);
}

// Items follow each other closely, and so do forms of the synopsis and lines of code.
bool apart(const Block& before, const Block& block) {
  const bool tight = block.kind != Block::paragraph && block.kind == before.kind;
  return !tight && before.kind != Block::heading;
}

}  // namespace

std::string page_text(const Page& page) {
  std::string text;
  for (const Section& section : page.sections) {
    text += (text.empty() ? "" : "\n") + section.title + "\n";
    for (size_t i = 0; i < section.blocks.size(); ++i) {
      if (i > 0 && apart(section.blocks[i - 1], section.blocks[i])) text += "\n";
      text += block_text(section.blocks[i]);
    }
  }
  return text;
}

}  // namespace loopcert::app
