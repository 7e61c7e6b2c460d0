//! Parameters of harvesting: spans of time and lists of ids. Pure.

use std::sync::LazyLock;

use jiff::Timestamp;
use octavo_records::{Shape, Violation, instant};
use serde_json::Value;
use uuid::Uuid;

/// Instances that one request may name.
pub const IDS_MAX: usize = 10_000;

/// An end of a span: a date and a time with its offset. `None` if none is given.
///
/// # Errors
/// A message that names the parameter, its value and the remedy.
pub fn instant(name: &str, sent: Option<&str>) -> Result<Option<Timestamp>, String> {
    let Some(text) = sent.filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let at = has_offset(text).then(|| instant::parse(text)).flatten();
    at.map(Some).ok_or_else(|| {
        let shown: String = text.chars().take(100).collect();
        format!(
            "Text '{shown}' could not be parsed: {name} must be a date and a time with an offset, \
             for instance 2026-01-31T00:00:00Z"
        )
    })
}

/// The CQL condition on dates; `None` without limits.
#[must_use]
pub fn dates(from: Option<Timestamp>, to: Option<Timestamp>) -> Option<String> {
    let ends = [(">=", from), ("<=", to)];
    let given = ends.iter().filter_map(|(operator, end)| {
        let end = octavo_records::instant::format((*end)?);
        Some(format!("metadata.updatedDate {operator} \"{end}\""))
    });
    let given: Vec<String> = given.collect();
    (!given.is_empty()).then(|| given.join(" and "))
}

/// Without an offset it could mean two instants; FOLIO refuses it, too.
fn has_offset(text: &str) -> bool {
    text.split_once(['T', 't'])
        .is_some_and(|(_, time)| time.contains(['Z', 'z', '+', ' ', '-']))
}

/// The instances that a request names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    pub ids: Vec<Uuid>,
    /// Without records suppressed from discovery.
    pub skip_suppressed: bool,
}

static NAMED: LazyLock<Shape> = LazyLock::new(|| {
    Shape::parse(include_str!("../shapes/named_instances.shape"))
        .expect("invariant: a shape of inventory's own")
});

/// Reads the body of such a request.
///
/// # Errors
/// What does not fit.
pub fn named(mut body: Value) -> Result<Named, Vec<Violation>> {
    NAMED.check(&mut body)?;
    let ids = body["instanceIds"].as_array();
    let ids: Vec<Uuid> = ids
        .into_iter()
        .flatten()
        .filter_map(|id| Uuid::try_parse(id.as_str()?).ok())
        .collect();
    if ids.len() > IDS_MAX {
        return Err(vec![Violation {
            message: format!("size must be between 0 and {IDS_MAX}: ask for fewer at a time"),
            code: "jakarta.validation.constraints.Size.message",
            path: "instanceIds".to_owned(),
            value: format!("{} ids", ids.len()),
        }]);
    }
    Ok(Named {
        ids,
        skip_suppressed: body["skipSuppressedFromDiscoveryRecords"] == true,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_end_of_a_span_is_a_time_with_its_offset() {
        for text in [
            "2026-01-31T00:00:00Z",
            "2026-01-31T00:00:00.123+02:00",
            // An unescaped plus of a URL.
            "2026-01-31T00:00:00.123-05:00",
        ] {
            assert!(
                matches!(instant("startDate", Some(text)), Ok(Some(_))),
                "{text}"
            );
        }
        for text in ["2026-01-31", "2026-01-31T00:00:00", "yesterday", "T+Z"] {
            let refused = instant("startDate", Some(text)).expect_err(text);
            assert!(
                refused.contains(text) && refused.contains("startDate"),
                "{refused}"
            );
        }
        assert_eq!(instant("endDate", None), Ok(None));
        assert_eq!(instant("endDate", Some("")), Ok(None));
    }

    #[test]
    fn what_is_asked_of_dates_is_a_query() {
        assert_eq!(dates(None, None), None);
        let from = Some(Timestamp::UNIX_EPOCH);
        let first = "metadata.updatedDate >= \"1970-01-01T00:00:00.000+00:00\"";
        assert_eq!(dates(from, None).as_deref(), Some(first));
        let both = dates(from, from).expect("a query");
        assert!(both.starts_with(first) && both.contains(" and metadata.updatedDate <= "));
    }

    #[test]
    fn a_request_names_its_instances_and_says_what_of_the_hidden_ones() {
        let id = Uuid::from_u128(0x1a54_b431_2e4f_452d_9cae_9cee_66c9_a892);
        let body = json!({"instanceIds": [id], "skipSuppressedFromDiscoveryRecords": false});
        let expected = Named {
            ids: vec![id],
            skip_suppressed: false,
        };
        assert_eq!(named(body).expect("it fits"), expected);
        let many = vec![json!(id); IDS_MAX + 1];
        for (body, path) in [
            (
                json!({"instanceIds": [id]}),
                "skipSuppressedFromDiscoveryRecords",
            ),
            (
                json!({"skipSuppressedFromDiscoveryRecords": true}),
                "instanceIds",
            ),
            (
                json!({"instanceIds": ["7"], "skipSuppressedFromDiscoveryRecords": true}),
                "instanceIds.0",
            ),
            (
                json!({"instanceIds": many, "skipSuppressedFromDiscoveryRecords": true}),
                "instanceIds",
            ),
        ] {
            let violations = named(body).expect_err(path);
            assert_eq!(violations[0].path, path);
        }
    }
}
