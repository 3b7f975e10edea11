# The program, the checker and the reader of .mat and .h5 files, for any machine of the architecture:
#   docker build -t loopcert . && docker run --rm -v "$PWD:/work" loopcert learn problem.toml ...
# Linted by tests/tools/test_recipes.py; not run where loopcert is developed (docs/install.md).
FROM debian:12-slim AS build
WORKDIR /src
COPY tools/setup tools/packages.txt tools/
RUN tools/setup build
COPY . .
RUN cmake --preset portable -DLOOPCERT_TESTS=OFF -DLOOPCERT_BINDINGS=OFF \
    && cmake --build --preset portable \
    && cmake --install build-portable --prefix /opt/loopcert

FROM debian:12-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
       libflint-arb2 libflint17 libfmt9 libhdf5-103-1 libmatio11 libsqlite3-0 libssl3 libstdc++6 zlib1g \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/loopcert /usr/local
WORKDIR /work
ENTRYPOINT ["loopcert"]
