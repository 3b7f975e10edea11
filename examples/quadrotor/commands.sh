# In this folder, with loopcert on the path; python3 needs numpy. The problem file says method auto, certificate best.
loopcert inspect problem.toml --data learn.npy --out out/look
loopcert learn problem.toml --data learn.npy --out out/auto
loopcert learn problem.toml --data learn.npy --method ridge --gamma cv --out out/ridge
loopcert learn problem.toml --data learn.npy --method erm --out out/erm
loopcert learn problem.toml --data learn.npy --method lqr --out out/lqr
loopcert recheck out/auto/certificate.json --data learn.npy
loopcert recheck out/auto/improvement.json --data learn.npy
python3 ../persist.py problem.toml out/persist
loopcert certify problem.toml --controller out/persist/controller.json --data learn.npy --certificate best
loopcert certify problem.toml --controller out/persist/controller.json --data learn.npy --certificate improvement
python3 ../compare.py problem.toml test.npy out/lqr/controller.json out/auto/controller.json out/ridge/controller.json out/erm/controller.json out/persist/controller.json
