//! `/source-storage/records/matching`

use axum::response::Response;
use http::{HeaderName, StatusCode};
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::app::keep_terms::Freshness;
use crate::app::match_records::{
    FILTERS_MAX, Field, MatchFilter, Matching, Part, Qualifier, VALUES_MAX, match_records,
};
use crate::expression::Tag;
use crate::terms::Entry;

/// The default limit, as in FOLIO.
const LIMIT: i64 = 1_000;
/// The maximal limit.
const LIMIT_MAX: i64 = 100_000;
/// The longest value, in bytes.
const VALUE_MAX: usize = 10_000;
const BEHIND: HeaderName = HeaderName::from_static("x-octavo-records-waiting");

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Request {
    #[serde(default)]
    logical_operator: Operator,
    filters: Vec<Filter>,
    record_type: String,
    limit: Option<i64>,
    offset: Option<i64>,
    return_total_records_count: Option<bool>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Operator {
    #[default]
    And,
    Or,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Filter {
    values: Vec<String>,
    field: String,
    indicator1: Option<String>,
    indicator2: Option<String>,
    subfield: Option<String>,
    // FOLIO accepts it, but always compares exactly.
    #[serde(rename = "matchType")]
    _match_type: Option<MatchType>,
    qualifier: Option<QualifierName>,
    qualifier_value: Option<String>,
    comparison_part_type: Option<PartName>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum MatchType {
    ExactlyMatches,
    ExistingValueContainsIncomingValue,
    IncomingValueContainsExistingValue,
    ExistingValueBeginsWithIncomingValue,
    IncomingValueBeginsWithExistingValue,
    ExistingValueEndsWithIncomingValue,
    IncomingValueEndsWithExistingValue,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum QualifierName {
    BeginsWith,
    EndsWith,
    Contains,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum PartName {
    NumericsOnly,
    AlphanumericsOnly,
}

/// The records whose fields have these values.
///
/// # Errors
/// 422 when the request does not fit, 400 for an invalid id.
pub async fn matching(call: Call) -> Result<Response, ApiError> {
    let request: Request = call.json_as()?;
    let with_total = request.return_total_records_count.unwrap_or(true);
    let matching = read(request)?;
    let mut context = call.context();
    context.store = call.writer();
    let found = match_records(&context, &matching).await?;
    let identifiers: Vec<Value> = found
        .records
        .iter()
        .map(|one| json!({"recordId": one.record_id, "externalId": one.external_id}))
        .collect();
    let mut body = json!({"identifiers": identifiers});
    if with_total {
        body["totalRecords"] = json!(found.total);
    }
    let mut response = json_bytes(StatusCode::OK, body.to_string());
    if let Freshness::Behind(records) = found.freshness {
        response.headers_mut().insert(BEHIND, records.into());
    }
    Ok(response)
}

fn read(request: Request) -> Result<Matching, ApiError> {
    let count = request.filters.len();
    if !(1..=FILTERS_MAX).contains(&count) {
        let message = format!("size must be between 1 and {FILTERS_MAX}");
        return Err(ApiError::invalid(message, "filters", count.to_string()));
    }
    let values: usize = request.filters.iter().map(|one| one.values.len()).sum();
    if values > VALUES_MAX {
        let message = format!("size must be between 1 and {VALUES_MAX}");
        return Err(ApiError::invalid(
            message,
            "filters.values",
            values.to_string(),
        ));
    }
    if Entry::kind(&request.record_type).is_none() {
        let message = "must be one of MARC_BIB, MARC_AUTHORITY, MARC_HOLDING";
        return Err(ApiError::invalid(
            message,
            "recordType",
            request.record_type,
        ));
    }
    let limit = request.limit.unwrap_or(LIMIT);
    if limit < 1 {
        let message = "must be greater than or equal to 1";
        return Err(ApiError::invalid(message, "limit", limit.to_string()));
    }
    let offset = request.offset.unwrap_or(0);
    if offset < 0 {
        let message = "must be greater than or equal to 0";
        return Err(ApiError::invalid(message, "offset", offset.to_string()));
    }
    Ok(Matching {
        any: request.logical_operator == Operator::Or,
        filters: request
            .filters
            .into_iter()
            .map(filter)
            .collect::<Result<_, _>>()?,
        record_type: request.record_type,
        limit: limit.min(LIMIT_MAX),
        offset,
    })
}

fn filter(sent: Filter) -> Result<MatchFilter, ApiError> {
    let matched = |name: &str, value: &str, pattern: &str| {
        let message = format!("must match \"{pattern}\"");
        ApiError::invalid(message, format!("filters.{name}"), value)
    };
    let tag = Tag::new(&sent.field).ok_or_else(|| matched("field", &sent.field, "^[0-9]{3}$"))?;
    if sent.values.is_empty() {
        let message = "size must be between 1 and 2147483647";
        return Err(ApiError::invalid(message, "filters.values", "[]"));
    }
    if sent.values.iter().any(|value| value.len() > VALUE_MAX) {
        let message = format!("a value has more than {VALUE_MAX} bytes");
        return Err(ApiError::invalid(message, "filters.values", ""));
    }
    let indicator = |name, value: Option<&str>| match single(value) {
        Ok(None) => Ok(' '),
        Ok(Some(one)) if one.is_whitespace() => Ok(' '),
        Ok(Some(one)) if one == '*' || is_code(one) => Ok(one),
        _ => Err(matched(name, value.unwrap_or_default(), "^[a-z0-9\\s*]?$")),
    };
    let indicators = [
        indicator("indicator1", sent.indicator1.as_deref())?,
        indicator("indicator2", sent.indicator2.as_deref())?,
    ];
    let subfield = match single(sent.subfield.as_deref()) {
        Ok(None) => None,
        Ok(Some(code)) if is_code(code) => Some(code),
        _ => {
            let value = sent.subfield.unwrap_or_default();
            return Err(matched("subfield", &value, "^[a-z0-9]?$"));
        }
    };
    let qualifier = sent.qualifier.zip(sent.qualifier_value);
    let filter = MatchFilter {
        tag,
        indicators,
        subfield,
        values: sent.values,
        qualifier: qualifier.map(|(name, value)| (name.known(), value)),
        part: sent.comparison_part_type.map(PartName::known),
    };
    if matches!(filter.field(), Field::MatchedId | Field::ExternalId) {
        let wrong = filter.values.iter();
        let wrong = wrong.clone().find(|text| Uuid::try_parse(text).is_err());
        if let Some(text) = wrong {
            let shown: String = text.chars().take(100).collect();
            return Err(ApiError::bad_request(format!("Invalid UUID {shown}")));
        }
    }
    Ok(filter)
}

impl QualifierName {
    fn known(self) -> Qualifier {
        match self {
            QualifierName::BeginsWith => Qualifier::BeginsWith,
            QualifierName::EndsWith => Qualifier::EndsWith,
            QualifierName::Contains => Qualifier::Contains,
        }
    }
}

impl PartName {
    fn known(self) -> Part {
        match self {
            PartName::NumericsOnly => Part::Numerics,
            PartName::AlphanumericsOnly => Part::Alphanumerics,
        }
    }
}

fn is_code(one: char) -> bool {
    one.is_ascii_lowercase() || one.is_ascii_digit()
}

/// The one character of a text, or none; an error for more.
fn single(text: Option<&str>) -> Result<Option<char>, ()> {
    let mut characters = text.unwrap_or_default().chars();
    match (characters.next(), characters.next()) {
        (first, None) => Ok(first),
        _ => Err(()),
    }
}
