# In this folder, with loopcert on the path. truth.toml knows the noise that drew the logs.
loopcert learn problem.toml --rollouts logs.csv --out out/auto
loopcert simulate truth.toml --controller out/auto/controller.json --sample 20000 --seed 1
loopcert simulate truth.toml --controller out/auto/baseline.json --sample 20000 --seed 1
loopcert learn truth.toml
loopcert learn truth.toml --method optimum
loopcert learn problem.toml --rollouts logs.csv --method baseline --certificate best --out out/today
loopcert export out/auto/controller.json --format c --out out/code --certificate out/auto/certificate.json
