#!/usr/bin/env bash
# Diagnosis beside ripgrep: the same patterns on the same generated log, one thread each, processor
# seconds, twice so that both read from memory. Usage: compare.sh BUILD_DIR [MIB] [SEED]. Needs ripgrep and 1 GiB of /tmp.
set -euo pipefail
meter=$1/bin/diagnosis_meter
mib=${2:-1024}
seed=${3:-20240714}
command -v rg > /dev/null || { echo "ripgrep is not installed: apt install ripgrep"; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$meter" generate "$folder/job.log" "$mib" "$seed"
"$meter" patterns "$folder/patterns"
echo "log: $mib MiB, seed $seed, $(wc -l < "$folder/patterns") patterns"
for round in 1 2; do
    TIMEFORMAT='ripgrep: %U s user, %S s system'
    time timeout 1800 rg -j1 -c --no-config -f "$folder/patterns" "$folder/job.log" || echo "ripgrep found nothing or did not end within 30 minutes"
    "$meter" scan "$folder/job.log"
    "$meter" mine "$folder/job.log"
done
