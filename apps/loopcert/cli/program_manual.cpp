#include "cli/manual.hpp"

namespace loopcert::app {

Manual program_manual() {
  return {
      .synopsis = {"COMMAND [ARGUMENT...]", "help [COMMAND]", "--version | --help"},
      .description =
          {"loopcert takes a linear plant, a quadratic cost and recorded disturbances, and returns "
           "a linear controller for a finite horizon. It also returns a certificate: an upper "
           "bound on the controller's expected cost that fails with at most a stated probability, "
           "with all its terms, events and assumptions. If an assumption is false, so may be the "
           "certificate.",
           "`loopcert COMMAND --help` or `loopcert help COMMAND` explains one command. Options may "
           "be placed anywhere after the command, and `--option=value` is `--option value`.",
           "Results go to standard output, messages to standard error, one line each, starting "
           "with `loopcert: `. With --json standard output is one JSON object and nothing else, "
           "even after a failure. No result depends on the number of threads."},
      .files = {{"problem.toml",
                 "plant, cost, horizon, assumptions about the disturbances, and how to learn "
                 "(docs/problem-file.md)"},
                {"*.csv, *.npy", "trajectories, one per row"},
                {"controller.json", "a controller: gains K, offset k, provenance"},
                {"certificate.json", "a certificate with everything that it was computed from"}},
      .environment = {{"LOOPCERT_IMPORTER",
                       "the program that reads .mat and .h5 files (default: the loopcert-importer "
                       "that was built or installed with this one)"},
                      {"OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE, PMI_RANK, PMI_SIZE",
                       "rank and number of processes under mpirun or srun: `loopcert sweep` makes "
                       "each rank a shard"}},
      .statuses =
          {{"1",
            "numerical failure: a number is not finite, or out of memory; or Ctrl-C, SIGTERM or "
            "SIGHUP stopped a sweep or a count; or coverage or doctor found a problem"},
           {"4", "recheck rejects"}},
      .examples =
          {{"loopcert learn examples/assumptions/coloured.toml --sample 100 --seed 1 --out out",
            "The engineer: a controller from data, its certificate, C code."},
           {"loopcert export out/controller.json --format c --out out/c", ""},
           {"loopcert sweep examples/sweeps/quick.toml --out sweep",
            "The researcher: many experiments, and one page about them."},
           {"loopcert report sweep", ""},
           {"loopcert sample examples/assumptions/coloured.toml -n 100 --seed 1 --out data.csv",
            "The reviewer: does the certificate follow from its inputs, and do the data agree with "
            "what it assumes?"},
           {"loopcert recheck out/certificate.json --data data.csv", ""},
           {"loopcert inspect examples/assumptions/coloured.toml --data data.csv", ""}},
      .see_also = {"learn", "certify", "recheck", "docs/tour.md", "docs/problem-file.md",
                   "docs/certificates.md"},
  };
}

}  // namespace loopcert::app
