#!/usr/bin/env python3
"""Characterization beside DuckDB, import beside sqlite3 .import: medians of one run.

    compare.py YARDCTL TRACES [ROUNDS]

TRACES is a folder with seren.csv and kalos.csv (from trace_generator). DuckDB comes from npm into a
temporary folder, or from the folder that DUCKDB_FOLDER names. Contenders take turns in each round.
"""
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def run(arguments, **more):
    """Output, wall seconds, processor seconds and greatest memory (MB) of one process."""
    begin = time.monotonic()
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, **more)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{arguments[0]} failed")
    seconds = time.monotonic() - begin
    return output, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def duckdb_folder(temporary):
    if folder := os.environ.get("DUCKDB_FOLDER"):
        return folder
    subprocess.run(["npm", "install", "--silent", "--prefix", temporary, "@duckdb/node-api"],
                   check=True, stdout=subprocess.DEVNULL)
    return temporary


def main():
    yardctl, traces = sys.argv[1], os.path.abspath(sys.argv[2])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    seren, kalos = f"{traces}/seren.csv", f"{traces}/kalos.csv"
    temporary = tempfile.mkdtemp(prefix="yard-bench-")
    environment = dict(os.environ, DUCKDB_FOLDER=duckdb_folder(temporary))
    taken = {}

    def note(name, seconds, cpu, memory):
        taken.setdefault(name, []).append((seconds, cpu, memory))

    for _ in range(rounds):
        output, *cost = run([yardctl, "characterize", "--trace", seren, kalos, "--json"])
        note("yardctl characterize", *cost)
        ours = json.loads(output)

        output, _, cpu, memory = run(["node", f"{HERE}/duckdb.mjs", f"{HERE}/characterize.sql",
                                      seren, kalos], env=environment)
        theirs = json.loads(output)
        note("DuckDB, the same SQL", theirs["seconds"], cpu, memory)
        same = [ours["jobs"], ours["gpu_jobs"], ours["gpu_seconds"]]
        if same != theirs["totals"][:3] or ours["peak_concurrent_gpus"] != theirs["peak"][0]:
            sys.exit(f"the results differ: {same} {theirs}")

        database = f"{temporary}/yard.db"
        for name in (database, database + "-wal", database + "-shm"):
            if os.path.exists(name):
                os.remove(name)
        _, *cost = run([yardctl, "import", "acme", seren, kalos, "--into", database])
        note("yardctl import", *cost)

        plain = f"{temporary}/plain.db"
        if os.path.exists(plain):
            os.remove(plain)
        _, *cost = run(["sqlite3", plain, "-cmd", ".mode csv", f".import {seren} seren",
                        f".import {kalos} kalos"])
        note("sqlite3 .import", *cost)

    print(f"{rounds} rounds, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    print(f"{'median of':24}{'seconds':>9}{'cpu s':>8}{'MB':>7}")
    for name, costs in taken.items():
        seconds, cpu, memory = (statistics.median(part) for part in zip(*costs))
        print(f"{name:24}{seconds:9.2f}{cpu:8.2f}{memory:7.0f}")
    sizes = [os.path.getsize(f"{temporary}/{name}.db") / 1e6 for name in ("yard", "plain")]
    print(f"database: {sizes[0]:.0f} MB, of .import {sizes[1]:.0f} MB")
    shutil.rmtree(temporary)


if __name__ == "__main__":
    main()
