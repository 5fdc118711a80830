# `houjuu serve` from a wheel, as a user without rights: `docker build -t houjuu .`; see docs/server.md.
# Python 3.11, because the tests run with the pinned packages on it.
FROM python:3.11-slim AS build
WORKDIR /source
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY houjuu houjuu
RUN python -m venv /opt/houjuu \
 && pip wheel --no-cache-dir --no-deps --wheel-dir wheel . \
 && /opt/houjuu/bin/pip install --no-cache-dir --constraint constraints.txt "$(ls wheel/*.whl)[serve,arena]"

FROM python:3.11-slim
COPY --from=build /opt/houjuu /opt/houjuu
ENV PATH=/opt/houjuu/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
WORKDIR /tmp
USER 10001:10001
EXPOSE 8000
# The server answers for `localhost` and `127.0.0.1`; another name needs --allowed-host.
ENTRYPOINT ["houjuu", "serve", "--host", "0.0.0.0", "--port", "8000"]
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/health', timeout=8)"]
