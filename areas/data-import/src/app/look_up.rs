//! Carrying out a match: what the library has that fits.

use octavo_postgres::Transaction;
use octavo_records::instant;
use serde_json::Value;
use uuid::Uuid;

use super::Context;
use super::act::Doing;
use crate::apply::Fault;
use crate::rules::matching::{Criterion, Detail, Place, values};
use crate::store::existing::{self, CANDIDATES_MAX, Source, Wanted};

/// Looks for what a match profile's detail wants; says whether there is one, which the record then knows.
pub(crate) async fn look_up(
    context: &Context<'_>,
    transaction: &Transaction,
    doing: &mut Doing,
    detail: Detail<'_>,
) -> Result<bool, Fault> {
    let now = instant::format(context.stamp.at);
    let incoming = detail.incoming(&doing.record, now.get(..10).unwrap_or_default());
    if incoming.is_empty() {
        return Ok(false);
    }
    if detail.criterion().is_none() {
        return Err(Fault::Refused("Match detail is invalid".to_owned()));
    }
    match detail.existing_type() {
        kind @ ("MARC_BIBLIOGRAPHIC" | "MARC_HOLDINGS" | "MARC_AUTHORITY") => {
            let place = detail.existing_place();
            let place =
                place.ok_or_else(|| Fault::Refused("Match detail is invalid".to_owned()))?;
            let found = marc(context, transaction, detail, kind, &place, &incoming).await?;
            let Some(found) = single(found, doing)? else {
                return Ok(false);
            };
            match kind {
                "MARC_BIBLIOGRAPHIC" => doing.instance = found.external,
                "MARC_HOLDINGS" => doing.holdings = Vec::from_iter(found.external),
                _ => doing.authority = found.external,
            }
            doing.is_marc_found = true;
            Ok(found.external.is_some())
        }
        "INSTANCE" => {
            let found = records(context, transaction, "instance", detail, &incoming, doing).await?;
            let found = single(found, doing)?;
            doing.instance = found.as_ref().and_then(id).or(doing.instance);
            Ok(found.is_some())
        }
        "HOLDINGS" => {
            let found = records(
                context,
                transaction,
                "holdings_record",
                detail,
                &incoming,
                doing,
            )
            .await?;
            let Some(found) = single(found, doing)? else {
                return Ok(false);
            };
            doing.holdings = Vec::from_iter(id(&found));
            doing.instance = uuid(&found["instanceId"]).or(doing.instance);
            Ok(true)
        }
        "ITEM" => {
            let found = records(context, transaction, "item", detail, &incoming, doing).await?;
            let Some(found) = single(found, doing)? else {
                return Ok(false);
            };
            doing.items = Vec::from_iter(id(&found));
            let holdings = uuid(&found["holdingsRecordId"]);
            if doing.holdings.is_empty() {
                doing.holdings = Vec::from_iter(holdings);
            }
            Ok(true)
        }
        other => Err(Fault::Refused(format!(
            "records of the type {other} cannot be matched"
        ))),
    }
}

/// The only one of what was found; FOLIO's sentence when there are several.
fn single<T>(mut found: Vec<T>, doing: &Doing) -> Result<Option<T>, Fault> {
    if found.len() > 1 {
        return Err(Fault::Refused(format!(
            "Found multiple records corresponding to match profile criteria, incomingRecordId: '{}', \
             jobExecutionId: '{}'",
            doing.id, doing.job
        )));
    }
    Ok(found.pop())
}

async fn marc(
    context: &Context<'_>,
    transaction: &Transaction,
    detail: Detail<'_>,
    kind: &str,
    place: &Place,
    incoming: &[String],
) -> Result<Vec<Source>, Fault> {
    let tenant = context.tenant;
    let (record_type, property) = match kind {
        "MARC_BIBLIOGRAPHIC" => ("MARC_BIB", "instanceId"),
        "MARC_HOLDINGS" => ("MARC_HOLDING", "holdingsId"),
        _ => ("MARC_AUTHORITY", "authorityId"),
    };
    if place.tag == "999" && place.code == Some('i') {
        let mut found = Vec::new();
        for id in incoming
            .iter()
            .filter_map(|text| Uuid::try_parse(text).ok())
        {
            found.extend(existing::source_of(transaction, tenant, property, id).await?);
        }
        return Ok(found);
    }
    if detail.criterion() != Some(Criterion::Exactly) || detail.compares_part() {
        return Err(Fault::Refused(
            "MARC records are found by whole values only: choose the criterion \"Exactly matches\", and \
             compare no part of the existing value"
                .to_owned(),
        ));
    }
    let found = existing::sources(transaction, tenant, record_type, place, incoming).await?;
    let fits = |source: &Source| detail.fits(&values(&source.record, place), incoming);
    fitting(found, fits)
}

/// Those that fit of what may fit. Where not all of that was looked at, it cannot be said that there is one
/// only, or none.
fn fitting<T>(candidates: Vec<T>, fits: impl Fn(&T) -> bool) -> Result<Vec<T>, Fault> {
    let is_whole = candidates.len() as i64 <= CANDIDATES_MAX;
    let found: Vec<T> = candidates.into_iter().filter(fits).collect();
    if is_whole || found.len() > 1 {
        return Ok(found);
    }
    Err(Fault::Refused(format!(
        "more than {CANDIDATES_MAX} records may match, and not all of them are looked at: choose a match \
         that is more exact"
    )))
}

