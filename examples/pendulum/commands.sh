# In this folder, with loopcert on the path; python3 needs numpy and the package loopcert.
loopcert learn problem.toml --method lqr --out out/design
python3 pendulum.py out/design/controller.json 1000 1 --costs out/costs.csv
loopcert measure out/costs.csv --largest 60 --out out/measured
python3 pendulum.py out/design/controller.json 500 2 --costs out/later.csv
loopcert watch --certificate out/measured/certificate.json out/later.csv
python3 pendulum.py out/design/controller.json 200 3 --worn --costs out/worn.csv
loopcert watch --certificate out/measured/certificate.json out/worn.csv    # status 4
loopcert export out/design/controller.json --format c --out out/code --watch out/measured/certificate.json
