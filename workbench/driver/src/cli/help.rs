//! The long help texts, which teach by examples.

pub(super) const RUN: &str = "\
Examples:
  The desk as FOLIO's own performance reports measure it: 8 users, with their pauses.
    octavo workload run check-in-check-out --virtual-users 8 --duration 30m
  How much the server can do: no pauses, more users, another server.
    octavo workload run check-in-check-out --think-time none --virtual-users 20 \\
        --url https://folio.example.org/okapi --tenant diku --user diku_admin --password secret
  With the test data files of a JMeter plan, and results for its report generator.
    octavo workload run check-in-check-out --items-available available.csv \\
        --items-checked-out checked_out.csv --users user_barcodes.csv \\
        --service-points service_point.csv --jtl results.jtl
  As many check-outs and check-ins as patrons bring, whether the server keeps up or not.
    octavo workload run check-in-check-out --open --rate 5..50 --warm-up 10s --duration 5m
  The highest rate that keeps a limit.
    octavo workload run check-in-check-out --open --rate 5..500 --until 'p95 > 200ms' --duration 5m
  The same in five steps, each reported on its own; or stages of one's own.
    octavo workload run get-items --open --rate 100..500 --steps 5 --duration 5m
    octavo workload run check-in-check-out --stage 'night: 2 users for 5m' \\
        --stage 'morning: 2..20 users for 2m' --stage 'noon: 20 users for 10m'
  A report in a folder, with what the server's processes and its database did meanwhile.
    octavo workload run check-in-check-out --virtual-users 20 --ramp-up 20s --duration 30m \\
        --probe-pid server,postgres --report out/
  Watch it in a browser; resume a long run after the machine was switched off.
    octavo workload run check-in-check-out --duration 24h --report out/ --page
    octavo workload run --resume out/
  In a build: fail when it got slower than an earlier run.
    octavo workload run check-in-check-out --duration 10m --compare-with last/ \\
        --fail-if 'check-out p95 > 1.05x baseline' --fail-if 'errors > 0.1%'
  A day in an hour: measure, let the data grow, measure again.
    octavo workload run check-in-check-out --duration 3m --rounds 6 --grow-for 5m --grow-users 50
  More load than one process makes.
    octavo workload run get-items --virtual-users 400 --generators 4
  A library's whole day, each workflow at its own rate; or some of its branches.
    octavo workload run mixed-day --duration 1h
    octavo workload run mixed-day --only check-in,check-out,view-bib
  A workload of one's own.
    octavo workload show check-in-check-out > mine.toml
    octavo workload check mine.toml && octavo workload run mine.toml

Each virtual user logs in once and then repeats iterations; it sends a request when the answer to its
last one is there (a closed loop). With --open an iteration is begun when it is due, by whichever user
is free, and there are two tables: from when it was due, with the waiting behind a slow server, and
from when it was sent, without. A failed request ends the iteration. The time of a transaction
is the sum of its requests' times, without the pauses.

Test data comes from the tenant itself unless a CSV file is given: reading it is not measured.
Items go round: what was checked in can be checked out again, and no two users hold the same
item. Check-ins and check-outs are real: run this against a test tenant.

Ctrl-C ends the run and reports what was measured until then. A refused token is renewed, and counted.

Exit status: 0 no request failed, 1 some failed, 2 the run could not begin, 3 a --fail-if was true.";

pub(super) const HAMMER: &str = "\
Example:
  octavo workload hammer --feeder items.csv --connections 8 --duration 10s \\
      --path-template '/item-storage/items?query=barcode==%22${barcode}%22'
  octavo workload hammer --path-template /loan-types --body-template loan-type.json
      with {\"name\": \"Loan type ${uuid()}\"} in the file

The file has a header line; each request takes a random row of it. The template is sent as it
stands (percent-encode it); the values put into it are percent-encoded. A body is sent as it stands
too, with values escaped as in JSON strings. Only a status from 200 to 299 counts as success.

Exit status: 0 no request failed, 1 some failed, 2 the hammering could not begin.";

pub(super) const COMPARE: &str = "\
Examples:
  octavo workload compare out/ --baseline nolana
  octavo workload compare yesterday/ today/ --html changes.html
  octavo workload compare last-release/ today/ --fail-if 'check-out p95 > 1.05x baseline'
  octavo workload compare results.jtl k6.json simulation.log

A run is a report folder, its run.json, or what JMeter (JTL), k6 (JSON lines, CSV, summary) or Gatling
(simulation.log, stats.json) wrote. The first is the baseline of all others; --baseline puts FOLIO's
published figures there.

A change is given in per cent of the earlier time, with where it lies with 95 % confidence: both runs are
drawn anew some hundred times from their own histograms (bootstrap), in whole seconds where their course
is known. Only what is more than chance has a colour, counting how many figures are compared.

Exit status: 0, 2 when there is nothing to compare, 3 when a --fail-if was true.";

pub(super) const MERGE: &str = "\
Example:
  on one machine:   octavo workload run get-items --url http://folio:9130 --report a/
  on another:       octavo workload run get-items --url http://folio:9130 --report b/
  then:             octavo workload merge a/ b/ --report whole/

Histograms are added, so that percentiles are those of all samples. On one machine
`run --generators 4` does all of it.";
