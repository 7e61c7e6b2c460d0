//! JMeter's result file as CSV, with its columns in any order, with or without a header line.

use std::collections::HashMap;

use super::collect::{Collector, Sample};
use super::input::Input;
use super::row::{self, Row};
use super::{LabelKind, ReadError, time};

/// JMeter's columns in their default order, which a file without a header line has.
pub const COLUMNS: [&str; 17] = [
    "timeStamp",
    "elapsed",
    "label",
    "responseCode",
    "responseMessage",
    "threadName",
    "dataType",
    "success",
    "failureMessage",
    "bytes",
    "sentBytes",
    "grpThreads",
    "allThreads",
    "URL",
    "Latency",
    "IdleTime",
    "Connect",
];
/// JMeter's message of a transaction controller's row.
const TRANSACTION: &str = "Number of samples in transaction";

/// Whether a line is a row in JMeter's order.
pub(super) fn is_row(line: &str) -> bool {
    let mut fields = Vec::new();
    let count = row::split(line, row::delimiter(line), &mut fields);
    let columns = Columns::of(&COLUMNS.map(str::to_owned));
    count >= 10
        && fields[0].len() == 13
        && columns.is_some_and(|one| one.sample(&fields[..count]).is_ok())
}

struct Columns {
    time: usize,
    elapsed: usize,
    label: usize,
    success: usize,
    message: Option<usize>,
    kind: Option<usize>,
    url: Option<usize>,
    bytes: Option<usize>,
    thread: Option<usize>,
}

impl Columns {
    fn of(header: &[String]) -> Option<Self> {
        let place = |name: &str| header.iter().position(|one| one.trim() == name);
        Some(Self {
            time: place("timeStamp")?,
            elapsed: place("elapsed")?,
            label: place("label")?,
            success: place("success")?,
            message: place("responseMessage"),
            kind: place("dataType"),
            url: place("URL"),
            bytes: place("bytes"),
            thread: place("threadName"),
        })
    }

    fn sample<'f>(&self, fields: &'f [String]) -> Result<Sample<'f>, &'static str> {
        let field = |place: usize| fields.get(place).map(String::as_str);
        let optional = |place: Option<usize>| place.and_then(field).unwrap_or_default();
        let at_ms = field(self.time).and_then(time::millis);
        let elapsed = field(self.elapsed).and_then(|text| text.trim().parse::<u64>().ok());
        let success = match field(self.success).map(str::trim) {
            Some("true" | "TRUE" | "1") => Some(true),
            Some("false" | "FALSE" | "0") => Some(false),
            _ => None,
        };
        let is_transaction = match self.message {
            Some(_) => optional(self.message).starts_with(TRANSACTION),
            None => {
                self.kind.is_some()
                    && optional(self.kind).is_empty()
                    && matches!(optional(self.url), "" | "null")
            }
        };
        Ok(Sample {
            label: field(self.label).ok_or("it has too few fields")?,
            kind: if is_transaction {
                LabelKind::Transaction
            } else {
                LabelKind::Request
            },
            at_ms: at_ms.ok_or("timeStamp is no time")?,
            elapsed_us: elapsed
                .and_then(|elapsed| elapsed.checked_mul(1000))
                .ok_or("elapsed is no number of milliseconds")?,
            success: success.ok_or("success is neither true nor false")?,
            bytes: optional(self.bytes).trim().parse().unwrap_or(0),
        })
    }
}

/// A request whose redirects and embedded files may follow as rows of their own.
struct Parent {
    label: String,
    at_ms: i64,
    ended_ms: i64,
    next: usize,
}

/// The last request of each thread.
#[derive(Default)]
struct Parents {
    by_thread: HashMap<String, Parent>,
    parts: u64,
}

/// Further threads are not tracked.
const THREADS_MAX: usize = 200_000;

