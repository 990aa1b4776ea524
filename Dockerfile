# The programs with the presets on Debian's FFmpeg; built once, without Swift in what is shipped.
ARG SWIFT_IMAGE=swift:6.3-bookworm
ARG RUNTIME_IMAGE=debian:bookworm-slim

FROM ${SWIFT_IMAGE} AS build
WORKDIR /source
COPY scripts/setup scripts/setup
RUN scripts/setup --build \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends dpkg-dev \
    && rm -rf /var/lib/apt/lists/*
COPY . .
RUN scripts/build \
    && DESTDIR=/staged PREFIX=/usr/local scripts/install \
    && scripts/libraries --names /staged/usr/local/bin/takeup \
        /staged/usr/local/libexec/takeup/takeup-media >/staged/libraries

FROM ${RUNTIME_IMAGE}
# The names of the libraries' packages carry a version: both images must be of one Debian.
COPY --from=build /staged/libraries /tmp/libraries
RUN apt-get update -q \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
        $(cat /tmp/libraries) ca-certificates libpq5 fonts-dejavu-core \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --create-home --shell /usr/sbin/nologin takeup
COPY --from=build /staged/usr/local /usr/local
USER takeup
# No HEALTHCHECK: one image does one-off exports and daemons alike; docker-compose.yml has one for each daemon.
ENTRYPOINT ["takeup"]
CMD ["--help"]
