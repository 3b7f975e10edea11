#include <algorithm>
#include <cctype>

#include "cli/page.hpp"
#include "loopcert/core/version.hpp"

namespace loopcert::app {
namespace {

// Text that troff takes literally; what is in `backticks` becomes bold.
std::string escaped(std::string_view text) {
  std::string result;
  bool bold = false;
  for (const char c : text) {
    if (c == '`') {
      bold = !bold;
      result += bold ? "\\fB" : "\\fR";
    } else if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";  // a hyphen that can be copied into a shell
    } else if (c == '\'') {
      result += "\\(aq";
    } else if (c == '~') {
      result += "\\(ti";
    } else {
      result += c;
    }
  }
  // A line that begins with a dot would be a request.
  return result.starts_with('.') ? "\\&" + result : result;
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }

// The arguments of a synopsis: "~" holds two words together.
std::string held_together(std::string_view text) {
  std::string result = escaped(text);
  for (size_t at = result.find("\\(ti"); at != std::string::npos; at = result.find("\\(ti"))
    result.replace(at, 4, "\\ ");
  return result;
}

std::string block_troff(const Block& block) {
  switch (block.kind) {
    case Block::heading:
      return ".SS \"" + escaped(block.text) + "\"\n";
    case Block::item:
      return ".TP " + std::to_string(block.indent) + "\n" + bold(block.term) + "\n" +
             escaped(block.text) + "\n";
    case Block::synopsis:
      return ".PP\n" + bold(block.term) + " " + held_together(block.text) + "\n";
    case Block::code:
      return ".PP\n.RS 4\n.nf\n" + escaped(block.text) + "\n.fi\n.RE\n";
    case Block::paragraph:
      break;
  }
  return ".PP\n" + escaped(block.text) + "\n";
}

}  // namespace

std::string page_troff(const Page& page) {
  std::string title = page.name;
  std::transform(title.begin(), title.end(), title.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string text = ".TH \"" + escaped(title) + "\" 1 \"\" \"loopcert " + version +
                     "\" \"loopcert manual\"\n.nh\n.ad l\n";
  for (const Section& section : page.sections) {
    text += ".SH \"" + escaped(section.title) + "\"\n";
    for (const Block& block : section.blocks) {
      // makewhatis wants the line of NAME without a request before it.
      text += section.title == "NAME" ? escaped(block.text) + "\n" : block_troff(block);
    }
  }
  return text;
}

}  // namespace loopcert::app
