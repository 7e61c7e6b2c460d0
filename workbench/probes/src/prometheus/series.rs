//! Converts samples to values of a chart: rates of counters, gauges as they are, means of
//! histograms, and the metrics of a JVM. No I/O.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Instant;

use super::text::{MetricKind, Sample, identity};

/// The most series of one endpoint; further ones are dropped, with a note.
pub(super) const SERIES_MAX: usize = 200;

/// A value of an interval.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Value {
    pub measure: String,
    pub unit: &'static str,
    pub value: f64,
}

/// The state of an endpoint between scrapes.
#[derive(Debug, Default)]
pub(super) struct Endpoint {
    prefixes: Vec<String>,
    before: Option<Before>,
    /// Names that have a series.
    kept: HashSet<String>,
    /// Names that were dropped.
    cut: HashSet<String>,
}

#[derive(Debug)]
struct Before {
    at: Instant,
    counters: HashMap<String, f64>,
}

impl Endpoint {
    pub(super) fn new(prefixes: Vec<String>) -> Self {
        Self {
            prefixes,
            ..Self::default()
        }
    }

    /// How many series were dropped so far.
    pub(super) fn cut(&self) -> usize {
        self.cut.len()
    }

    /// The values since the previous scrape.
    pub(super) fn values(&mut self, at: Instant, samples: &[Sample]) -> Vec<Value> {
        let counters: HashMap<String, f64> = samples
            .iter()
            .filter(|sample| grows(sample) && sample.value.is_finite())
            .map(|sample| (sample.identity(), sample.value))
            .collect();
        let interval = Interval {
            seconds: self.before.as_ref().map_or(0.0, |before| {
                at.saturating_duration_since(before.at).as_secs_f64()
            }),
            before: self.before.as_ref().map(|before| &before.counters),
            now: &counters,
        };
        let mut values = java(samples, &interval);
        let wanted = samples
            .iter()
            .filter(|sample| is_wanted(&self.prefixes, &sample.name));
        for value in wanted.flat_map(|sample| of_sample(sample, &interval)) {
            if self.kept.len() < SERIES_MAX || self.kept.contains(&value.measure) {
                self.kept.insert(value.measure.clone());
                values.push(value);
            } else if self.cut.len() < SERIES_MAX * 100 {
                self.cut.insert(value.measure);
            }
        }
        self.before = Some(Before { at, counters });
        values
    }
}

fn is_wanted(prefixes: &[String], name: &str) -> bool {
    prefixes.is_empty() || prefixes.iter().any(|prefix| name.starts_with(prefix))
}

fn grows(sample: &Sample) -> bool {
    match sample.kind {
        MetricKind::Counter => true,
        MetricKind::Histogram | MetricKind::Summary => {
            sample.name.ends_with("_sum") || sample.name.ends_with("_count")
        }
        MetricKind::Gauge | MetricKind::Untyped => false,
    }
}

/// Counters at two moments.
struct Interval<'a> {
    seconds: f64,
    before: Option<&'a HashMap<String, f64>>,
    now: &'a HashMap<String, f64>,
}

impl Interval<'_> {
    /// The growth of a counter; one that is less than before was reset to zero.
    fn growth(&self, identity: &str) -> Option<f64> {
        let (before, now) = (*self.before?.get(identity)?, *self.now.get(identity)?);
        Some(if now < before { now } else { now - before })
    }

    fn rate(&self, identity: &str) -> Option<f64> {
        let growth = self.growth(identity)?;
        (self.seconds > 0.001).then(|| growth / self.seconds)
    }
}

