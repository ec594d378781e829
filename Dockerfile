# syntax=docker/dockerfile:1
# The server of svc and its command line, from this tree: `docker build --tag svc .`
# It runs as a user other than root and writes /data and /tmp only, so the root may be read-only. docs/install.md has
# the commands.

FROM rust:1.95.0-bookworm AS build
WORKDIR /src
# The tools for linting that rust-toolchain.toml names are not needed here, and would be fetched.
ENV RUSTUP_TOOLCHAIN=1.95.0 CARGO_TARGET_DIR=/target
COPY . .
# The built web UI is part of the tree, so there is no Node.js here.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/target \
    cargo build --locked --profile dist --package svc-http --package svc-admin && \
    install -D -t /image/usr/local/bin /target/dist/svc-http /target/dist/svc-admin && \
    install -D -m 644 -t /image/usr/share/doc/svc LICENSE && \
    install -d -m 700 /volume/data

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /image/ /
# A new volume gets its owner from here.
COPY --from=build --chown=65532:65532 /volume/ /
ENV SVC_DATA=/data SVC_LISTEN=0.0.0.0:8080
USER 65532:65532
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=15s --start-period=60s --start-interval=2s --retries=3 \
    CMD ["/usr/local/bin/svc-http", "health"]
ENTRYPOINT ["/usr/local/bin/svc-http"]
