# In this folder, with loopcert on the path; truth.toml is the plant that drew the logs: nobody has it.
loopcert identify problem.toml --rollouts logs.csv --out out/look
loopcert learn problem.toml --rollouts logs.csv --out out/auto
loopcert learn problem.toml --rollouts logs.csv --method guaranteed --out out/guaranteed
loopcert recheck out/auto/certificate.json --rollouts logs.csv
loopcert export out/auto/controller.json --format c --out out/code --certificate out/auto/certificate.json
loopcert simulate truth.toml --controller out/auto/controller.json --sample 20000 --seed 1
loopcert simulate truth.toml --controller out/guaranteed/controller.json --sample 20000 --seed 1
loopcert learn truth.toml --method lqr
