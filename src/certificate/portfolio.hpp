// Several certificates for one deployment, delta shared among them before the data are seen.
#pragma once

#include "certificate/deployment.hpp"
#include "certificate/fixed_response.hpp"
#include "certificate/kinds.hpp"
#include "loopcert/problem/problem.hpp"
#include "response/space.hpp"

namespace loopcert {

// The certificate of one kind: each response on the data that it was not learned from, delta / K
// each, and the mean over the K of them (docs/theory/cross-certification.md). With `mean_delta`,
// that of the event on the mean cost, delta is for its others.
Certificate certify_deployment(const Problem& problem, const Deployment& deployment,
                               const Disturbances& data, const FixedResponseKind& kind,
                               double delta, double mean_delta = 0);

// Every certificate that the problem's assumptions grant for what may be deployed, delta shared by
// a rule that looks at the problem, that and n alone. The smallest is the value; `all` lists each
// one, with what those that were not granted would need, and why one of them could not be computed.
Certificate best_certificate(const Problem& problem, Deployable deployable,
                             const Deployment& deployment, const Disturbances& data);

// The same for one response that was fixed before the data were seen: no prior, no folds.
Certificate best_fixed_certificate(const Problem& problem, const Response& response,
                                   const Disturbances& data);

// The same over the PAC-Bayes kinds at one posterior.
Certificate best_posterior_certificate(const Problem& problem, const ResponseSpace& space,
                                       const CertifyingPart& data, const Prior& prior,
                                       Index prior_choices, const Posterior& posterior);

// The scales among which a prior's scale is chosen: fixed here, before any data.
const std::vector<double>& prior_scales();

// Kind at posterior for one of `choices` priors; delta is the kind's total.
Certificate evaluate_choice(const Problem& problem, const ResponseSpace& space,
                            const CertifyingPart& data, const PosteriorKind& kind,
                            const Deltas& deltas, const Prior& prior, Index choices,
                            const Posterior& posterior);

// How much more the deployed controller costs than the baseline (baseline_response): negative is
// better. Nothing when no kind
// is granted or can be computed. It has a delta of its own: it and the certificate of the cost hold
// separately.
std::optional<Certificate> certified_improvement(const Problem& problem,
                                                 const Deployment& deployment,
                                                 const Disturbances& data);

}  // namespace loopcert
