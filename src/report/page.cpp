#include "report/page.hpp"

#include "loopcert/core/version.hpp"
#include "report/text.hpp"

namespace loopcert::report {

std::string paragraph(const std::string& text, const std::string& css) {
  return (css.empty() ? "<p>" : "<p class=\"" + css + "\">") + html_escape(text) + "</p>";
}

std::string folded(const std::string& title, const std::string& note, const std::string& body) {
  return "<details class=\"part\"><summary>" + html_escape(title) +
         (note.empty() ? "" : " <span>" + html_escape(note) + "</span>") + "</summary>\n" + body +
         "</details>\n";
}

std::string lead_html(const std::string& words, const std::string& cards) {
  return "<div class=\"lead\"><div>" + words + "</div>" +
         (cards.empty() ? "" : "<div class=\"cards\">" + cards + "</div>") + "</div>";
}

std::string page_html(const Page& page) {
  const std::string policy = "default-src 'none'; style-src " + content_hash(page_style()) +
                             "; script-src " + content_hash(page_script()) +
                             "; img-src data:; base-uri 'none'; form-action 'none'";
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
      policy +
      "\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      // Or a browser asks a server for one.
      "<link rel=\"icon\" href=\"data:,\">\n<title>" +
      html_escape(page.title) + "</title>\n<style>" + page_style() + "</style>\n</head>\n<body>\n";
  // The script shows the choice: without it there is none.
  out +=
      "<header><label class=\"theme\" hidden>Theme <select><option value=\"\">as the "
      "system</option><option value=\"light\">light</option><option value=\"dark\">dark</option>"
      "</select></label><h1>" +
      html_escape(page.title) + "</h1><p class=\"sub\">" + html_escape(page.subtitle) +
      "</p></header>\n<main>\n" + page.lead;
  for (const Section& section : page.sections)
    out += "<section" + (section.id.empty() ? "" : " id=\"" + section.id + "\"") + "><h2>" +
           html_escape(section.title) + "</h2>\n" + section.body + "\n</section>\n";
  out += "</main>\n<footer>Written by loopcert " + html_escape(version) +
         ". This page is one file: it loads nothing and sends nothing.</footer>\n";
  out += "<script type=\"application/json\" id=\"data\">" + script_json(page.data) + "</script>\n";
  return out + "<script>" + page_script() + "</script>\n</body>\n</html>\n";
}

}  // namespace loopcert::report
