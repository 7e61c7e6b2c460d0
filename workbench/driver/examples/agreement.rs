//! Compares the measurements of the same server by two generators: percentiles from their JTL
//! files, with a confidence interval of each difference (perf/agreement).
//!
//! ```text
//! cargo run --release --package octavo-driver --example agreement -- --warm-up 10 \
//!     --label 'Check-In Controller' --octavo o1.jtl --octavo o2.jtl --other j1.jtl --other j2.jtl
//! ```
//!  The runs are cut into blocks of some seconds, and whole blocks are resampled, because
//! disturbances of a machine affect many samples at once. Two figures agree when the interval of
//! their difference contains zero, or a value below the resolution of JTL files (a millisecond).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use comfy_table::{CellAlignment, Table, presets};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// JTL files hold whole milliseconds.
const CLOCK_MS: f64 = 1.0;
const REPLICATES: usize = 4000;
/// The probability that chance makes any of all verdicts wrong.
const CHANCE: f64 = 0.05;
const SEED: u64 = 7;
const QUANTILES: [(&str, f64); 4] = [("p50", 0.5), ("p75", 0.75), ("p95", 0.95), ("p99", 0.99)];
/// With fewer samples beyond it, a percentile is not reliable.
const BEYOND_LEAST: f64 = 5.0;
/// The name of all requests together.
const ALL: &str = "all requests";

/// Compare two generators' results.
#[derive(Parser)]
struct Arguments {
    /// Seconds to leave out at the beginning of each file
    #[arg(long, default_value_t = 0.0)]
    warm_up: f64,
    /// Seconds of a block
    #[arg(long, default_value_t = 2.0)]
    part: f64,
    /// Labels to compare, in addition to all requests together
    #[arg(long)]
    label: Vec<String>,
    #[arg(long, required = true)]
    octavo: Vec<PathBuf>,
    #[arg(long, required = true)]
    other: Vec<PathBuf>,
    /// The name of the first generator
    #[arg(long, default_value = "octavo")]
    octavo_name: String,
    /// The name of the other generator
    #[arg(long, default_value = "JMeter")]
    other_name: String,
}

/// Times in ms by label, block by block.
#[derive(Default)]
struct Measured {
    parts: BTreeMap<String, Vec<Vec<f64>>>,
    failed: usize,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let octavo = read(&arguments.octavo, &arguments)?;
    let other = read(&arguments.other, &arguments)?;
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY);
    let name = arguments.other_name.as_str();
    let own_name = arguments.octavo_name.as_str();
    table.set_header([
        "ms",
        "",
        own_name,
        name,
        "difference",
        "interval",
        "verdict",
    ]);
    // Of twenty intervals of 95 % one misses by chance; these are wide enough for all to hold at
    // once.
    let comparisons = (arguments.label.len() + 1) * QUANTILES.len();
    let (mut agreed, mut compared) = (0, 0);
    for label in arguments.label.iter().map(String::as_str).chain([ALL]) {
        let (Some(ours), Some(theirs)) = (octavo.parts.get(label), other.parts.get(label)) else {
            table.add_row([label, "not in both", "", "", "", "", ""]);
            continue;
        };
        let counts = [ours, theirs].map(|parts| parts.iter().map(Vec::len).sum::<usize>());
        let counted = counts.map(|count| count.to_string());
        table.add_row([label, "samples", &counted[0], &counted[1], "", "", ""]);
        let least = counts.into_iter().min().unwrap_or_default() as f64;
        for (figure, row) in compare(ours, theirs, comparisons).into_iter().enumerate() {
            let (quantile, share) = QUANTILES[figure];
            let verdict = match row.agrees() {
                _ if least * (1.0 - share) < BEYOND_LEAST => "too few samples",
                true => "agree",
                false => "differ",
            };
            compared += u32::from(verdict != "too few samples");
            agreed += u32::from(verdict == "agree");
            table.add_row([
                "",
                quantile,
                &format!("{:.1}", row.ours),
                &format!("{:.1}", row.theirs),
                &format!("{:+.1}", row.theirs - row.ours),
                &format!("{:+.1} … {:+.1}", row.low, row.high),
                verdict,
            ]);
        }
    }
    for column in table.column_iter_mut().skip(2).take(4) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
    println!(
        "failed requests: {own_name} {}, {name} {}",
        octavo.failed, other.failed
    );
    println!("agree: {agreed} of {compared}");
    Ok(())
}

