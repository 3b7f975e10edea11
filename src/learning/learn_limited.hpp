// Learning under limits, so that the data say how surely they hold.
#pragma once

#include <functional>

#include "certificate/certificate_choice.hpp"
#include "learning/learn_on_parts.hpp"

namespace loopcert {

// What is deployed by a method under limits, with learned.limits (nothing where no certificate is
// granted without data). A method that learns, certified by fresh data: a path of responses from
// safe to aggressive, tested in this order. By folds: one response to each, with room for the
// certificate. By events that hold for all responses: the least room with which it passes.
Deployment deploy_limited(UseOfData use, const LearnMethod& method, const LearnTask& task,
                          const CertificateChoice& choice, Learned& learned);

// A method whose cost nothing certifies, with as much room as if all its data did; limits for every
// disturbance of a set are certified all the same.
Learned learn_without_certificate(const LearnMethod& method, const LearnTask& task);

// About the smallest factor with which the certificate passes, for one that holds for every
// response at once; what the sizes suggest when none does. `limit` sets the response of a factor,
// and returns the one that it has, smaller where the limits leave no more room.
void choose_factor(Learned& learned, const LearnTask& task,
                   const std::function<double(double factor)>& limit);

}  // namespace loopcert
