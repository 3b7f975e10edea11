// A watch on the steps of a plant as they come in lines: what was measured, then the inputs that
// followed. A new run begins after a line without numbers or without inputs, with another episode,
// and where the number of the step is not the next one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "loopcert/data/layout.hpp"
#include "watch/line_feed.hpp"
#include "watch/plant_watch.hpp"

namespace loopcert {

// From the first line of a log, where that is of names: those of the layout, or without a layout
// x0, x1, … (or y0, …), u0, …. Nothing when it is of numbers: measured, then inputs, alone.
// Throws InputError when a name is missing.
std::optional<StepColumns> named_columns(std::string_view line, const DataLayout& layout, Index n_y,
                                         Index n_u);

struct StepFeed {
  // Called when every line that is there has been read, and at the end; may be empty.
  std::function<void(const PlantWatchState&, const StepColumns&, Index bytes)> save = nullptr;
  std::function<void(const PlantWatchState&)> seen = nullptr;  // after every step; may be empty
  std::function<bool()> go_on = nullptr;                       // as in CostFeed
  bool whole_lines = false;
  DataLayout layout = {};
  std::optional<StepColumns> columns = std::nullopt;  // known from before: names are passed over
};

// Until the claim is rejected or there is nothing more to read. Throws InputError.
void watch_steps(PlantWatch& watch, LineFeed& lines, const StepFeed& feed);

}  // namespace loopcert
