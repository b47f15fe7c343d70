#!/usr/bin/env bash
# scripts/event_tables.sh [scaling|contention]   prints the tables of docs/event-engine.md as Markdown;
#   scaling     what a step of Llama 3 405B costs to play, by GPUs; also draws docs/event-engine.svg
#   contention  what shared links cost each scenario that ships
# Both, if none is named. Needs the release build and python3; drawing needs gnuplot.
set -euo pipefail
cd "$(dirname "$0")/.."
program=build/release/bin/cubicbench
[[ -x $program ]] || { echo "event_tables.sh: build first: scripts/test.sh" >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# field NAME FILE: a number of a report, "null" where it has none.
field() { sed -n "s/^ *\"$1\": \([^,]*\),\{0,1\}\$/\1/p" "$2" | head -n 1; }

# measured FILE COMMAND...: processor seconds and MiB of the best of three runs; output to FILE.
measured() {
  python3 - "$@" <<'PYTHON'
import os, sys
runs = []
for _ in range(3):
    out = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    child = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ,
                            file_actions=[(os.POSIX_SPAWN_DUP2, out, 1)])
    os.close(out)
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        sys.exit(f"failed: {' '.join(sys.argv[2:])}")
    runs.append((usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024))
seconds, mib = min(runs)
print(f"{seconds:.3f} {mib:.0f}")
PYTHON
}

# with_commas N
with_commas() { sed -e ':a' -e 's/^\([0-9]\{1,\}\)\([0-9]\{3\}\)/\1,\2/;ta' <<<"$1"; }

# Tensor parallelism of 8, 16 stages and 16 micro-batches throughout: replicas are what grows. 64 GPUs have
# eight stages of half the layers. Below 512 GPUs the device is a B200, whose memory holds the larger shares.
family() {
  local gpus=$1 stages=16
  [[ $gpus -gt 64 ]] || stages=8
  echo --set "cluster.gpus=$gpus" --set "global_batch=$((gpus * 2 / stages))"
  [[ $gpus -ge 512 ]] || echo --set cluster.device=b200-sxm
  [[ $gpus -gt 64 ]] || echo --set pipeline_parallel=8 --set workload.layers=62
}

scaling() {
  echo "| GPUs | ranks played | events | seconds | MiB | folded: ranks | events | seconds | MiB |"
  echo "|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
  local gpus fold
  for gpus in 64 128 256 512 1024 2048 4096 8192 16384; do
    local row="| $(with_commas "$gpus")" numbers="$gpus"
    for fold in off on; do
      local cost report=$scratch/report.json
      # shellcheck disable=SC2046 # words of options
      cost=$(measured "$report" "$program" simulate llama3-405b $(family "$gpus") --engine event \
        --contention on --fold "$fold" --threads 1 --json)
      row+=" | $(with_commas "$(field ranks "$report")") | $(with_commas "$(field events "$report")") | ${cost% *} | ${cost#* }"
      numbers+=" $cost"
    done
    echo "$row |"
    echo "$numbers" >>"$scratch/scaling.dat"
  done
  draw
}

# Seconds and MiB over GPUs, with n log n through the largest unfolded job.
draw() {
  gnuplot -d - >docs/event-engine.svg <<GNUPLOT
set terminal svg size 900,380 dynamic font 'sans-serif,13' background '#ffffff'
set logscale xy 2
set logscale y 10
set xlabel 'GPUs'
set key left top
set grid lc rgb '#dddddd'
set xtics ('64' 64, '256' 256, '1,024' 1024, '4,096' 4096, '16,384' 16384)
set xrange [48:22000]
data = '$scratch/scaling.dat'
last = system('tail -n 1 ' . data)
guide(n, most) = most * n * log(n) / (16384 * log(16384))
set multiplot layout 1,2
set title 'Processor time of one step, seconds'
set yrange [0.005:30]
plot data using 1:2 with linespoints lw 2 pt 7 lc rgb '#1b6ca8' title 'every rank played', \\
     data using 1:4 with linespoints lw 2 pt 5 lc rgb '#d1701a' title 'folded', \\
     guide(x, real(word(last, 2))) with lines dt 2 lc rgb '#888888' title 'n log n'
set title 'Peak memory of the process, MiB'
set yrange [5:200]
plot data using 1:3 with linespoints lw 2 pt 7 lc rgb '#1b6ca8' title 'every rank played', \\
     data using 1:5 with linespoints lw 2 pt 5 lc rgb '#d1701a' title 'folded', \\
     guide(x, real(word(last, 3))) with lines dt 2 lc rgb '#888888' title 'n log n'
GNUPLOT
}

# seconds FILE: of a step, or null.
seconds() { field step_time_s "$1"; }

contention() {
  echo "| scenario | GPUs | analytical, s | event engine, alone on its links, s | difference | with contention, s | it costs |"
  echo "|---|---:|---:|---:|---:|---:|---:|"
  local name
  for name in $("$program" list scenarios --json | sed -n 's/^ *"name": "\(.*\)",$/\1/p'); do
    # Tables of real runs have no simulator behind them.
    "$program" simulate "$name" --json >"$scratch/analytical.json" 2>"$scratch/refused" || continue
    "$program" simulate "$name" --engine event --contention off --json >"$scratch/off.json"
    "$program" simulate "$name" --engine event --contention on --json >"$scratch/on.json"
    local gpus
    gpus=$("$program" list scenarios --json | grep -A 3 "\"name\": \"$name\"" | sed -n 's/^ *"gpus": \([0-9]*\).*/\1/p')
    awk -v name="$name" -v gpus="$(with_commas "$gpus")" -v analytical="$(seconds "$scratch/analytical.json")" \
      -v off="$(seconds "$scratch/off.json")" -v on="$(seconds "$scratch/on.json")" 'BEGIN {
        printf "| `%s` | %s | %.5g | %.5g | %+.2f %% | %.5g | %.3f %% |\n",
               name, gpus, analytical, off, 100 * (off / analytical - 1), on, 100 * (on / off - 1) }'
  done
}

case "${1:-}" in
  "") scaling; echo; contention ;;
  scaling | contention) "$1" ;;
  *) echo "usage: scripts/event_tables.sh [scaling|contention]" >&2; exit 2 ;;
esac