fn of_sample(sample: &Sample, interval: &Interval<'_>) -> Vec<Value> {
    let name = sample.identity();
    let value = |measure: &str, unit, value: Option<f64>| {
        value.map(|value| Value {
            measure: measure.to_owned(),
            unit,
            value,
        })
    };
    let found = match sample.kind {
        MetricKind::Counter => vec![value(&name, rate_unit(&sample.name), interval.rate(&name))],
        MetricKind::Histogram | MetricKind::Summary if sample.name.ends_with("_count") => {
            let family = sample.name.trim_end_matches("_count");
            let sum = interval.growth(&identity(&format!("{family}_sum"), &sample.labels));
            let count = interval.growth(&name).filter(|count| *count > 0.0);
            let mean = sum.zip(count).map(|(sum, count)| sum / count);
            vec![
                value(&identity(family, &sample.labels), unit(family), mean),
                value(&name, "/s", interval.rate(&name)),
            ]
        }
        MetricKind::Histogram => Vec::new(),
        MetricKind::Summary if sample.name.ends_with("_sum") => Vec::new(),
        MetricKind::Summary | MetricKind::Gauge | MetricKind::Untyped => {
            let number = sample.value.is_finite().then_some(sample.value);
            vec![value(&name, unit(&sample.name), number)]
        }
    };
    found.into_iter().flatten().collect()
}

fn unit(name: &str) -> &'static str {
    let ends = |end: &str| name.ends_with(end);
    if ends("_seconds") {
        "s"
    } else if ends("_bytes") {
        "bytes"
    } else {
        ""
    }
}

fn rate_unit(name: &str) -> &'static str {
    match unit(name.trim_end_matches("_total")) {
        "s" => "s/s",
        "bytes" => "bytes/s",
        _ => "/s",
    }
}

/// Heap, collections and threads by the names that Micrometer, the JMX exporter (old and new) and
/// OpenTelemetry give them. They are kept whatever the prefixes are.
fn java(samples: &[Sample], interval: &Interval<'_>) -> Vec<Value> {
    let mut sums: BTreeMap<&'static str, (&'static str, f64)> = BTreeMap::new();
    let mut add = |measure, unit, value: f64| {
        if value.is_finite() {
            sums.entry(measure).or_insert((unit, 0.0)).1 += value;
        }
    };
    let threads = [
        "jvm_threads_live_threads",
        "jvm_threads_live",
        "jvm_threads_current",
        "jvm_thread_count",
    ];
    // Of several names for the same value only the first that exists.
    let counted = threads
        .iter()
        .find(|name| samples.iter().any(|sample| sample.name == **name));
    for sample in samples {
        match sample.name.as_str() {
            "jvm_memory_used_bytes" | "jvm_memory_bytes_used" if is_heap(sample) => {
                add("jvm-heap", "MB", sample.value / 1e6);
            }
            "jvm_gc_pause_seconds_sum"
            | "jvm_gc_collection_seconds_sum"
            | "jvm_gc_duration_seconds_sum" => {
                if let Some(rate) = interval.rate(&sample.identity()) {
                    add("jvm-gc", "%", 100.0 * rate);
                }
            }
            name if counted.is_some_and(|counted| *counted == name) => {
                add("jvm-threads", "threads", sample.value);
            }
            _ => {}
        }
    }
    let values = sums.into_iter().map(|(measure, (unit, value))| Value {
        measure: measure.to_owned(),
        unit,
        value,
    });
    values.collect()
}

