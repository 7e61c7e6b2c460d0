//! Authorities: a page of what a search finds, facets, and a page of headings around a value.

use serde_json::{Map, Value, json};

use super::Failure;
use super::browse::{Page, arranged, limits, nothing, room};
use super::facets::{shown, whole};
use crate::query::Fault;
use crate::query::authorities::{FACETS, browsing, compile};
use crate::query::facets::{names, unknown};
use crate::store::SearchTables;
use crate::store::authorities::{Along, View};
use crate::store::browse::Heading;
use crate::store::search::Shown;

/// Maximal end of a page within the hits.
const REACH_MAX: i64 = 10_000;

/// The page as JSON.
///
/// # Errors
/// For an invalid query, or a page beyond the limit.
pub async fn search(
    place: SearchTables<'_>,
    query: &str,
    shown: Shown,
    view: View,
) -> Result<Vec<u8>, Failure> {
    if shown.offset + shown.limit > REACH_MAX {
        let message = "The sum of limit and offset should not exceed 10000.";
        let sum = (shown.offset + shown.limit).to_string();
        return Err(Fault::of(message, "offset + limit", sum).into());
    }
    let wanted = compile(query, place.tenant.id())?;
    let found = place.authorities(&wanted, shown, view).await?;
    let mut body = format!("{{\"totalRecords\": {}, \"authorities\": [", found.total).into_bytes();
    body.extend_from_slice(&found.instances);
    body.extend_from_slice(b"]}");
    Ok(body)
}

/// Counts facets. A facet does not follow the query's own filter on it.
///
/// # Errors
/// For invalid facets and queries.
pub async fn facets(
    place: SearchTables<'_>,
    query: &str,
    asked: &[String],
) -> Result<Value, Failure> {
    let wanted = compile(query, place.tenant.id())?;
    let mut counted = Map::new();
    for (name, most) in names(asked)? {
        if name == "tenantId" || name == "shared" {
            counted.insert(name, shown(&[]));
            continue;
        }
        let column = FACETS.iter().find(|(facet, _)| *facet == name);
        let Some((_, column)) = column else {
            return Err(unknown(&name).into());
        };
        let condition = wanted.without(Some(&name));
        let values = place.authority_facet(&condition, column, most).await?;
        let values: Vec<_> = values
            .iter()
            .map(|(id, records)| (id.as_str(), *records))
            .collect();
        counted.insert(name, shown(&values));
    }
    Ok(whole(counted))
}

/// A page of headings before, after or around a value.
///
/// # Errors
/// For an invalid query, or more headings before the anchor than the limit.
pub async fn browse(place: SearchTables<'_>, page: Page<'_>, view: View) -> Result<Value, Failure> {
    let (browse, condition) = browsing(page.query, place.tenant.id())?;
    let (before_limit, after_limit) = limits(&browse, &page)?;
    if browse.anchor.is_empty() {
        return Ok(nothing());
    }
    let walk = |forward: bool, side: Option<bool>, limit| Along {
        anchor: &browse.anchor,
        forward,
        included: side == Some(true),
        limit: room(side, limit),
        condition: &condition,
        view,
    };
    // One more than shown is read, to know whether there is more.
    let (before, after, total) = tokio::try_join!(
        place.along_authorities(walk(false, browse.before, before_limit)),
        place.along_authorities(walk(true, browse.after, after_limit)),
        place.authority_headings(&condition)
    )?;
    let missing = Heading {
        is_anchor: true,
        shown: json!({"headingRef": browse.anchor}),
    };
    let edge = |shown: &Value| shown["headingRef"].clone();
    let sides = (before, after);
    Ok(arranged(&browse, &page, sides, total, missing, edge))
}
