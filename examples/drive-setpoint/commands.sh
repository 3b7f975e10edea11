# In this folder, with loopcert on the path; python3 needs numpy.
loopcert learn problem.toml --rollouts logs.csv --out out/auto
loopcert simulate problem.toml --controller out/auto/controller.json --sample 20000 --seed 1
loopcert simulate problem.toml --controller out/auto/baseline.json --sample 20000 --seed 1
loopcert learn problem.toml --rollouts logs.csv --method lqr --certificate best --out out/lqr
loopcert learn integral.toml --rollouts logs.csv --method lqr --certificate best --out out/integral
python3 load.py problem.toml out/lqr/controller.json integral.toml out/integral/controller.json
