// Episodes with a known offset of their own, d_t of a recipe or a forecast: it is taken out of the
// log before disturbances are computed, so that what remains is what nobody knew.
#pragma once

#include "loopcert/data/disturbances.hpp"
#include "loopcert/data/trajectory_files.hpp"

namespace loopcert {

struct KnownEpisodes {
  Rollouts logs;
  Matrix d;  // n x T n_x; empty where the files have none: the plant's offset holds
};

// Logged episodes with what the files say of d: an array `d` beside x and u, or columns d0_0, … of
// a table with a row for each episode, d0, d1, … of one with a row for each step.
KnownEpisodes read_known_episodes(const Paths& paths, const DataLayout& layout, const Plant& plant);

// The logs as they would have been with the plant's offset in place of d, whatever the inputs and
// the disturbances: x - F (d - plant's). The same bits in every build.
Rollouts at_offset_of_plant(const Plant& plant, const KnownEpisodes& known);

}  // namespace loopcert
