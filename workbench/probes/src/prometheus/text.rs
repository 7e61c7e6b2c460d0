//! Parses Prometheus' text format and OpenMetrics. Lines that cannot be parsed are counted and
//! skipped; no text causes a panic.

use std::collections::HashMap;

/// The most samples of one response.
const SAMPLES_MAX: usize = 100_000;

/// The declared type of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MetricKind {
    Counter,
    Gauge,
    Histogram,
    Summary,
    Untyped,
}

/// One value of one metric.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sample {
    pub name: String,
    /// In the order of their names.
    pub labels: Vec<(String, String)>,
    pub value: f64,
    pub kind: MetricKind,
}

/// A parsed response.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Page {
    pub samples: Vec<Sample>,
    /// The number of lines that could not be parsed.
    pub strange: usize,
}

impl Sample {
    /// Name and labels, as they are written.
    pub(super) fn identity(&self) -> String {
        identity(&self.name, &self.labels)
    }

    pub(super) fn label(&self, name: &str) -> Option<&str> {
        let mut labels = self.labels.iter();
        labels
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }
}

pub(super) fn identity(name: &str, labels: &[(String, String)]) -> String {
    if labels.is_empty() {
        return name.to_owned();
    }
    let labels: Vec<String> = labels
        .iter()
        .map(|(name, value)| format!("{name}={value:?}"))
        .collect();
    format!("{name}{{{}}}", labels.join(","))
}

pub(super) fn parse(text: &str) -> Page {
    let mut kinds: HashMap<&str, MetricKind> = HashMap::new();
    let mut page = Page::default();
    for line in text.lines() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if let Some(comment) = line.strip_prefix('#') {
            if let Some((name, kind)) = declared(comment) {
                kinds.insert(name, kind);
            }
            continue;
        }
        match sample(line) {
            Some((name, labels, value)) if page.samples.len() < SAMPLES_MAX => {
                let kind = kind_of(&kinds, name);
                page.samples.push(Sample {
                    name: name.to_owned(),
                    labels,
                    value,
                    kind,
                });
            }
            Some(_) => {}
            None => page.strange += 1,
        }
    }
    page
}

/// ` TYPE name kind`.
fn declared(comment: &str) -> Option<(&str, MetricKind)> {
    let mut words = comment.split_ascii_whitespace();
    if words.next() != Some("TYPE") {
        return None;
    }
    let name = words.next()?;
    let kind = match words.next()? {
        "counter" => MetricKind::Counter,
        "gauge" | "info" | "stateset" => MetricKind::Gauge,
        "histogram" | "gaugehistogram" => MetricKind::Histogram,
        "summary" => MetricKind::Summary,
        _ => MetricKind::Untyped,
    };
    Some((name, kind))
}

/// A sample's type is declared under its own name or that of its family.
fn kind_of(kinds: &HashMap<&str, MetricKind>, name: &str) -> MetricKind {
    if let Some(kind) = kinds.get(name) {
        return *kind;
    }
    let family = |end: &str| kinds.get(name.strip_suffix(end)?).copied();
    if let Some(MetricKind::Counter) = family("_total") {
        return MetricKind::Counter;
    }
    let parts = ["_sum", "_count", "_bucket"];
    let found = parts.iter().find_map(|end| family(end));
    match found {
        Some(kind @ (MetricKind::Histogram | MetricKind::Summary)) => kind,
        // Without a declaration the name shows what is a counter.
        _ if name.ends_with("_total") => MetricKind::Counter,
        _ => MetricKind::Untyped,
    }
}

type Labels = Vec<(String, String)>;

/// `name{label="value",…} value time`, in which time and labels are optional.
fn sample(line: &str) -> Option<(&str, Labels, f64)> {
    let end = line
        .find(|letter: char| !is_name(letter))
        .unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    if name.is_empty() || name.starts_with(|letter: char| letter.is_ascii_digit()) {
        return None;
    }
    let rest = rest.trim_start();
    let (labels, rest) = match rest.strip_prefix('{') {
        Some(rest) => labels(rest)?,
        None => (Labels::new(), rest),
    };
    // After the value there may be a time and, in OpenMetrics, an exemplar.
    let value = rest.split_ascii_whitespace().next()?;
    Some((name, labels, number(value)?))
}

/// The labels up to the closing brace, and what follows it.
fn labels(mut rest: &str) -> Option<(Labels, &str)> {
    let mut labels = Labels::new();
    loop {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        if let Some(after) = rest.strip_prefix('}') {
            labels.sort();
            return Some((labels, after));
        }
        let (name, after) = rest.split_once('=')?;
        let name = name.trim();
        if name.is_empty() || !name.chars().all(is_name) {
            return None;
        }
        let (value, after) = quoted(after.trim_start())?;
        labels.push((name.to_owned(), value));
        rest = after;
    }
}

