//! The query parameters of source records, which are not CQL, as predicates.

use octavo_platform::{ApiError, Call};
use octavo_records::instant;
use octavo_records::plan::{Plan, Predicate, SortTerm};
use uuid::Uuid;

use crate::app::search::{
    IdType, current, equal, order, order_of_suppressed, parsed, suppressed, updated,
};

/// The type of the records of a list without `recordType`.
const TYPE_DEFAULT: &str = "MARC_BIB";
const TYPES: [&str; 4] = ["MARC_BIB", "MARC_AUTHORITY", "MARC_HOLDING", "EDIFACT"];
/// The states of a snapshot.
const STATUSES: [&str; 12] = [
    "PARENT",
    "NEW",
    "FILE_UPLOADED",
    "PARSING_IN_PROGRESS",
    "PARSING_FINISHED",
    "PROCESSING_IN_PROGRESS",
    "PROCESSING_FINISHED",
    "COMMIT_IN_PROGRESS",
    "COMMITTED",
    "ERROR",
    "DISCARDED",
    "CANCELLED",
];
const STATES: [&str; 4] = ["ACTUAL", "OLD", "DRAFT", "DELETED"];

/// `snapshotId`, `recordType`, `state` and `orderBy` of a list of records.
pub(super) fn records(call: &Call) -> Result<Plan, ApiError> {
    let mut parts = vec![equal("recordType", &record_type(call)?)];
    parts.extend(snapshot(call)?);
    parts.extend(state(call)?);
    Ok(Plan {
        predicate: Predicate::All(parts),
        sort: in_order(sort(call)?),
    })
}

/// The parameters of a list of source records.
pub(super) fn source_records(call: &Call) -> Result<Plan, ApiError> {
    let kind = record_type(call)?;
    let described = match kind.as_str() {
        "MARC_HOLDING" => "holdings",
        "MARC_AUTHORITY" => "authority",
        _ => "instance",
    };
    let state = match state(call)? {
        Some(state) => state,
        None => current(flag(call, "deleted")?.unwrap_or(false)),
    };
    let mut parts = vec![equal("recordType", &kind), state, parsed()];
    parts.extend(snapshot(call)?);
    for (parameter, field) in [
        ("recordId", "matchedId".to_owned()),
        ("externalId", format!("externalIdsHolder.{described}Id")),
        ("instanceId", "externalIdsHolder.instanceId".to_owned()),
        ("holdingsId", "externalIdsHolder.holdingsId".to_owned()),
    ] {
        if let Some(id) = id(call, parameter)? {
            parts.push(equal(&field, &id.to_string()));
        }
    }
    for (parameter, field) in [
        ("externalHrid", format!("externalIdsHolder.{described}Hrid")),
        ("instanceHrid", "externalIdsHolder.instanceHrid".to_owned()),
        ("holdingsHrid", "externalIdsHolder.holdingsHrid".to_owned()),
        ("leaderRecordStatus", "leaderRecordStatus".to_owned()),
    ] {
        if let Some(value) = filled(call, parameter)? {
            parts.push(equal(&field, &value));
        }
    }
    if let Some(status) = filled(call, "leaderRecordStatus")?
        && !(status.len() == 1 && "acdnopsx".contains(status.as_str()))
    {
        return Err(ApiError::bad_request(format!(
            "'leaderRecordStatus' parameter is incorrect. parameter value {{{}}} is not valid: \
             must match \"^[acdnposx]$\"",
            shown(&status)
        )));
    }
    let hidden = flag(call, "suppressFromDiscovery")?;
    parts.extend(hidden.map(suppressed));
    for (parameter, operator) in [("updatedAfter", ">="), ("updatedBefore", "<=")] {
        if let Some(text) = filled(call, parameter)? {
            let at = instant::parse(&text).ok_or_else(|| incorrect(parameter, &text))?;
            parts.push(updated(operator, at));
        }
    }
    let sort = match sort(call)? {
        none if none.is_empty() && hidden == Some(true) => {
            order_of_suppressed().into_iter().collect()
        }
        given => in_order(given),
    };
    Ok(Plan {
        predicate: Predicate::All(parts),
        sort,
    })
}

/// The records of a body of ids, of one type.
pub(super) fn source_records_of(call: &Call, ids: &[String]) -> Result<Plan, ApiError> {
    let ids = ids
        .iter()
        .map(|text| Uuid::try_parse(text).map_err(|_| invalid_id(text)))
        .collect::<Result<Vec<_>, _>>()?;
    let parts = vec![
        id_type(call, IdType::Record)?.among(&ids),
        equal("recordType", &record_type(call)?),
        current(flag(call, "deleted")?.unwrap_or(false)),
        parsed(),
    ];
    Ok(Plan {
        predicate: Predicate::All(parts),
        sort: Vec::new(),
    })
}

