// The record of a certificate: certificate.json without what else stands in that file.
#pragma once

#include <nlohmann/json.hpp>

#include "loopcert/certificate/record.hpp"

namespace loopcert {

struct CertificateRecord {
  Certificate certificate;
  nlohmann::json inputs = nlohmann::json::object();  // hashes, the problem, prior, posterior
};

nlohmann::json certificate_to_json(const Certificate& certificate,
                                   const nlohmann::json& inputs = nlohmann::json::object());
// These throw InputError.
Certificate certificate_from_json(const nlohmann::json& tree);
CertificateRecord record_from_json(const nlohmann::json& tree);

}  // namespace loopcert
