// One function per target, each in targets/<name>.cpp.
#pragma once

#include "support.hpp"

namespace loopcert::fuzz {

void toml(Bytes bytes);             // a problem file
void json(Bytes bytes);             // a problem file
void sweep_file(Bytes bytes);       // a sweep file, TOML or JSON
void coverage_file(Bytes bytes);    // a coverage file, TOML or JSON
void csv(Bytes bytes);              // a table
void costs(Bytes bytes);            // costs of episodes, a table or JSON
void survey(Bytes bytes);           // a table of logs that nobody has explained
void npy(Bytes bytes);              // one array
void npz(Bytes bytes);              // named arrays, also as a controller
void logs(Bytes bytes);             // a log file, read as a [data] section in front of it says
void mat(Bytes bytes);              // .mat up to version 7, in the importer
void hdf5(Bytes bytes);             // .h5, and .mat of version 7.3, in the importer
void importer_answer(Bytes bytes);  // what the importer hands to the program
void controller(Bytes bytes);       // controller.json
void certificate(Bytes bytes);      // certificate.json, also with its hashes repaired
void evidence(Bytes bytes);         // the files beside a certificate, with hashes that fit
void checker(Bytes bytes);          // certificate.json, in loopcert-verify
void checker_files(Bytes bytes);    // the other files that it reads, with a letter in front
void sweep_store(Bytes bytes);      // sweep.sqlite
void sweep_record(Bytes bytes);     // one result inside it, exported
void watch(Bytes bytes);            // what watches remember, costs and steps
void report(Bytes bytes);           // run.json or results.json

}  // namespace loopcert::fuzz