fn is_heap(sample: &Sample) -> bool {
    let area = sample
        .label("area")
        .or_else(|| sample.label("jvm_memory_type"));
    area == Some("heap")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::text::parse;
    use super::*;

    fn scrape(endpoint: &mut Endpoint, at: Instant, text: &str) -> HashMap<String, f64> {
        let values = endpoint.values(at, &parse(text).samples);
        values
            .into_iter()
            .map(|value| (value.measure, value.value))
            .collect()
    }

    #[test]
    fn counters_become_rates_and_survive_a_restart() {
        let mut endpoint = Endpoint::new(Vec::new());
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let head = "# TYPE r counter\n";
        assert!(scrape(&mut endpoint, at(0), &format!("{head}r 10")).is_empty());
        assert_eq!(
            scrape(&mut endpoint, at(2), &format!("{head}r 30"))["r"],
            10.0
        );
        // The process was restarted and has counted 8 since.
        assert_eq!(
            scrape(&mut endpoint, at(4), &format!("{head}r 8"))["r"],
            4.0
        );
        assert!(scrape(&mut endpoint, at(5), &format!("{head}r NaN")).is_empty());
    }

    #[test]
    fn a_histogram_is_its_mean_and_its_rate() {
        let mut endpoint = Endpoint::new(Vec::new());
        let start = Instant::now();
        let text = |sum: f64, count: f64| {
            format!(
                "# TYPE h_seconds histogram\nh_seconds_bucket{{le=\"1\"}} 1\n\
                 h_seconds_sum{{p=\"/a\"}} {sum}\nh_seconds_count{{p=\"/a\"}} {count}\n"
            )
        };
        scrape(&mut endpoint, start, &text(1.0, 10.0));
        let now = scrape(
            &mut endpoint,
            start + Duration::from_secs(1),
            &text(2.0, 14.0),
        );
        assert_eq!(now.len(), 2);
        assert_eq!(now["h_seconds{p=\"/a\"}"], 0.25);
        assert_eq!(now["h_seconds_count{p=\"/a\"}"], 4.0);
        let quiet = scrape(
            &mut endpoint,
            start + Duration::from_secs(2),
            &text(2.0, 14.0),
        );
        assert_eq!(quiet.len(), 1, "no mean of nothing: {quiet:?}");
    }

    #[test]
    fn java_is_known_by_the_names_of_its_exporters() {
        let micrometer = |gc: f64| {
            format!(
                "# TYPE jvm_memory_used_bytes gauge\n\
                 jvm_memory_used_bytes{{area=\"heap\",id=\"Eden\"}} 30e6\n\
                 jvm_memory_used_bytes{{area=\"heap\",id=\"Old\"}} 12e6\n\
                 jvm_memory_used_bytes{{area=\"nonheap\",id=\"Code\"}} 99e6\n\
                 # TYPE jvm_gc_pause_seconds summary\n\
                 jvm_gc_pause_seconds_sum{{action=\"minor\"}} {gc}\n\
                 jvm_gc_pause_seconds_count{{action=\"minor\"}} 1\n\
                 jvm_threads_live_threads 21\n"
            )
        };
        let exporter = |gc: f64| {
            format!(
                "jvm_memory_bytes_used{{area=\"heap\"}} 42e6\n# TYPE jvm_gc_collection_seconds summary\n\
                 jvm_gc_collection_seconds_sum{{gc=\"a\"}} {gc}\n\
                 jvm_gc_collection_seconds_sum{{gc=\"b\"}} 0\njvm_threads_current 21\n"
            )
        };
        let texts: [&dyn Fn(f64) -> String; 2] = [&micrometer, &exporter];
        for text in texts {
            let mut endpoint = Endpoint::new(vec!["nothing_else".to_owned()]);
            let start = Instant::now();
            scrape(&mut endpoint, start, &text(1.0));
            let now = scrape(&mut endpoint, start + Duration::from_secs(2), &text(1.1));
            assert_eq!(now.len(), 3, "{now:?}");
            assert_eq!((now["jvm-heap"], now["jvm-threads"]), (42.0, 21.0));
            assert!((now["jvm-gc"] - 5.0).abs() < 1e-6, "{now:?}");
        }
    }

    #[test]
    fn series_are_bounded_and_those_kept_stay() {
        let mut endpoint = Endpoint::new(Vec::new());
        let start = Instant::now();
        let text = |from: usize| -> String {
            (from..from + 300)
                .map(|number| format!("m{{n=\"{number}\"}} 1\n"))
                .collect()
        };
        assert_eq!(scrape(&mut endpoint, start, &text(0)).len(), SERIES_MAX);
        assert_eq!(endpoint.cut(), 100);
        let again = scrape(&mut endpoint, start + Duration::from_secs(1), &text(150));
        assert_eq!(again.len(), 50, "only what was kept at first");
    }
}
