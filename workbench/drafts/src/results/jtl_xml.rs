//! JMeter's result file as XML: `httpSample` and `sample` elements with short attributes. Samples
//! inside a transaction are requests; those inside a request are its redirects and count with it.

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};

use super::collect::{Collector, Sample};
use super::input::Input;
use super::{LabelKind, ReadError, time};

const DEPTH_MAX: usize = 1000;
const TRANSACTION: &str = "Number of samples in transaction";

pub(super) fn read(input: &mut Input, collector: &mut Collector<'_>) -> Result<(), ReadError> {
    let path = input.path().to_owned();
    let mut reader = Reader::from_reader(input.reader());
    reader.config_mut().check_end_names = false;
    let mut buffer = Vec::new();
    // For each open element, whether samples in it count.
    let mut open: Vec<bool> = Vec::new();
    let mut number = 0;
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer);
        match event {
            Ok(Event::Start(element)) => {
                let counts = open.last().copied().unwrap_or(true);
                let inside = sample(&element, counts, &mut number, collector);
                open.push(inside);
                if open.len() > DEPTH_MAX {
                    return Err(ReadError::Malformed {
                        file: path,
                        line: number,
                        reason: format!("more than {DEPTH_MAX} elements inside each other"),
                        remedy: "save the results as CSV",
                    });
                }
            }
            Ok(Event::Empty(element)) => {
                let counts = open.last().copied().unwrap_or(true);
                sample(&element, counts, &mut number, collector);
            }
            Ok(Event::End(_)) => {
                open.pop();
            }
            Ok(Event::DocType(_)) => {
                return Err(ReadError::Malformed {
                    file: path,
                    line: 1,
                    reason: "a document type is not read".to_owned(),
                    remedy: "save the results as CSV",
                });
            }
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) if collector.is_empty() => {
                return Err(ReadError::Malformed {
                    file: path,
                    line: number + 1,
                    reason: error.to_string(),
                    remedy: "save the results again, or as CSV",
                });
            }
            Err(_) => break,
        }
    }
    // JMeter closes the root element at its end; killed and running JMeters leave it open.
    if !open.is_empty() {
        collector.note(format!(
            "it ends after {number} samples without its last tag, as after a killed run"
        ));
    }
    Ok(())
}

/// Handles a sample; returns whether samples inside it count.
fn sample(
    element: &BytesStart<'_>,
    counts: bool,
    number: &mut u64,
    collector: &mut Collector<'_>,
) -> bool {
    let name = element.name();
    let is_http = name.as_ref() == b"httpSample";
    if !is_http && name.as_ref() != b"sample" {
        return counts;
    }
    *number += 1;
    let text = |name: &str| -> Option<String> {
        let attribute = element.try_get_attribute(name).ok().flatten()?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).ok()?;
        Some(value.into_owned())
    };
    let is_transaction = text("rm").is_some_and(|text| text.starts_with(TRANSACTION));
    if !counts {
        return false;
    }
    let at_ms = text("ts").as_deref().and_then(time::millis);
    let elapsed = text("t").and_then(|text| text.trim().parse::<u64>().ok());
    let elapsed = elapsed.and_then(|elapsed| elapsed.checked_mul(1000));
    match (text("lb"), at_ms, elapsed, text("s")) {
        (Some(label), Some(at_ms), Some(elapsed_us), Some(success)) => {
            collector.sample(Sample {
                label: &label,
                kind: match is_transaction {
                    true => LabelKind::Transaction,
                    false => LabelKind::Request,
                },
                at_ms,
                elapsed_us,
                success: success == "true",
                bytes: text("by").and_then(|text| text.parse().ok()).unwrap_or(0),
            });
        }
        _ => collector.unreadable(
            *number,
            "a sample without lb, ts, t or s (counted in samples)",
        ),
    }
    is_transaction
}