/// The instances, holdings or items that fit. What was found before bounds where holdings and items are
/// looked for.
async fn records(
    context: &Context<'_>,
    transaction: &Transaction,
    table: &'static str,
    detail: Detail<'_>,
    incoming: &[String],
    doing: &Doing,
) -> Result<Vec<Value>, Fault> {
    let (property, kind) = detail
        .existing_property()
        .ok_or_else(|| Fault::Refused("Match detail is invalid".to_owned()))?;
    let tenant = context.tenant;
    let above = match (table, doing.instance, doing.holdings.as_slice()) {
        ("holdings_record", Some(instance), _) => vec![instance],
        ("item", _, holdings) => holdings.to_vec(),
        _ => Vec::new(),
    };
    let candidates = match detail.criterion().filter(|_| !above.is_empty()) {
        Some(criterion) => {
            let wanted = Wanted {
                path: &path(property),
                criterion,
                part: detail.existing_part(),
                values: incoming,
            };
            existing::below(transaction, tenant, table, &above, wanted).await?
        }
        None => {
            let query = query(property, kind, detail, incoming)?;
            let collection = context.collection(table);
            let plan = context.store.plan(tenant, collection, Some(&query))?;
            if !plan.predicate.unindexed(table).is_empty() {
                return Err(Fault::Refused(format!(
                    "no index serves a match on {property}: each record would be compared with all \
                     there are; match something else first, or ask for an index"
                )));
            }
            existing::documents(transaction, tenant, collection, &plan).await?
        }
    };
    fitting(candidates, |document| {
        detail.fits(&texts(document, property, kind), incoming)
    })
}

/// Where the texts of a property are, `$."notes"[*]."note"` of `notes[].note`, as PostgreSQL writes paths.
fn path(property: &str) -> String {
    let (list, name) = of_list(property);
    let quoted = |name: &str| format!(".{}", Value::from(name));
    let mut path = String::from("$");
    path.extend(list.split('.').map(quoted));
    path.push_str("[*]");
    if !name.is_empty() {
        path.push_str(&quoted(name));
    }
    path
}

/// A query that finds all that may fit, by an index.
fn query(
    property: &str,
    kind: Option<&str>,
    detail: Detail<'_>,
    incoming: &[String],
) -> Result<String, Fault> {
    let refused = || {
        Fault::Refused(format!(
            "the property {property} cannot be matched this way: compare whole values, or begin with \
             what is looked for"
        ))
    };
    if detail.compares_part() {
        return Err(refused());
    }
    let criterion = detail.criterion().ok_or_else(refused)?;
    let clauses: Result<Vec<String>, Fault> = incoming
        .iter()
        .map(|value| {
            let value = quoted(value);
            Ok(match (property.split(['[', '.']).next(), criterion, kind) {
                (Some("identifiers"), _, Some(kind)) => {
                    format!(
                        "identifiers =/@identifierTypeId={} \"{value}\"",
                        quoted(kind)
                    )
                }
                (Some("identifiers"), _, None) => format!("identifiers=\"{value}\""),
                (Some("id"), Criterion::Exactly, _) if Uuid::try_parse(&value).is_ok() => {
                    format!("id==\"{value}\"")
                }
                // No record has an id that is none.
                (Some("id"), ..) => "id==\"00000000-0000-0000-0000-000000000000\"".to_owned(),
                (Some("formerIds"), ..) => format!("formerIds=\"{value}\""),
                (Some(name), Criterion::Exactly, _) => format!("{name}==\"{value}\""),
                (Some(name), Criterion::ExistingBegins, _) => format!("{name}==\"{value}*\""),
                _ => return Err(refused()),
            })
        })
        .collect();
    Ok(clauses?.join(" or "))
}

/// A text within quotes of a query.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '"' | '\\' | '*' | '?' | '^') {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted
}

/// The list and the name of `identifiers[].value`.
fn of_list(property: &str) -> (&str, &str) {
    match property.split_once("[]") {
        Some((list, name)) => (list, name.trim_start_matches('.')),
        None => (property, ""),
    }
}

/// The texts of a property, `identifiers[].value` of those of a type.
fn texts(document: &Value, property: &str, kind: Option<&str>) -> Vec<String> {
    let (list, name) = of_list(property);
    let found = list.split('.').fold(document, |value, name| &value[name]);
    match found {
        Value::Array(entries) => entries
            .iter()
            .filter(|entry| kind.is_none_or(|kind| entry["identifierTypeId"] == kind))
            .filter_map(|entry| {
                if name.is_empty() {
                    entry.as_str()
                } else {
                    entry[name].as_str()
                }
            })
            .map(str::to_owned)
            .collect(),
        Value::String(text) => vec![text.clone()],
        _ => Vec::new(),
    }
}

fn id(document: &Value) -> Option<Uuid> {
    uuid(&document["id"])
}

fn uuid(value: &Value) -> Option<Uuid> {
    Uuid::try_parse(value.as_str()?).ok()
}
