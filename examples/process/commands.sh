# In this folder, with loopcert on the path; python3 needs numpy. truth.py knows the process that drew the log.
loopcert identify problem.toml --rollouts log.csv --out out/look
loopcert learn problem.toml --rollouts log.csv --out out/auto
loopcert learn problem.toml --rollouts log.csv --method guaranteed --out out/guaranteed
loopcert recheck out/auto/certificate.json --rollouts log.csv
loopcert export out/auto/controller.json --format c --out out/code --certificate out/auto/certificate.json
python3 truth.py out/auto/controller.json out/guaranteed/controller.json
