// What the targets of loopcert-verify share.
#pragma once

#include <functional>

#include "../targets.hpp"

namespace loopcert::fuzz {

// Runs `action` of the checker. False: it refused, in words that were looked at; nothing else may
// be thrown.
bool checker_accepts(const std::function<void()>& action);

}  // namespace loopcert::fuzz
