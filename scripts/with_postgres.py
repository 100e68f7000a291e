#!/usr/bin/env python3
"""Runs a command beside a PostgreSQL server of its own, and stops the server when the command ends.

    scripts/with_postgres.py cargo test --release -p isobox-store

The command finds the server's URL in ISOBOX_TEST_POSTGRES: with a password, over TLS. The server listens on a free port of
this machine, keeps everything in a temporary folder, and belongs to a user other than root. Where PostgreSQL is not
installed, root installs Debian's."""

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    # The server and its folder go, too, where this is stopped.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    programs = installed() or install()
    folder = Path(tempfile.mkdtemp(prefix="isobox-postgres-"))
    try:
        sys.exit(run_beside_server(programs, folder, sys.argv[1:]))
    finally:
        shutil.rmtree(folder)


def installed() -> Path | None:
    """The folder of `initdb` and `postgres`, the newest where there are several."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    on_path = shutil.which("postgres")
    if on_path:
        folders.append(Path(on_path).resolve().parent)
    return next((folder for folder in folders if (folder / "initdb").exists() and (folder / "postgres").exists()), None)


def install() -> Path:
    if os.geteuid() != 0:
        sys.exit("the tests need PostgreSQL: install it (Debian: `apt-get install postgresql`), or run this as root")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "--yes", "--no-install-recommends", "postgresql", "openssl"]):
        subprocess.run(["apt-get", "--quiet", *command], env=environment, check=True)
    return installed() or sys.exit("PostgreSQL was installed, and is not in /usr/lib/postgresql")


def run_beside_server(programs: Path, folder: Path, command: list[str]) -> int:
    password = secrets.token_hex(16)
    make_certificates(folder)
    data, password_file = folder / "data", folder / "password"
    password_file.write_text(password)
    (folder / "root.pem").chmod(0o644)
    folder.chmod(0o755)
    data.mkdir()
    for path in (data, password_file, folder / "server.pem", folder / "server.key"):
        path.chmod(0o700 if path.is_dir() else 0o600)
        if owner():
            shutil.chown(path, user=owner())
    check(as_owner([programs / "initdb", "--pgdata", data, "--username=isobox", "--auth=scram-sha-256",
                    f"--pwfile={password_file}", "--encoding=UTF8", "--no-sync"]))
    port = free_port()
    server = subprocess.Popen(as_owner([
        programs / "postgres", "-D", data, "-h", "127.0.0.1", "-p", str(port), "-k", "", "-c", "ssl=on",
        "-c", f"ssl_cert_file={folder}/server.pem", "-c", f"ssl_key_file={folder}/server.key",
        "-c", "max_connections=300", "-c", "logging_collector=off"]), stderr=(folder / "log").open("w"))
    try:
        wait_for(server, port, folder / "log")
        # Who decides on the command line binds a database to a credential: it has one of its own.
        check(["env", f"PGPASSWORD={password}", programs / "createdb", "--host=127.0.0.1", f"--port={port}",
               "--username=isobox", "command_line"])
        url = f"postgres://isobox:{password}@localhost:{port}/postgres?sslmode=require&sslrootcert={folder}/root.pem"
        return subprocess.run(command, env=os.environ | {"ISOBOX_TEST_POSTGRES": url}).returncode
    finally:
        server.send_signal(signal.SIGQUIT)
        server.wait()


def make_certificates(folder: Path) -> None:
    """Someone to trust, and a certificate by them for this machine."""
    new = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc", "-days", "2"]
    check([*new, "-subj", "/CN=Isobox tests", "-keyout", folder / "root.key", "-out", folder / "root.pem"])
    check([*new, "-subj", "/CN=localhost", "-keyout", folder / "server.key", "-out", folder / "server.pem",
           "-CA", folder / "root.pem", "-CAkey", folder / "root.key", "-addext", "basicConstraints=critical,CA:FALSE",
           "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"])


def owner() -> str | None:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    return "postgres" if any(user.pw_name == "postgres" for user in pwd.getpwall()) else "nobody"


def as_owner(command: list) -> list[str]:
    command = [str(part) for part in command]
    user = owner()
    if user is None:
        return command
    return ["setpriv", f"--reuid={user}", f"--regid={pwd.getpwnam(user).pw_gid}", "--clear-groups", *command]


def check(command: list) -> None:
    done = subprocess.run(command, **QUIET)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed:\n{done.stderr}")


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(server: subprocess.Popen, port: int, log: Path) -> None:
    for _ in range(300):
        if server.poll() is not None:
            break
        if "ready to accept connections" in log.read_text(errors="replace"):
            return
        time.sleep(0.1)
    sys.exit(f"PostgreSQL did not start on port {port}:\n{log.read_text(errors='replace')}")


if __name__ == "__main__":
    main()
