// Learning on parts of the data, so that the others certify what was learned.
#pragma once

#include "certificate/certificate_choice.hpp"
#include "learning/learn_on_parts.hpp"

namespace loopcert {

Learned learn_certified(const LearnMethod& method, const CertificateChoice& choice,
                        const LearnTask& task);

}  // namespace loopcert
