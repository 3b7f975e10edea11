# In this folder, with loopcert on the path.
loopcert learn problem.toml --data learn.csv --method auto --out out/auto
loopcert learn problem.toml --data learn.csv --out out/pac-bayes
loopcert learn problem.toml --data learn.csv --method ridge --gamma cv --out out/ridge
loopcert learn problem.toml --data learn.csv --method erm --out out/erm
loopcert learn problem.toml --method lqr --out out/lqr
loopcert verify out/auto/certificate.json --data learn.csv
loopcert verify out/auto/improvement.json --data learn.csv
python3 ../compare.py problem.toml test.npy out/lqr/controller.json out/auto/controller.json out/pac-bayes/controller.json out/ridge/controller.json out/erm/controller.json
