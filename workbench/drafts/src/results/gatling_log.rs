//! Gatling's `simulation.log` as text. Versions differ in the number of columns before a request's
//! name; from the status backwards they agree.

use super::collect::{Collector, Sample};
use super::input::{Input, Line};
use super::{LabelKind, ReadError};

pub(super) fn read(input: &mut Input, collector: &mut Collector<'_>) -> Result<(), ReadError> {
    let mut line = Vec::new();
    while let Some(kind) = input.next(&mut line)? {
        let text = String::from_utf8_lossy(&line);
        let fields: Vec<&str> = text.split('\t').collect();
        let sample = match fields[0] {
            _ if kind == Line::TooLong => Err("it is too long"),
            "REQUEST" => request(&fields),
            "GROUP" => group(&fields),
            "RUN" | "USER" | "ASSERTION" | "ERROR" | "" => {
                continue;
            }
            _ => Err("it begins with none of RUN, USER, REQUEST, GROUP, ERROR, ASSERTION"),
        };
        match sample {
            Ok((label, kind, started, ended, elapsed, success)) => {
                let elapsed = elapsed.unwrap_or_else(|| ended.saturating_sub(started).max(0));
                collector.sample(Sample {
                    label: &label,
                    kind,
                    at_ms: started,
                    elapsed_us: u64::try_from(elapsed).unwrap_or(0).saturating_mul(1000),
                    success,
                    bytes: 0,
                });
            }
            Err(_) if kind == Line::Last => collector.cut(input.line),
            Err(reason) => collector.unreadable(input.line, reason),
        }
    }
    if input.is_cut {
        collector.cut(input.line);
    }
    Ok(())
}

/// Label, kind, beginning, end, cumulated time, success.
type LogLine = (String, LabelKind, i64, i64, Option<i64>, bool);

fn status(text: &str) -> Option<bool> {
    match text.trim() {
        "OK" => Some(true),
        "KO" => Some(false),
        _ => None,
    }
}

/// `… groups, name, start, end, status, message`.
fn request(fields: &[&str]) -> Result<LogLine, &'static str> {
    let fail = "a REQUEST without start, end and status";
    // The message may contain tabs; the status is the first field that fits.
    let places = 4..fields.len();
    for at in places {
        let times = [at - 2, at - 1].map(|at| fields[at].parse::<i64>().ok());
        if let (Some(success), [Some(started), Some(ended)]) = (status(fields[at]), times) {
            let name = fields[at - 3].to_owned();
            // A request that was never finished has no end.
            let ended = if ended <= 0 { started } else { ended };
            return Ok((name, LabelKind::Request, started, ended, None, success));
        }
    }
    Err(fail)
}

/// `… groups, start, end, cumulated response time, status`.
fn group(fields: &[&str]) -> Result<LogLine, &'static str> {
    let fail = "a GROUP without start, end, time and status";
    let last = fields
        .len()
        .checked_sub(1)
        .filter(|last| *last >= 5)
        .ok_or(fail)?;
    let number = |at: usize| fields[at].parse::<i64>().map_err(|_| fail);
    let success = status(fields[last]).ok_or(fail)?;
    let (started, ended, elapsed) = (number(last - 3)?, number(last - 2)?, number(last - 1)?);
    let name = fields[last - 4].replace(',', " / ");
    // As Gatling reports it: the requests' times, without pauses.
    Ok((
        name,
        LabelKind::Transaction,
        started,
        ended,
        Some(elapsed),
        success,
    ))
}