/// `status` and `orderBy` of a list of snapshots.
pub(super) fn snapshots(call: &Call) -> Result<Plan, ApiError> {
    let predicate = match filled(call, "status")? {
        Some(status) if STATUSES.contains(&status.as_str()) => equal("status", &status),
        Some(status) => {
            let message = format!("Unknown job execution status {}", shown(&status));
            return Err(ApiError::bad_request(message));
        }
        None => Predicate::Everything,
    };
    Ok(Plan {
        predicate,
        sort: sort(call)?,
    })
}

/// `idType`, or `identifier` as clients of older releases call it.
pub(super) fn id_type(call: &Call, default: IdType) -> Result<IdType, ApiError> {
    let named = match filled(call, "idType")? {
        None => filled(call, "identifier")?,
        named => named,
    };
    match named {
        None => Ok(default),
        Some(name) => IdType::parse(&name).ok_or_else(|| unknown_id_type(&name)),
    }
}

/// The refusal of an unknown type of id.
pub(super) fn unknown_id_type(name: &str) -> ApiError {
    ApiError::bad_request(format!("Unknown id type {}", shown(name)))
}

/// An id, refused with this interface's message.
pub(super) fn uuid(text: &str) -> Result<Uuid, ApiError> {
    Uuid::try_parse(text).map_err(|_| invalid_id(text))
}

/// `state`, for a look-up of one record.
pub(super) fn state(call: &Call) -> Result<Option<Predicate>, ApiError> {
    match filled(call, "state")? {
        None => Ok(None),
        Some(state) if STATES.contains(&state.as_str()) => Ok(Some(equal("state", &state))),
        Some(state) => Err(ApiError::bad_request(format!(
            "Unknown record state {}",
            shown(&state)
        ))),
    }
}

/// The id in the path, refused with this interface's message.
pub(super) fn path_id<I: From<Uuid>>(call: &Call, segment: &str) -> Result<I, ApiError> {
    let text = call.segment(segment);
    let id = Uuid::try_parse(text).map(I::from);
    id.map_err(|_| invalid_id(text))
}

/// A flag, if it is given.
pub(super) fn flag(call: &Call, name: &str) -> Result<Option<bool>, ApiError> {
    match filled(call, name)? {
        None => Ok(None),
        Some(text) => text.parse().map(Some).map_err(|_| incorrect(name, &text)),
    }
}

fn record_type(call: &Call) -> Result<String, ApiError> {
    let kind = filled(call, "recordType")?.unwrap_or_else(|| TYPE_DEFAULT.to_owned());
    known_type(&kind)?;
    Ok(kind)
}

/// Checks the type of records.
pub(super) fn known_type(kind: &str) -> Result<(), ApiError> {
    if TYPES.contains(&kind) {
        return Ok(());
    }
    let message = format!("Unknown record type {}", shown(kind));
    Err(ApiError::bad_request(message))
}

fn snapshot(call: &Call) -> Result<Option<Predicate>, ApiError> {
    let id = id(call, "snapshotId")?;
    Ok(id.map(|id| Predicate::IdIn("snapshotid".to_owned(), vec![id])))
}

fn sort(call: &Call) -> Result<Vec<SortTerm>, ApiError> {
    let given = call.parameters("orderBy")?;
    let terms = given.iter().filter(|text| !text.is_empty());
    terms
        .map(|text| {
            order(text)
                .ok_or_else(|| ApiError::bad_request(format!("Invalid order by {}", shown(text))))
        })
        .collect()
}

/// Without an order pages are in that of the ids, as in FOLIO.
fn in_order(sort: Vec<SortTerm>) -> Vec<SortTerm> {
    if sort.is_empty() {
        order("id").into_iter().collect()
    } else {
        sort
    }
}

fn id(call: &Call, name: &str) -> Result<Option<Uuid>, ApiError> {
    match filled(call, name)? {
        None => Ok(None),
        Some(text) => Uuid::try_parse(&text)
            .map(Some)
            .map_err(|_| invalid_id(&text)),
    }
}

fn filled(call: &Call, name: &str) -> Result<Option<String>, ApiError> {
    Ok(call.parameter(name)?.filter(|value| !value.is_empty()))
}

fn invalid_id(text: &str) -> ApiError {
    ApiError::bad_request(format!("Invalid UUID {}", shown(text)))
}

fn incorrect(name: &str, value: &str) -> ApiError {
    let value = shown(value);
    ApiError::bad_request(format!(
        "'{name}' parameter is incorrect. parameter value {{{value}}} is not valid"
    ))
}

fn shown(text: &str) -> String {
    text.chars().take(100).collect()
}
