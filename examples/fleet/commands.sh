# In this folder, with loopcert on the path; python3 needs numpy and the package loopcert.
loopcert learn problem.toml --method lqr --sample 2000 --seed 1 --certificate hold-out-chi-square --out out
python3 fleet.py out/certificate.json costs.csv
loopcert watch --certificate out/certificate.json --alpha 0.0005 drive-13.csv    # status 4
