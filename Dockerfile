# Minilab in a container: both programs, libvips, LibRaw, and nothing to build with.
#
#   docker build -t minilab .
#   docker run --rm --read-only --cap-drop=all --security-opt no-new-privileges \
#     -v /photos:/photos:ro -v /renders:/renders minilab render /photos --output /renders

FROM swift:6.3-bookworm AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    libexiv2-dev libheif-dev libjxl-dev liblcms2-dev libopenjp2-7-dev libraw-dev libsqlite3-dev libssl-dev libtiff-dev \
    libvips-dev pkg-config zlib1g-dev \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift ./
COPY Sources ./Sources
# The package names these targets too, so their folders must be there.
COPY Tests ./Tests
COPY benchmarks ./benchmarks
RUN swift build -c release --static-swift-stdlib --product minilab \
  && swift build -c release --static-swift-stdlib --product minilab-worker \
  && install -D --strip .build/release/minilab /install/bin/minilab \
  && install -D --strip .build/release/minilab-worker /install/libexec/minilab/minilab-worker

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Minilab" \
  org.opencontainers.image.description="Renders photo libraries, every photo in a sealed process" \
  org.opencontainers.image.licenses="MIT"
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    libexiv2-27 libheif1 libjxl0.7 libopenjp2-7 libraw20 libsqlite3-0 libssl3 libtiff6 libvips42 tzdata zlib1g \
  && rm -rf /var/lib/apt/lists/* /var/log/apt /var/log/dpkg.log /var/cache/ldconfig/aux-cache \
  && useradd --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin minilab
COPY --from=build /install/ /usr/local/
ENV LANG=C.UTF-8
USER 10001:10001
STOPSIGNAL SIGTERM
ENTRYPOINT ["minilab"]
CMD ["--help"]
