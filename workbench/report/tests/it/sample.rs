//! An invented run, as realistic as arithmetic allows: for tests, and for looking at a report.
#![allow(
    dead_code,
    reason = "each of those that include this file needs another part of it"
)]

use std::time::Duration;

use octavo_figures::Series;
use octavo_figures::run::*;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// The properties of a sample.
pub struct SampleOptions {
    pub seconds: f64,
    pub step_s: f64,
    pub per_s: f64,
    pub open: bool,
    pub probed: bool,
    /// Times grow by this share over the run.
    pub ageing: f64,
    /// The factor of all times.
    pub slower: f64,
    pub name: &'static str,
    pub begun: &'static str,
    pub seed: u64,
}

impl Default for SampleOptions {
    fn default() -> Self {
        Self {
            seconds: 600.0,
            step_s: 5.0,
            per_s: 12.0,
            open: false,
            probed: true,
            ageing: 0.0,
            slower: 1.0,
            name: "main",
            begun: "2026-11-02T09:30:00Z",
            seed: 1,
        }
    }
}

/// A transaction with its share and requests: label, milliseconds.
type Planned = (&'static str, f64, &'static [(&'static str, f64)]);

const PLAN: [Planned; 2] = [
    (
        "Check-In Controller",
        0.43,
        &[
            ("GET_groups (Get_check_in_page)", 0.9),
            ("GET_users (Get_check_in_page)", 1.6),
            ("GET_service-points (Get_check_in_page)", 1.1),
            ("GET_inventory/items (Submit_barcode_checkin)", 2.4),
            (
                "POST_circulation/check-in-by-barcode (Submit_barcode_checkin)",
                6.2,
            ),
            ("GET_circulation/requests (Submit_barcode_checkin)", 1.9),
        ],
    ),
    (
        "Check-Out Controller",
        0.57,
        &[
            ("GET_users (Submit_patron_barcode)", 1.7),
            ("GET_automated-patron-blocks (Submit_patron_barcode)", 2.1),
            ("GET_circulation/loans (Submit_patron_barcode)", 3.8),
            ("GET_inventory/items (Submit_item_barcode)", 2.3),
            (
                "POST_circulation/check-out-by-barcode (Submit_barcode_checkout)",
                112.0,
            ),
            ("GET_circulation/loans (Submit_item_barcode)", 104.0),
        ],
    ),
];

pub fn run(wanted: &SampleOptions) -> Run {
    let mut random = SmallRng::seed_from_u64(wanted.seed);
    let ramp_up = 30.0_f64.min(wanted.seconds / 10.0);
    let labels: usize = PLAN.iter().map(|(_, _, requests)| requests.len()).sum();
    let mut sums = vec![Series::default(); PLAN.len()];
    let mut due = vec![Series::default(); PLAN.len()];
    let mut by_label = vec![Series::default(); labels];
    let mut timeline = Timeline::new(wanted.step_s);
    let steps = (wanted.seconds / wanted.step_s) as usize;
    let mut errors_all = 0;
    for number in 0..steps {
        let at_s = number as f64 * wanted.step_s;
        let busy = (at_s / ramp_up).min(1.0);
        let age = 1.0 + wanted.ageing * at_s / wanted.seconds;
        let mut step = Step {
            at_s,
            seconds: wanted.step_s,
            users: (30.0 * busy).ceil() as usize,
            rate: wanted.open.then_some(wanted.per_s * busy),
            transactions: vec![Series::default(); PLAN.len()],
            ..Step::default()
        };
        let mut of_labels = vec![(0_u64, 0.0); labels];
        let stalls = number % 97 == 50;
        let mut label_from = 0;
        for (at, (_, share, requests)) in PLAN.iter().enumerate() {
            let expected = wanted.per_s * share * wanted.step_s * busy;
            let count = expected as u64 + u64::from(random.random::<f64>() < expected.fract());
            for _ in 0..count {
                let stall = if stalls {
                    random.random::<f64>() * 400.0
                } else {
                    0.0
                };
                let (mut sum, mut failed) = (0.0, false);
                for (label, (_, ms)) in requests.iter().enumerate() {
                    // Approximately log-normal, with a tail.
                    let spread: f64 = (0..4).map(|_| random.random::<f64>() - 0.5).sum();
                    let tail = if random.random::<f64>() < 0.004 {
                        6.0
                    } else {
                        1.0
                    };
                    let mut ms = ms * wanted.slower * age * (0.55 * spread).exp() * tail;
                    if label == 0 {
                        ms += stall / 3.0;
                    }
                    failed = random.random::<f64>() < 0.0002;
                    sum += ms;
                    by_label[label_from + label].record(micros(ms), !failed);
                    of_labels[label_from + label].0 += 1;
                    of_labels[label_from + label].1 += ms;
                    step.requests += 1;
                    step.errors += u64::from(failed);
                    if failed {
                        break;
                    }
                }
                sums[at].record(micros(sum), !failed);
                due[at].record(micros(sum + stall), !failed);
                let felt = if wanted.open { sum + stall } else { sum };
                step.transactions[at].record(micros(felt), !failed);
            }
            label_from += requests.len();
        }
        step.received_bytes = step.requests * 3_200;
        errors_all += step.errors;
        let seen = of_labels
            .iter()
            .enumerate()
            .filter(|(_, (count, _))| *count > 0);
        step.requests_by_label = seen.map(|(at, (count, sum))| (at, *count, *sum)).collect();
        timeline.add(step);
    }
    let mut labels = by_label.into_iter();
    let transactions: Vec<TransactionSummary> = PLAN
        .iter()
        .enumerate()
        .map(|(at, (name, _, requests))| TransactionSummary {
            name: (*name).to_owned(),
            figures: Some(Figures::new(
                sums[at].clone(),
                wanted.open.then(|| due[at].clone()),
                sums[at].len() * 18_000,
                sums[at].len() * 6_500,
                wanted.seconds,
            )),
            requests: requests
                .iter()
                .zip(labels.by_ref())
                .map(|((label, _), series)| LabelSummary {
                    label: (*label).to_owned(),
                    figures: Figures::new(
                        series.clone(),
                        wanted.open.then(|| series.clone()),
                        series.len() * 3_200,
                        series.len() * 1_100,
                        wanted.seconds,
                    ),
                })
                .collect(),
        })
        .collect();
    let requests: u64 = timeline.steps.iter().map(|step| step.requests).sum();
    let iterations: u64 = transactions
        .iter()
        .filter_map(|one| one.figures.as_ref())
        .map(|figures| figures.statistics.samples)
        .sum();
    let server_timing = vec![
        timing("handler", 0.7, &transactions, &mut random),
        timing("db", 0.45, &transactions, &mut random),
        timing("rules", 0.05, &transactions, &mut random),
    ];
    Run {
        format: FORMAT,
        facts: RunFacts {
            workload: "check-in-check-out".to_owned(),
            server: "http://library.example:9130".to_owned(),
            tenant: "diku".to_owned(),
            started_at: wanted.begun.parse().expect("a time"),
            virtual_users: 30,
            threads: 2,
            generators: 1,
            ramp_up_s: ramp_up,
            duration_s: wanted.seconds,
            warm_up_s: if wanted.open { ramp_up } else { 0.0 },
            think_time: "plan".to_owned(),
            arrival: if wanted.open {
                "open, 12 iterations/s"
            } else {
                "closed loop"
            }
            .to_owned(),
            distribution: vec![("check-in".to_owned(), 43), ("check-out".to_owned(), 57)],
            seed: wanted.seed,
            name: Some(wanted.name.to_owned()),
        },
        measured_s: wanted.seconds,
        totals: Totals {
            requests,
            errors: errors_all,
            requests_per_s: requests as f64 / wanted.seconds,
            iterations,
            iterations_per_s: iterations as f64 / wanted.seconds,
            iterations_cut_short: 12,
            warm_up_requests: if wanted.open { 240 } else { 0 },
            warm_up_errors: 0,
            received_bytes: requests * 3_200,
            sent_bytes: requests * 1_100,
        },
        transactions,
        other_requests: Vec::new(),
        stages: Vec::new(),
        timeline,
        server_timing,
        failures: failures(errors_all),
        substitutions: Vec::new(),
        waits: 0,
        tokens_renewed: 0,
        generator: Generator {
            processor_s: Some(wanted.seconds * 0.3),
            processor_share: Some(0.15),
            open: wanted.open.then(|| OpenModel {
                due: iterations + 3,
                not_begun: 3,
                overdue: 0,
                lateness: Default::default(),
            }),
            bottleneck: None,
        },
        until: None,
        ended_early: None,
        probed: match wanted.probed {
            true => probed(wanted, &mut random),
            false => Probed::default(),
        },
        notes: Vec::new(),
    }
}

fn micros(ms: f64) -> Duration {
    Duration::from_micros((ms * 1000.0) as u64)
}

fn timing(
    stage: &str,
    share: f64,
    transactions: &[TransactionSummary],
    random: &mut SmallRng,
) -> ServerTiming {
    let mut series = Series::default();
    let mut by_label = Vec::new();
    for one in transactions.iter().flat_map(|one| &one.requests) {
        let mean = one.figures.statistics.average_ms * share;
        let count = one.figures.statistics.samples;
        for _ in 0..count.min(2_000) {
            series.record(micros(mean * (0.6 + 0.8 * random.random::<f64>())), true);
        }
        by_label.push((one.label.clone(), count, mean));
    }
    ServerTiming {
        stage: stage.to_owned(),
        series,
        by_label,
    }
}

fn failures(count: u64) -> Vec<FailureSummary> {
    if count == 0 {
        return Vec::new();
    }
    vec![FailureSummary {
        label: "POST_circulation/check-out-by-barcode (Submit_barcode_checkout)".to_owned(),
        kind: "status 422 instead of 201".to_owned(),
        count,
        first_status: 422,
        first_body: "{\n  \"errors\" : [ {\n    \"message\" : \"Item is already checked out\",\n    \
                     \"parameters\" : [ { \"key\" : \"itemBarcode\", \"value\" : \"10101\" } ]\n  } ]\n}"
            .to_owned(),
    }]
}

fn probed(wanted: &SampleOptions, random: &mut SmallRng) -> Probed {
    let every = (wanted.seconds / 600.0).max(1.0);
    let mut one = |source: &str, measure: &str, unit: &str, of: &dyn Fn(f64, f64) -> f64| {
        let count = (wanted.seconds / every) as usize;
        let points = (0..count).map(|at| {
            let at_s = at as f64 * every;
            (at_s, of(at_s / wanted.seconds, random.random::<f64>()))
        });
        ProbedSeries {
            source: source.to_owned(),
            measure: measure.to_owned(),
            unit: unit.to_owned(),
            points: points.collect(),
        }
    };
    let leak = if wanted.ageing > 0.0 { 180.0 } else { 0.0 };
    let series = vec![
        one("server", "cpu", "%", &|_, noise| 62.0 + 14.0 * noise),
        one("postgres", "cpu", "%", &|at, noise| {
            88.0 + 16.0 * noise + if (0.6..0.62).contains(&at) { 60.0 } else { 0.0 }
        }),
        one("machine", "cpu", "%", &|_, noise| 168.0 + 24.0 * noise),
        one("server", "memory", "MB", &|at, noise| {
            148.0 + 40.0 * (1.0 - (-at * 12.0).exp()) + leak * at + 2.0 * noise
        }),
        one("postgres", "memory", "MB", &|at, noise| {
            410.0 + 120.0 * (1.0 - (-at * 9.0).exp()) + 5.0 * noise
        }),
        one("postgres", "connections", "connections", &|_, noise| {
            16.0 + (2.0 * noise).round()
        }),
        one("postgres", "cache-hits", "%", &|at, noise| {
            99.9 - 4.0 * (-at * 20.0).exp() - 0.05 * noise
        }),
        one("postgres", "wal", "MB/s", &|_, noise| 3.1 + 0.8 * noise),
        one("postgres", "locks-waiting", "locks", &|_, noise| {
            f64::from(u8::from(noise > 0.97))
        }),
        one("postgres", "autovacuum", "workers", &|at, _| {
            f64::from(u8::from((at * 10.0).fract() < 0.15))
        }),
    ];
    Probed {
        series,
        statements: vec![
            Statement {
                query: "SELECT jsonb FROM octavo_diku.loan WHERE item_id = $1 AND status = $2 AND \
                        (jsonb->>'action') <> ALL ($3) ORDER BY created_at LIMIT $4"
                    .to_owned(),
                calls: 61_204,
                total_ms: 48_120.0,
                share: 31.2,
                average_ms: 0.786,
                rows: 1.0,
                hits: 4_100_233,
                reads: 18_277,
            },
            Statement {
                query: "INSERT INTO octavo_diku.loan (id, jsonb, item_id, user_id) VALUES ($1, $2, $3, $4)"
                    .to_owned(),
                calls: 20_402,
                total_ms: 21_871.0,
                share: 14.2,
                average_ms: 1.072,
                rows: 1.0,
                hits: 812_004,
                reads: 902,
            },
        ],
        statements_total_ms: 154_231.0,
        missing_indexes: vec![MissingIndex {
            table: "loan".to_owned(),
            what: "metadata.updatedByUserId: hash".to_owned(),
            count: 431,
            source: "index advice".to_owned(),
        }],
        growth: vec![
            TableGrowth {
                table: "octavo_diku.loan".to_owned(),
                rows_before: 5_000,
                rows_after: 25_402,
                bytes_before: 12_400_000,
                bytes_after: 61_000_000,
            },
            TableGrowth {
                table: "octavo_diku.outbox".to_owned(),
                rows_before: 0,
                rows_after: 81_002,
                bytes_before: 8_192,
                bytes_after: 33_100_000,
            },
        ],
        infrastructure: vec![
            ("processor".to_owned(), "Example CPU at 3.1 GHz".to_owned()),
            ("processors".to_owned(), "2".to_owned()),
            ("memory".to_owned(), "8.2 GB".to_owned()),
            ("kernel".to_owned(), "Linux 6.8".to_owned()),
            ("PostgreSQL".to_owned(), "18.1, shared_buffers 256 MB".to_owned()),
        ],
        notes: vec!["Replicas: the server names none.".to_owned()],
    }
}
