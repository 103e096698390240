# topicrawl for unattended crawls; docs/how-to/container.md says how it is run.
#
#   docker build --tag topicrawl .
#   docker build --tag topicrawl-cluster --build-arg EXTRAS=cluster --build-arg PACKAGES=s3fs .
#
# To build the same image again, name the base by its digest: --build-arg BASE=python:3.13-slim-trixie@sha256:…
ARG BASE=python:3.13-slim-trixie

FROM ${BASE} AS build
# versions of the compiler do not matter: it is not in the image
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends binutils gcc libc6-dev \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY LICENSES LICENSES
COPY tools/convert_wordnet.py tools/
COPY src src
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .
# extras of topicrawl, as ui,parquet; further packages, as s3fs
ARG EXTRAS=""
ARG PACKAGES=""
# without pip, without the tests of numpy and scipy, without what debuggers read (but the libraries of numpy and scipy,
# which strip breaks): with unused bytecode, some 140 MB less
# hadolint ignore=DL3013,SC2086
RUN python -m venv --without-pip /opt/topicrawl \
 && wheel=$(echo /wheels/topicrawl-*.whl) \
 && pip --python /opt/topicrawl/bin/python install --no-cache-dir --no-compile "${wheel}${EXTRAS:+[$EXTRAS]}" $PACKAGES \
 && find /opt/topicrawl/lib/python*/site-packages/numpy /opt/topicrawl/lib/python*/site-packages/scipy \
      -type d -name tests -prune -exec rm -r {} + \
 && find /opt/topicrawl -name '*.so' -not -path '*/numpy/*' -not -path '*/scipy/*' -not -path '*.libs/*' \
      -exec strip --strip-unneeded {} +

FROM ${BASE}
LABEL org.opencontainers.image.title="topicrawl" \
      org.opencontainers.image.description="A focused web crawler: it fetches pages about a topic, and as few others as possible" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.base.name="docker.io/library/python:3.13-slim-trixie"
COPY --from=build /opt/topicrawl /opt/topicrawl
ENV PATH=/opt/topicrawl/bin:$PATH \
    HOME=/data \
    TOPICRAWL_CACHE=/data/.cache
# The number is fixed, so that files of a volume keep their owner. The crawl shows that the image works, and leaves the
# modules it used as bytecode: later nothing can be written beside them.
RUN groupadd --gid 10001 crawler \
 && useradd --uid 10001 --gid crawler --home-dir /data --no-create-home --shell /usr/sbin/nologin crawler \
 && install --directory --owner=crawler --group=crawler /data \
 && TOPICRAWL_CACHE=/tmp/cache topicrawl demo --pages 20 --out /tmp/demo --quiet \
 && rm -r /tmp/*
WORKDIR /data
VOLUME /data
USER 10001:10001
# No HEALTHCHECK: a crawl ends by itself, with an exit code; `topicrawl status` and --metrics say how it goes.
ENTRYPOINT ["topicrawl"]
CMD ["--help"]
