// The script: toggles and the theme only. Without it everything is shown, light or dark as the
// system says. "#hide=erm,ridge" in the address hides series from the start and "#theme=dark"
// chooses a theme, so that a view can be linked to; nothing is stored.
#include "report/page.hpp"

namespace loopcert::report {

const std::string& page_script() {
  static const std::string script = R"js(
(function () {
  "use strict";
  const boxes = Array.from(document.querySelectorAll("input[data-toggle]"));
  function apply(box) {
    const marks = document.querySelectorAll('[data-series="' + box.dataset.toggle + '"]');
    for (const mark of marks) mark.classList.toggle("off", !box.checked);
  }
  function decode(word) {
    try { return decodeURIComponent(word); } catch (error) { return ""; }
  }
  const theme = document.querySelector(".theme"), themes = theme.querySelector("select");
  theme.hidden = false;
  function wear(name) {
    themes.value = name;
    if (name) document.documentElement.dataset.theme = name;
    else delete document.documentElement.dataset.theme;
  }
  function read() {
    if (location.hash && !/[#&](hide|theme)=/.test(location.hash)) return;  // to a part of the page
    const found = /[#&]hide=([^&]*)/.exec(location.hash);
    const hidden = found ? found[1].split(",").map(decode) : [];
    for (const box of boxes) {
      box.checked = !hidden.includes(box.dataset.name);
      apply(box);
    }
    const worn = /[#&]theme=(light|dark)(&|$)/.exec(location.hash);
    wear(worn ? worn[1] : "");
  }
  function write() {
    const hidden = boxes.filter(box => !box.checked);
    const parts = [];
    if (hidden.length)
      parts.push("hide=" + hidden.map(box => encodeURIComponent(box.dataset.name)).join(","));
    if (themes.value) parts.push("theme=" + themes.value);
    location.replace("#" + (parts.join("&") || "hide="));
  }
  themes.addEventListener("change", write);
  for (const box of boxes) box.addEventListener("change", write);
  window.addEventListener("hashchange", read);
  read();
})();
)js";
  return script;
}

}  // namespace loopcert::report
