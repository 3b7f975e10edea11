// Many data sets, one functional, one prior: whole minimizations side by side, on a GPU where there
// is one. Each result is that of its own data set: neither the batch nor its order matters.
#pragma once

#include <optional>
#include <vector>

#include "device/device.hpp"
#include "learning/pac_bayes.hpp"

namespace loopcert {

// minimize_bound for each of the inputs with diagonal posteriors and an isotropic prior: what fits
// the device is done there, the rest, and all of it without a device, by so many threads. Throws
// what minimize_bound throws for the first data set that it throws for.
std::vector<PacBayesResult> learn_many(const QuadraticForm& form,
                                       const std::vector<const BoundInputs*>& inputs,
                                       const Prior& prior, const PacBayesOptions& options,
                                       Device* device, int threads);

// The device's part alone: nothing for a data set that it leaves to the processor. Throws
// DeviceError.
std::vector<std::optional<PacBayesResult>> learn_on_device(
    Device& device, const QuadraticForm& form, const std::vector<const BoundInputs*>& inputs,
    const Prior& prior, const PacBayesOptions& options);

// Whether the device knows problems of this kind, and whether they are small enough for it.
bool fits_many(const QuadraticForm& form, const Prior& prior, const PacBayesOptions& options);

}  // namespace loopcert
