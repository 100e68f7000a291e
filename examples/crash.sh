# Runs slow.ts, and kills Isobox with SIGKILL while its third call runs.
rm -f data/reports/started.md
isobox run --demo --config isobox.json slow.ts </dev/null >/dev/null 2>&1 &
until [ -e data/reports/started.md ]; do sleep 0.1; done
sleep 1
kill -9 $!
