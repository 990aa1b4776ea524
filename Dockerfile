# The program with its presets on Debian's FFmpeg; built once, without Swift in what is shipped.
ARG SWIFT_IMAGE=swift:6.3-bookworm
ARG RUNTIME_IMAGE=debian:bookworm-slim

FROM ${SWIFT_IMAGE} AS build
WORKDIR /source
COPY scripts/setup scripts/setup
RUN scripts/setup --build && rm -rf /var/lib/apt/lists/*
COPY . .
RUN swift build -c release --product takeup --static-swift-stdlib \
    && DESTDIR=/staged PREFIX=/usr/local scripts/install

FROM ${RUNTIME_IMAGE}
# The libraries' packages carry their version: these are Debian 12's, as the build image's are.
RUN apt-get update -q \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
        libavfilter8 libavformat59 libavcodec59 libavutil57 libswscale6 libswresample4 \
        libssl3 libsqlite3-0 libcurl4 ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --create-home --shell /usr/sbin/nologin takeup
COPY --from=build /staged/usr/local /usr/local
USER takeup
# No HEALTHCHECK: one image does one-off exports and daemons alike; docker-compose.yml has one for each daemon.
ENTRYPOINT ["takeup"]
CMD ["--help"]
