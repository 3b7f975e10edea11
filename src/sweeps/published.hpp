// The numbers of the paper's two tables: mean and standard deviation over 20 seeds.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sweeps/reproduction.hpp"

namespace loopcert {

using PublishedColumn = std::map<Index, Published>;

// Table 1, held-out test cost.
inline const std::map<std::string, PublishedColumn> published_cost = {
    {"raw ERM",
     {{10, {164.01, 489.35}},
      {20, {84.37, 216.30}},
      {40, {4.08, .19}},
      {100, {3.40, .09}},
      {400, {3.19, .02}}}},
    {"ridge ERM",
     {{10, {4.96, .33}},
      {20, {4.47, .35}},
      {40, {3.69, .11}},
      {100, {3.32, .07}},
      {400, {3.18, .02}}}},
    {"data PB",
     {{10, {3.22, .02}},
      {20, {3.23, .02}},
      {40, {3.24, .02}},
      {100, {3.23, .03}},
      {400, {3.18, .02}}}},
    {"oracle PB",
     {{10, {3.28, .03}},
      {20, {3.27, .02}},
      {40, {3.24, .03}},
      {100, {3.20, .03}},
      {400, {3.16, .02}}}},
};

// Table 1, deployed sensitivity C(alpha).
inline const std::map<std::string, PublishedColumn> published_sensitivity = {
    {"raw ERM",
     {{10, {2.42e5, 1.03e6}},
      {20, {5.39e4, 2.07e5}},
      {40, {2.11, .35}},
      {100, {1.17, .11}},
      {400, {.97, .02}}}},
    {"ridge ERM",
     {{10, {4.19, 1.01}},
      {20, {3.20, .87}},
      {40, {1.64, .18}},
      {100, {1.14, .08}},
      {400, {.99, .02}}}},
    {"data PB",
     {{10, {.85, .00}}, {20, {.86, .01}}, {40, {.87, .01}}, {100, {.88, .01}}, {400, {.88, .01}}}},
    {"oracle PB",
     {{10, {1.17, .13}},
      {20, {1.11, .12}},
      {40, {1.05, .10}},
      {100, {.97, .07}},
      {400, {.92, .01}}}},
};

// Table 2, certificate tightness of data PB.
inline const std::map<std::string, PublishedColumn> published_tightness = {
    {"held-out cost",
     {{10, {3.22, .02}},
      {20, {3.23, .02}},
      {40, {3.24, .02}},
      {100, {3.23, .03}},
      {400, {3.18, .02}}}},
    {"data certificate",
     {{10, {97.51, .83}},
      {20, {44.48, .83}},
      {40, {22.57, .37}},
      {100, {11.19, .19}},
      {400, {5.68, .11}}}},
    {"prescient certificate",
     {{10, {10.52, .20}},
      {20, {8.23, .29}},
      {40, {6.73, .16}},
      {100, {5.52, .11}},
      {400, {4.36, .07}}}},
    {"certificate - held-out",
     {{10, {94.29, .83}},
      {20, {41.25, .82}},
      {40, {19.34, .36}},
      {100, {7.96, .19}},
      {400, {2.49, .11}}}},
};

}  // namespace loopcert