impl Parents {
    /// Whether a row is a part of the request before it: JMeter names parts by the request and a
    /// number, and includes their time in the request's own.
    fn is_part(&mut self, thread: &str, sample: &Sample<'_>) -> bool {
        let elapsed_ms = i64::try_from(sample.elapsed_us / 1000).unwrap_or(i64::MAX);
        let ended_ms = sample.at_ms.saturating_add(elapsed_ms);
        if let Some(parent) = self.by_thread.get_mut(thread) {
            let number = sample.label.strip_prefix(parent.label.as_str());
            let number = number.and_then(|rest| rest.strip_prefix('-')?.parse::<usize>().ok());
            let is_within = sample.at_ms >= parent.at_ms && ended_ms <= parent.ended_ms;
            if number == Some(parent.next) && is_within {
                parent.next += 1;
                self.parts += 1;
                return true;
            }
            parent.label.clear();
            parent.label.push_str(sample.label);
            parent.at_ms = sample.at_ms;
            parent.ended_ms = ended_ms;
            parent.next = 0;
        } else if self.by_thread.len() < THREADS_MAX {
            let parent = Parent {
                label: sample.label.to_owned(),
                at_ms: sample.at_ms,
                ended_ms,
                next: 0,
            };
            self.by_thread.insert(thread.to_owned(), parent);
        }
        false
    }
}

pub(super) fn read(input: &mut Input, collector: &mut Collector<'_>) -> Result<(), ReadError> {
    let (mut row, mut line) = (Vec::new(), Vec::new());
    let mut fields = Vec::new();
    let mut form: Option<(Columns, char, usize)> = None;
    let mut parents = Parents::default();
    while let Some((kind, start)) = row::next(input, &mut row, &mut line)? {
        if kind == Row::Broken {
            collector.unreadable(start, "it is too long, or a quote is not closed");
            continue;
        }
        let text = String::from_utf8_lossy(&row);
        let text = text.trim_start_matches('\u{feff}');
        if text.trim().is_empty() {
            continue;
        }
        let Some((columns, delimiter, width)) = &form else {
            let delimiter = row::delimiter(text);
            let count = row::split(text, delimiter, &mut fields);
            let header = match is_row(text) {
                true => {
                    collector.note("it has no header line; JMeter's own order is taken");
                    COLUMNS.map(str::to_owned).to_vec()
                }
                false => fields[..count].to_vec(),
            };
            let Some(columns) = Columns::of(&header) else {
                return Err(ReadError::Malformed {
                    file: input.path().to_owned(),
                    line: start,
                    reason: "timeStamp, elapsed, label and success are not all in the header line"
                        .to_owned(),
                    remedy: "have JMeter save them (jmeter.save.saveservice.*)",
                });
            };
            if is_row(text)
                && let Ok(sample) = columns.sample(&fields[..count])
            {
                collector.sample(sample);
            }
            form = Some((columns, delimiter, header.len()));
            continue;
        };
        let count = row::split(text, *delimiter, &mut fields);
        // Appended runs repeat the header line.
        if fields[columns.time] == "timeStamp" {
            continue;
        }
        let is_cut = kind == Row::Last && (count < *width || row_is_open(text));
        match columns.sample(&fields[..count]) {
            Ok(sample) if !is_cut => {
                let thread = columns.thread.and_then(|place| fields.get(place));
                let is_part = thread.is_some_and(|thread| parents.is_part(thread, &sample));
                if !is_part {
                    collector.sample(sample);
                }
            }
            _ if kind == Row::Last => collector.cut(start),
            Ok(_) => {}
            Err(reason) => collector.unreadable(start, reason),
        }
    }
    if input.is_cut {
        collector.cut(input.line);
    }
    if parents.parts > 0 {
        let parts = parents.parts;
        collector.note(format!(
            "{parts} rows are redirects or embedded files and count with their requests"
        ));
    }
    Ok(())
}

fn row_is_open(text: &str) -> bool {
    text.matches('"').count() % 2 == 1
}
