# In this folder, with loopcert on the path; python3 needs numpy.
loopcert learn problem.toml --data learn.csv --method auto --out out/auto
loopcert learn problem.toml --data learn.csv --out out/pac-bayes
loopcert learn problem.toml --data learn.csv --method ridge --gamma cv --out out/ridge
loopcert learn problem.toml --data learn.csv --method erm --out out/erm
loopcert learn problem.toml --method lqr --out out/lqr
loopcert recheck out/auto/certificate.json --data learn.csv
loopcert recheck out/auto/improvement.json --data learn.csv
python3 ../persist.py problem.toml out/persist
loopcert certify problem.toml --controller out/persist/controller.json --data learn.csv --certificate best
loopcert certify problem.toml --controller out/persist/controller.json --data learn.csv --certificate improvement
python3 ../compare.py problem.toml test.npy out/lqr/controller.json out/auto/controller.json out/pac-bayes/controller.json out/ridge/controller.json out/erm/controller.json out/persist/controller.json
python3 ../compare.py problem.toml test.npy out/persist/controller.json out/auto/controller.json