fn read(files: &[PathBuf], arguments: &Arguments) -> Result<Measured> {
    let mut measured = Measured::default();
    for file in files {
        read_file(file, arguments, &mut measured)
            .with_context(|| format!("cannot read {}", file.display()))?;
    }
    Ok(measured)
}

fn read_file(file: &Path, arguments: &Arguments, into: &mut Measured) -> Result<()> {
    let mut reader = csv::Reader::from_path(file)?;
    let headers = reader.headers()?.clone();
    let column = |name: &str| {
        let found = headers.iter().position(|header| header == name);
        found.with_context(|| format!("it has no column {name}"))
    };
    let (started, elapsed) = (column("timeStamp")?, column("elapsed")?);
    let (label, success) = (column("label")?, column("success")?);
    let message = column("responseMessage")?;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record?;
        let number = |at: usize| record.get(at).unwrap_or_default().parse::<f64>();
        let transaction = record
            .get(message)
            .is_some_and(|text| text.starts_with("Number of samples in transaction"));
        let label = record.get(label).unwrap_or_default().to_owned();
        let failed = record.get(success) != Some("true");
        rows.push((
            number(started)?,
            number(elapsed)?,
            label,
            failed,
            transaction,
        ));
    }
    ensure!(!rows.is_empty(), "it has no rows");
    let begin =
        rows.iter().map(|row| row.0).fold(f64::INFINITY, f64::min) + arguments.warm_up * 1e3;
    let mut parts: BTreeMap<(String, u64), Vec<f64>> = BTreeMap::new();
    for (started, elapsed, label, failed, transaction) in rows {
        if started < begin {
            continue;
        }
        into.failed += usize::from(failed && !transaction);
        let part = ((started - begin) / (arguments.part * 1e3)) as u64;
        if !transaction {
            parts
                .entry((ALL.to_owned(), part))
                .or_default()
                .push(elapsed);
        }
        parts.entry((label, part)).or_default().push(elapsed);
    }
    for ((label, _), times) in parts {
        into.parts.entry(label).or_default().push(times);
    }
    Ok(())
}

/// A percentile of both and the interval of its difference.
struct Row {
    ours: f64,
    theirs: f64,
    low: f64,
    high: f64,
}

impl Row {
    fn agrees(&self) -> bool {
        self.low <= CLOCK_MS && self.high >= -CLOCK_MS
    }
}

fn compare(ours: &[Vec<f64>], theirs: &[Vec<f64>], comparisons: usize) -> Vec<Row> {
    let cut = (REPLICATES as f64 * CHANCE / 2.0 / comparisons as f64) as usize;
    let mut random = SmallRng::seed_from_u64(SEED);
    let (mine, other) = (percentiles(ours.iter()), percentiles(theirs.iter()));
    let mut differences = vec![Vec::with_capacity(REPLICATES); QUANTILES.len()];
    for _ in 0..REPLICATES {
        let (mine, other) = (drawn(ours, &mut random), drawn(theirs, &mut random));
        for (figure, list) in differences.iter_mut().enumerate() {
            list.push(other[figure] - mine[figure]);
        }
    }
    let rows = differences
        .into_iter()
        .enumerate()
        .map(|(figure, mut list)| {
            list.sort_by(f64::total_cmp);
            Row {
                ours: mine[figure],
                theirs: other[figure],
                low: list[cut],
                high: list[REPLICATES - 1 - cut],
            }
        });
    rows.collect()
}

/// A bootstrap sample: as many blocks as there are, drawn with replacement.
fn drawn(parts: &[Vec<f64>], random: &mut SmallRng) -> Vec<f64> {
    percentiles((0..parts.len()).map(|_| &parts[random.random_range(0..parts.len())]))
}

fn percentiles<'p>(parts: impl Iterator<Item = &'p Vec<f64>>) -> Vec<f64> {
    let mut times: Vec<f64> = parts.flatten().copied().collect();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() as f64 * share).ceil() as usize).max(1) - 1];
    QUANTILES.iter().map(|(_, share)| at(*share)).collect()
}
