//! A page of a list of headings, around a value, before or after it.

use serde_json::{Value, json};

use super::Failure;
use crate::query::Fault;
use crate::query::browse::{Browse, By, read};
use crate::store::SearchTables;
use crate::store::browse::{Heading, List, Walk};

/// The wanted page of a list.
#[derive(Debug, Clone)]
pub struct Page<'a> {
    pub query: &'a str,
    /// Headings at most.
    pub limit: i64,
    /// How many of them precede the anchor, when browsing around it.
    pub preceding: Option<i64>,
    /// Whether the anchor is marked, also when it is missing.
    pub highlight: bool,
}

/// The field by which a list is browsed.
#[must_use]
pub fn anchor_field(list: List) -> &'static str {
    match list {
        List::Subjects => "value",
        List::Contributors => "name",
        List::Classifications(_) => "number",
        List::CallNumbers(_) => "fullCallNumber",
    }
}

/// The field that filters a list by types.
#[must_use]
pub fn type_field(list: List) -> &'static str {
    match list {
        List::Contributors => "contributorNameTypeId",
        List::CallNumbers(_) => "callNumberTypeId",
        List::Subjects | List::Classifications(_) => "typeId",
    }
}

/// The key under which a heading's own value is shown.
fn value_key(list: List) -> &'static str {
    match list {
        List::Subjects => "value",
        List::Contributors => "name",
        List::Classifications(_) => "classificationNumber",
        List::CallNumbers(_) => "fullCallNumber",
    }
}

/// The list of an option, with the algorithm of its keys.
///
/// # Errors
/// When there is no such option.
pub async fn option(
    place: SearchTables<'_>,
    kind: &str,
    id: &str,
) -> Result<(i16, String), Failure> {
    let options = place.options(kind).await?;
    let found = options.into_iter().find(|option| option.id == id);
    let found = found.ok_or_else(|| {
        let message = format!("Unexpected value '{id}' of browseOptionId");
        Fault::of(message, "browseOptionId", id)
    })?;
    Ok((found.kind, found.shelving_algorithm))
}

/// One page.
///
/// # Errors
/// For an invalid query, or more headings before the anchor than the limit.
pub async fn browse(
    place: SearchTables<'_>,
    list: List,
    algorithm: &str,
    page: Page<'_>,
) -> Result<Value, Failure> {
    let tenant = place.tenant.id();
    let browse = read(page.query, anchor_field(list), type_field(list), tenant)?;
    let (before_limit, after_limit) = limits(&browse, &page)?;
    if browse.anchor.is_empty() {
        return Ok(nothing());
    }
    let walk = |forward, included, limit| Walk {
        list,
        algorithm,
        anchor: &browse.anchor,
        forward,
        included,
        limit,
        filters: &browse.filters,
    };
    // One more than shown is read, to know whether there is more.
    let before = walk(
        false,
        browse.before == Some(true),
        room(browse.before, before_limit),
    );
    let after = walk(
        true,
        browse.after == Some(true),
        room(browse.after, after_limit),
    );
    let never = browse.filters.iter().any(|one| one.by == By::Never);
    let (before, after, total) = if never {
        (Vec::new(), Vec::new(), 0)
    } else {
        tokio::try_join!(place.walk(before), place.walk(after), place.headings(list))?
    };
    let missing = missing(list, &browse);
    let edge = |shown: &Value| shown[value_key(list)].clone();
    let sides = (before, after);
    let mut told = arranged(&browse, &page, sides, total, missing, edge);
    // As in FOLIO, every contributor has the anchor flag, of other headings only the anchor.
    if list == List::Contributors
        && let Some(items) = told["items"].as_array_mut()
    {
        for item in items.iter_mut().filter(|one| one["isAnchor"].is_null()) {
            item["isAnchor"] = Value::Bool(false);
        }
    }
    Ok(told)
}

/// An empty page.
pub(super) fn nothing() -> Value {
    json!({"totalRecords": 0, "items": []})
}

/// The number of headings before the anchor, and from it on.
pub(super) fn limits(browse: &Browse, page: &Page<'_>) -> Result<(i64, i64), Fault> {
    if let Some(preceding) = page.preceding
        && preceding >= page.limit
    {
        let message = "Preceding records count must be less than request limit";
        return Err(Fault::of(
            message,
            "precedingRecordsCount",
            preceding.to_string(),
        ));
    }
    let around = browse.before.is_some() && browse.after.is_some();
    let before = match (around, browse.before) {
        (true, _) => page.preceding.unwrap_or(page.limit / 2),
        (false, Some(_)) => page.limit,
        (false, None) => 0,
    };
    Ok((before, page.limit - before))
}

/// A page from both sides, each one longer than shown if there is more; `missing` is the entry for a
/// missing anchor, and `edge` returns the value of a heading.
pub(super) fn arranged(
    browse: &Browse,
    page: &Page<'_>,
    (mut before, mut after): (Vec<Heading>, Vec<Heading>),
    total: i64,
    missing: Heading,
    edge: impl Fn(&Value) -> Value,
) -> Value {
    let around = browse.before.is_some() && browse.after.is_some();
    // The limits were checked before the sides were read.
    let (before_limit, after_limit) = limits(browse, page).unwrap_or_default();
    let more_before = cut(&mut before, before_limit);
    before.reverse();
    if around && page.highlight && !after.iter().any(|one| one.is_anchor) {
        after.insert(0, missing);
    }
    let more_after = cut(&mut after, after_limit);
    let edge = |heading: Option<&Heading>| heading.map_or(Value::Null, |one| edge(&one.shown));
    let single = !around;
    let prev = if more_before || (single && browse.after.is_some() && !after.is_empty()) {
        edge(before.first().or(after.first()))
    } else {
        Value::Null
    };
    let next = if more_after || (single && browse.before.is_some() && !before.is_empty()) {
        edge(after.last().or(before.last()))
    } else {
        Value::Null
    };
    let items: Vec<Value> = before
        .into_iter()
        .chain(after)
        // The anchor is marked only when browsing around it, as in FOLIO.
        .map(|heading| marked(heading, around && page.highlight))
        .collect();
    let mut told = json!({"totalRecords": total});
    if !prev.is_null() {
        told["prev"] = prev;
    }
    if !next.is_null() {
        told["next"] = next;
    }
    told["items"] = Value::Array(items);
    told
}

pub(super) fn room(side: Option<bool>, limit: i64) -> i64 {
    if side.is_some() && limit > 0 {
        limit + 1
    } else {
        0
    }
}

fn cut(headings: &mut Vec<Heading>, limit: i64) -> bool {
    let limit = usize::try_from(limit).unwrap_or_default();
    let more = headings.len() > limit;
    headings.truncate(limit);
    more
}

fn missing(list: List, browse: &Browse) -> Heading {
    Heading {
        is_anchor: true,
        shown: json!({value_key(list): browse.anchor, "totalRecords": 0}),
    }
}

fn marked(heading: Heading, highlight: bool) -> Value {
    let mut shown = heading.shown;
    if highlight && heading.is_anchor {
        shown["isAnchor"] = Value::Bool(true);
    }
    shown
}
