# In this folder, with loopcert on the path; python3 needs numpy. The problem file says how the logs are laid out, and method
# auto, certificate best.
loopcert inspect problem.toml --rollouts drive-1.csv drive-2.csv --out out/look
loopcert learn problem.toml --rollouts drive-1.csv drive-2.csv --out out/auto
loopcert learn problem.toml --rollouts drive-1.csv drive-2.csv --method ridge --gamma cv --out out/ridge
loopcert learn problem.toml --rollouts drive-1.csv drive-2.csv --method erm --out out/erm
loopcert learn problem.toml --rollouts drive-1.csv drive-2.csv --method lqr --out out/lqr
loopcert recheck out/auto/certificate.json --rollouts drive-1.csv drive-2.csv
loopcert recheck out/auto/improvement.json --rollouts drive-1.csv drive-2.csv
python3 ../persist.py problem.toml out/persist
loopcert certify problem.toml --controller out/persist/controller.json --rollouts drive-1.csv drive-2.csv --certificate best
loopcert certify problem.toml --controller out/persist/controller.json --rollouts drive-1.csv drive-2.csv --certificate improvement
python3 ../compare.py problem.toml test.npy out/lqr/controller.json out/auto/controller.json out/ridge/controller.json out/erm/controller.json out/persist/controller.json
python3 ../compare.py problem.toml test.npy out/persist/controller.json out/auto/controller.json
