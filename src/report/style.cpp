// The style sheet. Colours are variables, so that dark mode and print change them in one place;
// series colours are those of Okabe and Ito, told apart with any colour vision.
#include <fmt/format.h>

#include <array>
#include <string>

#include "report/page.hpp"

namespace loopcert::report {
namespace {

using Rgb = std::array<int, 3>;

Rgb rgb(unsigned hex) {
  return {static_cast<int>(hex >> 16), static_cast<int>(hex >> 8 & 255),
          static_cast<int>(hex & 255)};
}

// 21 colours through equally spaced stops, as variables --d0:…; ….
template <size_t N>
std::string ramp(char name, const std::array<unsigned, N>& stops) {
  std::string variables;
  for (int level = 0; level <= 20; ++level) {
    const double place = level / 20.0 * (N - 1);
    const size_t k = std::min(static_cast<size_t>(place), N - 2);
    const Rgb a = rgb(stops[k]), b = rgb(stops[k + 1]);
    const double share = place - static_cast<double>(k);
    Rgb mixed;
    for (size_t i = 0; i < 3; ++i) mixed[i] = static_cast<int>(a[i] + share * (b[i] - a[i]) + 0.5);
    variables +=
        fmt::format("--{}{}:#{:02x}{:02x}{:02x};", name, level, mixed[0], mixed[1], mixed[2]);
  }
  return variables;
}

// .d0{fill:var(--d0)} …
std::string ramp_rules() {
  std::string rules;
  for (const char name : {'d', 'q'})
    for (int level = 0; level <= 20; ++level)
      rules += fmt::format(".{0}{1}{{fill:var(--{0}{1})}}", name, level);
  return rules;
}

const char* const sheet = R"css(
:root{color-scheme:light dark;--paper:#fff;--card:#f6f7f8;--ink:#1c2126;--soft:#56606b;--rule:#d9dee3;
--sum:#9aa5b0;--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#b5578f;--c4:#c98500;--c5:#3a9bd9;--c6:#5b5b5b;--c7:#7a4fb5;--good:#00795a;--bad:#a84300}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans",sans-serif}
header,main,footer{max-width:1100px;margin:0 auto;padding:0 20px}
header{padding-top:20px}
h1{font-size:1.7rem;line-height:1.2;margin:0;letter-spacing:-.015em;overflow-wrap:anywhere}
.sub{color:var(--soft);margin:.25rem 0 .8rem;overflow-wrap:anywhere;max-width:none}
.theme{float:right;margin:4px 0 4px 14px;color:var(--soft);font-size:.88rem}
.theme select{font:inherit;color:var(--ink);background:var(--card);border:1px solid var(--rule);border-radius:6px;padding:3px 6px}
h2{font-size:1.3rem;margin:1.5rem 0 .5rem;padding-top:.8rem;border-top:1px solid var(--rule);letter-spacing:-.01em;overflow-wrap:anywhere}
h3{font-size:1rem;margin:0 0 .3rem;overflow-wrap:anywhere}
p{margin:.5rem 0;max-width:46rem;overflow-wrap:anywhere}
.verdict{font-size:1.04rem;line-height:1.45}
.lead{display:grid;grid-template-columns:minmax(0,1fr);gap:0 30px;align-items:start}
@media (min-width:960px){.lead{grid-template-columns:minmax(0,1fr) 392px}.lead>.cards{margin:.5rem 0 0}}
.verdict.good{border-left:4px solid var(--good);padding-left:14px}
.verdict.plain{border-left:4px solid var(--bad);padding-left:14px}
.note{color:var(--soft);font-size:.94rem;max-width:62rem}
.warn{border-left:4px solid var(--c4);padding-left:14px}
.short{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden}
a{color:inherit}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(132px,1fr));gap:12px;margin:1.2rem 0;padding:0}
.card{background:var(--card);border-radius:8px;padding:9px 13px}
.card b{display:block;font-size:1.35rem;line-height:1.25;font-weight:600;font-variant-numeric:tabular-nums}
.card span{color:var(--soft);font-size:.88rem;line-height:1.35;display:block}
.card.main{background:var(--ink);color:var(--paper)}.card.main span{color:inherit;opacity:.8}
.grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:26px 34px;align-items:start;margin:1rem 0}
.grid.small{grid-template-columns:repeat(auto-fit,minmax(min(100%,310px),1fr));gap:16px 24px}
.grid.small svg.plot{max-width:480px}
figure{margin:0;min-width:0;break-inside:avoid;overflow:clip;overflow-clip-margin:12px}
figure.wide{grid-column:1/-1}
figcaption{color:var(--soft);font-size:.92rem;margin:.3rem 0;max-width:34rem}
svg.plot{display:block;width:100%;max-width:560px;height:auto;overflow:visible}
svg text{font-size:13px;fill:var(--ink);font-variant-numeric:tabular-nums}
svg .tk{fill:var(--soft)}svg .nb{font-weight:600}svg .lb,svg .nb{paint-order:stroke;stroke:var(--paper);stroke-width:4px}
.gr{stroke:var(--rule);stroke-width:1;fill:none}.ax{stroke:var(--soft);stroke-width:1;fill:none}.thin{stroke-dasharray:2 2}
.fr{fill:none;stroke:var(--rule)}
.ln{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}
.zero{stroke:var(--soft);stroke-width:1;stroke-dasharray:1 3}
.path{stroke-width:1;stroke-opacity:.5}
.dash{stroke-dasharray:7 4;stroke-width:1.6}.dots{stroke-dasharray:1.5 3.5;stroke-width:2}
.bd{fill:currentColor;fill-opacity:.22}.fl{fill:currentColor}
.mk{fill:currentColor}.open{fill-opacity:.5}.ring{fill:none;stroke:currentColor;stroke-width:1.7}.faint{fill-opacity:.42}
.med{stroke-width:1.4;stroke-dasharray:4 3}
.c0{color:var(--c0)}.c1{color:var(--c1)}.c2{color:var(--c2)}.c3{color:var(--c3)}.c4{color:var(--c4)}.c5{color:var(--c5)}.c6{color:var(--c6)}.c7{color:var(--c7)}
.ink{color:var(--ink)}.sum{color:var(--sum)}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:2px 16px;margin:.1rem 0 .3rem;padding:0;font-size:.88rem;color:var(--soft)}
.key{width:26px;height:14px;vertical-align:-2px;margin-right:6px}
.toggles{position:sticky;top:0;z-index:1;background:var(--paper);border:1px solid var(--rule);border-radius:8px;padding:8px 12px;margin:1rem 0;display:flex;flex-wrap:wrap;gap:4px 18px}
.toggles legend{font-size:.88rem;color:var(--soft);padding:0 4px}
.toggles label{cursor:pointer;overflow-wrap:anywhere;min-height:28px}
.off{display:none}
details{margin:.2rem 0}summary{cursor:pointer;color:var(--soft);font-size:.9rem}
details.part{border-top:1px solid var(--rule);margin:0}
details.part>summary{color:var(--ink);font-size:1.05rem;font-weight:600;padding:.65rem 0}
details.part>summary span{color:var(--soft);font-size:.9rem;font-weight:400}
.scroll{overflow-x:auto}figure details .scroll{max-height:420px;overflow-y:auto}
table{border-collapse:collapse;font-size:.88rem;margin:.5rem 0;font-variant-numeric:tabular-nums}
th,td{text-align:right;padding:3px 10px;border-bottom:1px solid var(--rule);white-space:nowrap}
th:first-child,td:first-child{text-align:left;padding-left:0}
th{color:var(--soft);font-weight:600;position:sticky;top:0;background:var(--paper)}
.words table{width:100%}.words td{white-space:normal;text-align:left;vertical-align:top}.words th{text-align:left}
.words td:nth-child(2){white-space:nowrap}.words.wrap td:nth-child(2){white-space:normal}
thead th[colspan]{text-align:left;border-bottom:0;position:static}
li{overflow-wrap:anywhere;max-width:46rem}
math{font-size:1.08rem}.formula{overflow-x:auto;overflow-y:hidden;padding:.45rem 0}
footer{color:var(--soft);font-size:.88rem;margin-top:3rem;padding-top:1rem;padding-bottom:2.5rem}
@media (max-width:520px){body{font-size:15px}h1{font-size:1.4rem}header,main,footer{padding-left:16px;padding-right:16px}.toggles{position:static}
th,td{padding:3px 6px}.verdict{font-size:1rem}svg text{font-size:14.5px}.card b{font-size:1.25rem}.cards{grid-template-columns:repeat(2,1fr)}}
)css";

