//! Executes match profiles.

use octavo_records::instant;
use serde_json::Value;
use uuid::Uuid;

use super::act::RecordState;
use super::candidates::{documents, sources};
use super::profile_runner::ProfileContext;
use crate::apply::Fault;
use crate::rules::match_profile::{Detail, values};
use crate::rules::tree::Node;
use crate::rules::wanted::MatchValue;
use crate::store::existing::{Candidates, Source};

/// Executes a match profile; returns whether a record matched, which is stored in the state. Earlier
/// matches restrict the search.
pub(crate) async fn match_existing(
    way: ProfileContext<'_>,
    doing: &mut RecordState,
    node: Node<'_>,
) -> Result<bool, Fault> {
    let detail = Detail::of(node.content()).map_err(Fault::Refused)?;
    let now = instant::format(way.context.stamp.at);
    let today = now.get(..10).unwrap_or_default();
    let wanted = detail
        .wanted(&doing.record, today)
        .map_err(Fault::Refused)?;
    let wanted = by_id(way, detail, wanted);
    match detail.existing_type() {
        kind @ ("MARC_BIBLIOGRAPHIC" | "MARC_HOLDINGS" | "MARC_AUTHORITY") => {
            let Some(found) = marc(way, doing, detail, kind, &wanted).await? else {
                return Ok(false);
            };
            match kind {
                "MARC_BIBLIOGRAPHIC" => {
                    doing.instance = found.external;
                    doing.is_found = found.external.is_some();
                }
                "MARC_HOLDINGS" => doing.holdings = Vec::from_iter(found.external),
                _ => doing.authority = found.external,
            }
            Ok(found.external.is_some())
        }
        "INSTANCE" => {
            let Some(found) = record(way, doing, detail, "instance", &wanted).await? else {
                return Ok(false);
            };
            doing.instance = uuid(&found["id"]);
            doing.is_found = true;
            Ok(true)
        }
        "HOLDINGS" => {
            let found = record(way, doing, detail, "holdings_record", &wanted).await?;
            let Some(found) = found else {
                return Ok(false);
            };
            doing.holdings = Vec::from_iter(uuid(&found["id"]));
            doing.instance = uuid(&found["instanceId"]).or(doing.instance);
            Ok(true)
        }
        "ITEM" => {
            let Some(found) = record(way, doing, detail, "item", &wanted).await? else {
                return Ok(false);
            };
            doing.items = Vec::from_iter(uuid(&found["id"]));
            if doing.holdings.is_empty() {
                doing.holdings = Vec::from_iter(uuid(&found["holdingsRecordId"]));
            }
            Ok(true)
        }
        other => Err(Fault::Refused(format!(
            "records of the type {other} cannot be matched"
        ))),
    }
}

/// Replaces names and codes by ids, if the property holds ids.
fn by_id(way: ProfileContext<'_>, detail: Detail<'_>, wanted: MatchValue) -> MatchValue {
    match (detail.list(), wanted) {
        (Some(list), MatchValue::Values(values)) => {
            let id = |text: String| way.kit.accepted.id(list, &text).unwrap_or(text);
            MatchValue::Values(values.into_iter().map(id).collect())
        }
        (_, wanted) => wanted,
    }
}

/// The matching MARC record.
async fn marc(
    way: ProfileContext<'_>,
    doing: &RecordState,
    detail: Detail<'_>,
    kind: &str,
    wanted: &MatchValue,
) -> Result<Option<Source>, Fault> {
    let place = detail.existing_place().map_err(Fault::Refused)?;
    let candidates = sources(way, doing, detail, kind, &place, wanted).await?;
    let texts = |source: &Source| values(&source.record, &place);
    single(candidates, doing, |one| detail.fits(&texts(one), wanted))
}

/// The matching instance, holdings record or item.
async fn record(
    way: ProfileContext<'_>,
    doing: &RecordState,
    detail: Detail<'_>,
    table: &'static str,
    wanted: &MatchValue,
) -> Result<Option<Value>, Fault> {
    let (property, kind) = detail.existing_property().ok_or_else(|| {
        Fault::Refused("Match detail is invalid: it names no property".to_owned())
    })?;
    let candidates = documents(way, doing, detail, table, wanted).await?;
    let texts = |document: &Value| texts(document, property, kind);
    single(candidates, doing, |one| detail.fits(&texts(one), wanted))
}

/// The only match; FOLIO's message when there are several.
fn single<T>(
    candidates: Candidates<T>,
    doing: &RecordState,
    fits: impl Fn(&T) -> bool,
) -> Result<Option<T>, Fault> {
    let Candidates { mut all, is_cut } = candidates;
    let looked_at = all.len();
    all.retain(fits);
    if all.len() > 1 {
        return Err(Fault::Refused(format!(
            "Found multiple records corresponding to match profile criteria, incomingRecordId: '{}', \
             jobExecutionId: '{}'",
            doing.id, doing.job
        )));
    }
    if is_cut {
        return Err(Fault::Refused(format!(
            "more than {looked_at} records are like what is looked for, too many to look at each: match \
             by something that fewer have"
        )));
    }
    Ok(all.pop())
}

/// The texts of a property, `identifiers[].value` of one type.
fn texts(document: &Value, property: &str, kind: Option<&str>) -> Vec<String> {
    let (list, name) = match property.split_once("[]") {
        Some((list, name)) => (list, name.trim_start_matches('.')),
        None => (property, ""),
    };
    let found = list.split('.').fold(document, |value, name| &value[name]);
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        _ => None,
    };
    match found {
        Value::Array(entries) => entries
            .iter()
            .filter(|entry| kind.is_none_or(|kind| entry["identifierTypeId"] == kind))
            .filter_map(|entry| text(if name.is_empty() { entry } else { &entry[name] }))
            .collect(),
        other => Vec::from_iter(text(other)),
    }
}

fn uuid(value: &Value) -> Option<Uuid> {
    Uuid::try_parse(value.as_str()?).ok()
}
