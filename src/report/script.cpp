// The script: toggles only. Without it everything is shown. "#hide=erm,ridge" in the address hides
// series from the start, so that a view can be linked to.
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
  function read() {
    const found = /[#&]hide=([^&]*)/.exec(location.hash);
    const hidden = found ? found[1].split(",").map(decode) : [];
    for (const box of boxes) {
      box.checked = !hidden.includes(box.dataset.name);
      apply(box);
    }
  }
  function write() {
    const hidden = boxes.filter(box => !box.checked);
    const names = hidden.map(box => encodeURIComponent(box.dataset.name));
    location.replace("#hide=" + names.join(","));
  }
  for (const box of boxes) box.addEventListener("change", write);
  window.addEventListener("hashchange", read);
  read();
})();
)js";
  return script;
}

}  // namespace loopcert::report