const char* const dark_variables =
    "color-scheme:dark;--paper:#14171a;--card:#1e2327;--ink:#e8ebee;--soft:#a0abb5;--rule:#323a42;"
    "--sum:#66727d;--c0:#4fb0ea;--c1:#f28e4c;--c2:#2cc79a;--c3:#e49bc5;--c4:#f0b429;--c5:#8fd0f7;"
    "--c6:#b9c0c7;--c7:#b79bea;--good:#2cc79a;--bad:#f28e4c;";

// Paper is white whatever the screen is; what is folded stays folded, and says so.
const char* const print_rules =
    "@media print{:root{color-scheme:light}body{font-size:10pt}header{padding-top:0}"
    ".toggles{position:static}.theme{display:none}"
    ".scroll{max-height:none;overflow:visible}figure details:not([open]){display:none}"
    "details.part:not([open])>summary::after{content:\" (folded: open it before printing)\";"
    "font-weight:400;color:var(--soft)}"
    ".lead{grid-template-columns:minmax(0,1fr)}.lead>.cards{margin:.6rem 0}"
    ".cards{grid-template-columns:repeat(4,1fr);gap:8px}.card b{font-size:1.15rem}"
    ".short{display:block;-webkit-line-clamp:none}"
    ".grid{grid-template-columns:1fr 1fr;gap:14px 22px}"
    ".grid.small{grid-template-columns:1fr 1fr 1fr;gap:10px 14px}h2,h3{break-after:avoid}"
    ".card,.card.main{background:none;color:inherit;border:1px solid "
    "var(--rule);break-inside:avoid}"
    "table{font-size:.8rem}tr{break-inside:avoid}}";

std::string make_style() {
  const std::string light =
      ramp('d', std::array{0x023858u, 0x0072b2u, 0x7fb8d8u, 0xf7f7f7u, 0xf0a878u, 0xd55e00u,
                           0x662d00u}) +
      ramp('q', std::array{0xf7f7f7u, 0xb5d6e6u, 0x4d9bc4u, 0x0c5c8cu, 0x04263du});
  const std::string dark =
      dark_variables +
      ramp('d', std::array{0xd6efffu, 0x56b4e9u, 0x1f6a94u, 0x1b1f24u, 0x96480fu, 0xf08a3cu,
                           0xffe3c9u}) +
      ramp('q', std::array{0x1b1f24u, 0x14435fu, 0x1f7fb0u, 0x6fc0eau, 0xe3f4ffu});
  // As the system says, unless the reader says otherwise (script.cpp).
  return sheet + (":root{" + light + "}") + ramp_rules() +
         ":root[data-theme=light]{color-scheme:light}" +
         "@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){" + dark +
         "}}@media screen{:root[data-theme=dark]{" + dark + "}}" + print_rules;
}

}  // namespace

const std::string& page_style() {
  static const std::string style = make_style();
  return style;
}

}  // namespace loopcert::report
