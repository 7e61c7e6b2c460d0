//! Candidates of a match: earlier matches, or records found by an index. Other criteria are refused, so
//! that a record that cannot be searched for is not taken as missing.

use octavo_source_records::expression::Tag;
use octavo_source_records::terms;
use serde_json::Value;
use uuid::Uuid;

use super::act::RecordState;
use super::profile_runner::ProfileContext;
use crate::apply::Fault;
use crate::rules::match_profile::{Criterion, Detail, MarcPath, Part};
use crate::rules::wanted::MatchValue;
use crate::store::existing::{self, Above, Candidates, Source};

/// The candidate MARC records.
pub(crate) async fn sources(
    way: ProfileContext<'_>,
    doing: &RecordState,
    detail: Detail<'_>,
    kind: &str,
    place: &MarcPath,
    wanted: &MatchValue,
) -> Result<Candidates<Source>, Fault> {
    let (transaction, tenant) = (way.transaction, way.context.tenant);
    let (record_type, property, known) = match kind {
        "MARC_BIBLIOGRAPHIC" => ("MARC_BIB", "instanceId", Vec::from_iter(doing.instance)),
        "MARC_HOLDINGS" => ("MARC_HOLDING", "holdingsId", doing.holdings.clone()),
        _ => (
            "MARC_AUTHORITY",
            "authorityId",
            Vec::from_iter(doing.authority),
        ),
    };
    let part = detail.existing_part();
    let is_whole = detail.criterion() == Some(Criterion::Exactly);
    let is_id = is_own(place) && place.code == Some('i') && is_whole && part == Part::Whole;
    let named = |text: &String| Uuid::try_parse(text).ok();
    let ids: Vec<Uuid> = match wanted {
        _ if !known.is_empty() => known,
        MatchValue::Values(values) if is_id => values.iter().filter_map(named).collect(),
        MatchValue::Values(values) => {
            let terms = kept(place, values, part).filter(|_| is_whole);
            let terms = terms.ok_or_else(|| refused_place(place))?;
            if values.is_empty() {
                return Ok(Candidates::default());
            }
            let looked_for = existing::LookedFor {
                record_type,
                place,
                values,
                terms,
                is_part: part != Part::Whole,
            };
            return Ok(existing::sources(transaction, tenant, looked_for).await?);
        }
        MatchValue::Days(..) => return Err(refused_place(place)),
    };
    let mut found = Candidates::default();
    for id in ids {
        let source = existing::source_of(transaction, tenant, property, id).await?;
        found.all.extend(source);
    }
    Ok(found)
}

/// Whether it is the field with the catalogue's ids.
fn is_own(place: &MarcPath) -> bool {
    place.tag == "999" && place.indicators == [Some('f'); 2]
}

fn refused_place(place: &MarcPath) -> Fault {
    let place = match place.code {
        Some(code) => format!("{}${code}", place.tag),
        None => place.tag.clone(),
    };
    Fault::Refused(format!(
        "MARC records cannot be found this way by {place}: choose the criterion \"Exactly matches\" and \
         a field whose tag has digits only; parts of the existing value are compared in the fields 010 \
         to 099"
    ))
}

/// The search terms of records with one of these values; `None` if terms cannot decide.
fn kept(place: &MarcPath, values: &[String], part: Part) -> Option<Vec<i64>> {
    let tag = Tag::new(&place.tag)?;
    let code = match tag.is_control() {
        true => '0',
        false => terms::code_kept(place.code?),
    };
    let of: fn(Tag, char, &str) -> i64 = match part {
        Part::Whole => terms::value,
        _ if tag.is_control() || !terms::is_number(tag) => return None,
        Part::Numerics => terms::digits,
        Part::Alphanumerics => terms::wordly,
    };
    // A value that consists only of the compared characters has its term as a whole.
    let each = values.iter();
    Some(
        each.flat_map(|value| [of(tag, code, value), terms::value(tag, code, value)])
            .collect(),
    )
}

/// The candidate instances, holdings or items.
pub(crate) async fn documents(
    way: ProfileContext<'_>,
    doing: &RecordState,
    detail: Detail<'_>,
    table: &'static str,
    wanted: &MatchValue,
) -> Result<Candidates<Value>, Fault> {
    let (context, transaction) = (way.context, way.transaction);
    let tenant = context.tenant;
    let above = match (table, doing.instance, doing.holdings.as_slice()) {
        ("instance", Some(instance), _) => Some(Above::Itself(instance)),
        ("holdings_record", Some(instance), _) => Some(Above::Instance(instance)),
        ("item", _, holdings @ [_, ..]) => Some(Above::Holdings(holdings)),
        ("item", Some(instance), []) => Some(Above::InstanceOfHoldings(instance)),
        _ => None,
    };
    if let Some(above) = above {
        return Ok(match wanted.is_nothing() {
            true => Candidates::default(),
            false => existing::below(transaction, tenant, table, above).await?,
        });
    }
    // Unsupported criteria are refused, whatever the record has.
    let query = query(detail, wanted)?;
    if wanted.is_nothing() {
        return Ok(Candidates::default());
    }
    let collection = context.collection(table);
    let plan = context.store.plan(tenant, collection, Some(&query))?;
    if !plan.predicate.unindexed(table).is_empty() {
        let (property, _) = detail.existing_property().unwrap_or_default();
        return Err(Fault::Refused(format!(
            "no index serves a match on {property}: each record would be compared with all there are; \
             match something else first, or ask for an index"
        )));
    }
    Ok(existing::documents(transaction, tenant, collection, &plan).await?)
}

/// A query for all candidates.
fn query(detail: Detail<'_>, wanted: &MatchValue) -> Result<String, Fault> {
    let (property, kind) = detail.existing_property().unwrap_or_default();
    let refused = || {
        Fault::Refused(format!(
            "the property {property} cannot be matched this way among all records: compare whole values \
             (\"Exactly matches\") without a comparison part, or put this match below one that finds the \
             instance or holdings"
        ))
    };
    if detail.existing_part() != Part::Whole {
        return Err(refused());
    }
    let criterion = detail.criterion().ok_or_else(refused)?;
    let is_list = property.contains('[');
    let values = match wanted {
        MatchValue::Values(values) => values,
        MatchValue::Days(first, last) if !is_list => {
            // A date and an instant of that date have the same prefix.
            return Ok(format!(
                "{property}>=\"{first}\" and {property}<=\"{last}~\""
            ));
        }
        MatchValue::Days(..) => return Err(refused()),
    };
    let by: fn(&str, &str, Option<&str>) -> String = match (property, criterion) {
        ("id", Criterion::Exactly) => |_, value, _| format!("id==\"{value}\""),
        ("identifiers[].value", Criterion::Exactly) => |_, value, kind| match kind {
            Some(kind) => format!(
                "identifiers =/@identifierTypeId={} \"{value}\"",
                quoted(kind)
            ),
            None => format!("identifiers=\"{value}\""),
        },
        ("formerIds[]", Criterion::Exactly) => |_, value, _| format!("formerIds=\"{value}\""),
        (_, Criterion::Exactly) if !is_list => |name, value, _| format!("{name}==\"{value}\""),
        (_, Criterion::ExistingBegins) if !is_list && property != "id" => {
            |name, value, _| format!("{name}==\"{value}*\"")
        }
        _ => return Err(refused()),
    };
    let each = values.iter();
    let clauses: Vec<String> = each
        .map(|value| by(property, &quoted(value), kind))
        .collect();
    Ok(clauses.join(" or "))
}

/// Quotes a text for a query.
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