fn quoted(text: &str) -> Option<(String, &str)> {
    let inner = text.strip_prefix('"')?;
    let mut value = String::new();
    let mut letters = inner.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((value, &inner[at + 1..])),
            '\\' => match letters.next()?.1 {
                'n' => value.push('\n'),
                other => value.push(other),
            },
            other => value.push(other),
        }
    }
    None
}

fn is_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | ':' | '.')
}

fn number(text: &str) -> Option<f64> {
    match text {
        "+Inf" | "Inf" => Some(f64::INFINITY),
        "-Inf" => Some(f64::NEG_INFINITY),
        "NaN" => Some(f64::NAN),
        // Rust parses more words as numbers than the format allows.
        other if other.contains(|letter: char| letter.is_ascii_digit()) => other.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn one(line: &str) -> Option<(String, f64)> {
        let page = parse(line);
        let sample = page.samples.first()?;
        Some((sample.identity(), sample.value))
    }

    #[test]
    fn samples_are_read_as_they_may_be_written() {
        for (line, identity, value) in [
            ("up 1", "up", 1.0),
            ("  up\t2  1700000000000", "up", 2.0),
            ("a{} 3", "a", 3.0),
            ("a{b=\"c\"} 1e3", "a{b=\"c\"}", 1000.0),
            (
                "a { z = \"1\" , b=\"x}y,\\\"q\\\"\\n\", } -4",
                "a{b=\"x}y,\\\"q\\\"\\n\",z=\"1\"}",
                -4.0,
            ),
            (
                "a_bucket{le=\"+Inf\"} 7 # {trace=\"x\"} 0.5",
                "a_bucket{le=\"+Inf\"}",
                7.0,
            ),
            ("a +Inf", "a", f64::INFINITY),
        ] {
            assert_eq!(one(line), Some((identity.to_owned(), value)), "{line}");
        }
        assert!(one("a NaN").unwrap().1.is_nan());
    }

    #[test]
    fn what_is_no_sample_is_counted_and_passed_over() {
        let text =
            "<html>\nup 1\na{b=\"c 1\na{b=c} 1\n1a 2\na\na x\na infinity\n{} 1\na{=\"\"} 1\n";
        let page = parse(text);
        assert_eq!((page.samples.len(), page.strange), (1, 9));
    }

    #[test]
    fn kinds_are_those_declared_for_the_family() {
        let text = "# HELP r requests\n# TYPE r counter\nr_total 1\n# TYPE t histogram\nt_sum 1\n\
                    t_count 2\nt_bucket{le=\"1\"} 2\n# TYPE q summary\nq{quantile=\"0.9\"} 1\nq_sum 3\n\
                    # TYPE g gauge\ng 1\nnobody_said_total 1\nnobody_said 1\n# EOF\n";
        let kinds: Vec<(String, MetricKind)> = parse(text)
            .samples
            .into_iter()
            .map(|sample| (sample.name, sample.kind))
            .collect();
        let expected = [
            ("r_total", MetricKind::Counter),
            ("t_sum", MetricKind::Histogram),
            ("t_count", MetricKind::Histogram),
            ("t_bucket", MetricKind::Histogram),
            ("q", MetricKind::Summary),
            ("q_sum", MetricKind::Summary),
            ("g", MetricKind::Gauge),
            ("nobody_said_total", MetricKind::Counter),
            ("nobody_said", MetricKind::Untyped),
        ];
        let expected: Vec<(String, MetricKind)> =
            expected.map(|(name, kind)| (name.to_owned(), kind)).into();
        assert_eq!(kinds, expected);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in any::<String>()) {
            let _ = parse(&text);
        }

        #[test]
        fn nothing_like_the_format_makes_it_panic(
            text in "([a-z_]{0,3}[{}=\",\\\\# 0-9.+eIN\\n\u{e9}]{0,6}){0,12}"
        ) {
            let _ = parse(&text);
        }

        #[test]
        fn what_is_written_is_read(
            name in "[a-z_:][a-z0-9_:]{0,12}",
            label in "[a-z_]{1,8}",
            value in any::<String>(),
            number in any::<f64>().prop_filter("a number", |number| number.is_finite()),
        ) {
            prop_assume!(!value.contains(['\r', '\u{85}', '\u{2028}', '\u{2029}', '\u{b}', '\u{c}']));
            let written = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            let page = parse(&format!("{name}{{{label}=\"{written}\"}} {number}"));
            prop_assert_eq!(page.strange, 0);
            prop_assert_eq!(page.samples[0].label(&label), Some(value.as_str()));
            prop_assert_eq!(page.samples[0].value, number);
        }
    }
}
