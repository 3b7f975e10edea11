# In this folder, with loopcert on the path. truth.toml knows the law that drew the logs.
loopcert learn problem.toml --rollouts logs.csv --out out/auto
loopcert recheck out/auto/improvement.json --rollouts logs.csv
loopcert simulate truth.toml --controller out/auto/controller.json --sample 20000 --seed 1
loopcert simulate truth.toml --controller out/auto/baseline.json --sample 20000 --seed 1
loopcert learn truth.toml
loopcert export out/auto/controller.json --format c --float --out out/code --certificate out/auto/certificate.json --problem problem.toml --rollouts logs.csv
