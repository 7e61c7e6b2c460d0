//! k6's points as CSV, with columns by name.

use super::collect::{Collector, Sample};
use super::input::Input;
use super::k6_json::{group, success};
use super::row::{self, Row};
use super::{LabelKind, ReadError, time};

struct Columns {
    metric: usize,
    time: usize,
    value: usize,
    name: Option<usize>,
    url: Option<usize>,
    group: Option<usize>,
    status: Option<usize>,
    error: Option<usize>,
    expected: Option<usize>,
}

impl Columns {
    fn of(header: &[String]) -> Option<Self> {
        let place = |name: &str| header.iter().position(|one| one.trim() == name);
        Some(Self {
            metric: place("metric_name")?,
            time: place("timestamp")?,
            value: place("metric_value")?,
            name: place("name"),
            url: place("url"),
            group: place("group"),
            status: place("status"),
            error: place("error"),
            expected: place("expected_response"),
        })
    }
}

pub(super) fn read(input: &mut Input, collector: &mut Collector<'_>) -> Result<(), ReadError> {
    let (mut row, mut line) = (Vec::new(), Vec::new());
    let mut fields = Vec::new();
    let mut form: Option<(Columns, char, usize)> = None;
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
            let Some(columns) = Columns::of(&fields[..count]) else {
                return Err(ReadError::Malformed {
                    file: input.path().to_owned(),
                    line: start,
                    reason: "metric_name, timestamp and metric_value are not all in the header \
                             line"
                        .to_owned(),
                    remedy: "give the file of `k6 run --out csv=FILE` as it was written",
                });
            };
            form = Some((columns, delimiter, count));
            continue;
        };
        let count = row::split(text, *delimiter, &mut fields);
        if kind == Row::Last && count < *width {
            collector.cut(start);
            continue;
        }
        if let Err(reason) = take(columns, &fields[..count], collector) {
            match kind {
                Row::Last => collector.cut(start),
                _ => collector.unreadable(start, reason),
            }
        }
    }
    if input.is_cut {
        collector.cut(input.line);
    }
    Ok(())
}

fn take(
    columns: &Columns,
    fields: &[String],
    collector: &mut Collector<'_>,
) -> Result<(), &'static str> {
    let field = |place: usize| fields.get(place).map(String::as_str);
    let optional = |place: Option<usize>| place.and_then(field).filter(|text| !text.is_empty());
    let is_group = match field(columns.metric) {
        Some("http_req_duration") => false,
        Some("group_duration") => true,
        Some(_) => return Ok(()),
        None => return Err("it has too few fields"),
    };
    let value = field(columns.value).and_then(|text| text.trim().parse::<f64>().ok());
    let elapsed_us = value
        .and_then(time::micros)
        .ok_or("metric_value is not a time")?;
    let ended = field(columns.time).and_then(time::millis);
    let ended = ended.ok_or("timestamp cannot be read")?;
    let label = match is_group {
        true => group(optional(columns.group).unwrap_or_default()),
        false => {
            let name = optional(columns.name).or(optional(columns.url));
            name.ok_or("it has neither name nor url")?.into()
        }
    };
    let succeeded = success(
        optional(columns.expected),
        optional(columns.status),
        optional(columns.error),
    );
    collector.sample(Sample {
        label: &label,
        kind: if is_group {
            LabelKind::Transaction
        } else {
            LabelKind::Request
        },
        at_ms: ended.saturating_sub(i64::try_from(elapsed_us / 1000).unwrap_or(0)),
        elapsed_us,
        success: is_group || succeeded,
        bytes: 0,
    });
    Ok(())
}
