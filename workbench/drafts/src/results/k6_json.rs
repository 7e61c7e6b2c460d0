//! k6's stream of points, a JSON object a line: `http_req_duration` is a request, `group_duration`
//! a transaction.

use std::borrow::Cow;

use serde::Deserialize;

use super::collect::{Collector, Sample};
use super::input::{Input, Line};
use super::{LabelKind, ReadError, time};

#[derive(Deserialize)]
struct Point<'l> {
    #[serde(borrow)]
    data: Data<'l>,
}

#[derive(Deserialize)]
struct Data<'l> {
    #[serde(borrow)]
    time: Cow<'l, str>,
    value: f64,
    #[serde(borrow, default)]
    tags: Tags<'l>,
}

#[derive(Default, Deserialize)]
struct Tags<'l> {
    #[serde(borrow, default)]
    name: Option<Cow<'l, str>>,
    #[serde(borrow, default)]
    url: Option<Cow<'l, str>>,
    #[serde(borrow, default)]
    group: Option<Cow<'l, str>>,
    #[serde(borrow, default)]
    status: Option<Cow<'l, str>>,
    #[serde(borrow, default)]
    error: Option<Cow<'l, str>>,
    #[serde(borrow, default)]
    expected_response: Option<Cow<'l, str>>,
}

pub(super) fn read(input: &mut Input, collector: &mut Collector<'_>) -> Result<(), ReadError> {
    let mut line = Vec::new();
    while let Some(kind) = input.next(&mut line)? {
        if kind == Line::TooLong {
            collector.unreadable(input.line, "it is too long");
            continue;
        }
        // Most lines belong to other metrics and need not be parsed.
        let is_request = contains(&line, b"\"http_req_duration\"");
        let is_group = !is_request && contains(&line, b"\"group_duration\"");
        if !(is_request || is_group) || !contains(&line, b"\"Point\"") {
            if kind == Line::Last && line.last() != Some(&b'}') && !line.is_empty() {
                collector.cut(input.line);
            }
            continue;
        }
        let point: Result<Point<'_>, _> = serde_json::from_slice(&line);
        match point
            .map_err(|_| "it is not a point in JSON")
            .and_then(|point| take(&point.data, is_group, collector))
        {
            Ok(()) => {}
            Err(_) if kind == Line::Last => collector.cut(input.line),
            Err(reason) => collector.unreadable(input.line, reason),
        }
    }
    if input.is_cut {
        collector.cut(input.line);
    }
    Ok(())
}

fn take(
    data: &Data<'_>,
    is_group: bool,
    collector: &mut Collector<'_>,
) -> Result<(), &'static str> {
    let elapsed_us = time::micros(data.value).ok_or("its value is not a time")?;
    let ended = time::millis(&data.time).ok_or("its time cannot be read")?;
    let tags = &data.tags;
    let label = match is_group {
        true => group(tags.group.as_deref().unwrap_or_default()),
        false => {
            let name = tags.name.as_deref().or(tags.url.as_deref());
            name.ok_or("it has neither name nor url")?.into()
        }
    };
    let succeeded = success(
        tags.expected_response.as_deref(),
        tags.status.as_deref(),
        tags.error.as_deref(),
    );
    collector.sample(Sample {
        label: &label,
        kind: if is_group {
            LabelKind::Transaction
        } else {
            LabelKind::Request
        },
        // k6 dates a point at its end.
        at_ms: ended.saturating_sub(i64::try_from(elapsed_us / 1000).unwrap_or(0)),
        elapsed_us,
        success: is_group || succeeded,
        bytes: 0,
    });
    Ok(())
}

/// `::outer::inner` in readable form.
pub(super) fn group(path: &str) -> Cow<'_, str> {
    let path = path.strip_prefix("::").unwrap_or(path);
    match path.contains("::") {
        true => path.replace("::", " / ").into(),
        false => path.into(),
    }
}

/// Whether a request succeeded: by k6's own flag, or otherwise by its status.
pub(super) fn success(expected: Option<&str>, status: Option<&str>, error: Option<&str>) -> bool {
    match expected {
        Some("true") => true,
        Some("false") => false,
        _ => {
            let status: u16 = status.and_then(|status| status.parse().ok()).unwrap_or(0);
            error.unwrap_or_default().is_empty() && (200..400).contains(&status)
        }
    }
}

fn contains(line: &[u8], part: &[u8]) -> bool {
    line.windows(part.len()).any(|window| window == part)
}
