//! Parses queries for browsing: anchor, direction and filters.

use octavo_cql::{Clause, Comparison, Node, Operator};
use uuid::Uuid;

use super::{Fault, conjuncts};

/// A browsing query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Browse {
    /// The anchor.
    pub anchor: String,
    /// Whether to browse backwards, with or without the anchor itself.
    pub before: Option<bool>,
    /// Whether to browse forwards, with or without the anchor itself.
    pub after: Option<bool>,
    /// Filters of headings.
    pub filters: Vec<Filter>,
}

/// A filter: a heading must have one of the values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// What is compared.
    pub by: By,
    /// The values; invalid ids are dropped.
    pub values: Vec<Uuid>,
}

/// What headings are filtered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The type of the heading.
    Type,
    /// The source of a subject.
    Source,
    /// The location of an item.
    Location,
    /// Matches nothing: another tenant, or shared records.
    Never,
}

/// Parses a query for browsing by one field.
///
/// # Errors
/// With FOLIO's messages for other queries.
pub fn read(text: &str, field: &str, types: &str, tenant: &str) -> Result<Browse, Fault> {
    let wrong = |message: &str| Fault::of(message, "query", text);
    let query = octavo_cql::parse(text)
        .map_err(|error| wrong(&format!("Failed to parse CQL query: {error}")))?;
    if !query.sort.is_empty() {
        return Err(wrong(
            "Invalid CQL query for browsing, 'sortBy' is not supported",
        ));
    }
    let mut browse: Option<Browse> = None;
    let mut filters = Vec::new();
    for node in conjuncts(&query.root) {
        if let Some(filter) = filter(node, types, tenant) {
            filters.extend(filter);
        } else if browse.is_none() {
            browse = Some(range(node, field).map_err(wrong)?);
        } else {
            return Err(wrong(INVALID));
        }
    }
    let browse = browse.ok_or_else(|| wrong(INVALID))?;
    Ok(Browse { filters, ..browse })
}

/// The filters of a query for facets of headings.
///
/// # Errors
/// For other conditions.
pub fn filters(text: &str, types: &str, tenant: &str) -> Result<Vec<Filter>, Fault> {
    let wrong = |message: &str| Fault::of(message, "query", text);
    let query = octavo_cql::parse(text)
        .map_err(|error| wrong(&format!("Failed to parse CQL query: {error}")))?;
    let mut filters = Vec::new();
    for node in conjuncts(&query.root) {
        if node.clauses().all(Clause::is_all_records) {
            continue;
        }
        let found = filter(node, types, tenant).ok_or_else(|| {
            wrong("Facets of headings are counted for cql.allRecords=1 and filters only")
        })?;
        filters.extend(found);
    }
    Ok(filters)
}

pub(super) const INVALID: &str = "Invalid CQL query for browsing.";

pub(super) fn range(node: &Node, field: &str) -> Result<Browse, &'static str> {
    let clauses: Vec<&Clause> = node.clauses().collect();
    let joined = match node {
        Node::Clause(_) => true,
        Node::Boolean(chain) => chain.rest.iter().all(|link| link.operator == Operator::Or),
    };
    if !joined || clauses.len() > 2 {
        return Err(INVALID);
    }
    let mut browse = Browse {
        anchor: String::new(),
        before: None,
        after: None,
        filters: Vec::new(),
    };
    for clause in &clauses {
        if clause.index != field {
            return Err(INVALID);
        }
        let (side, included) = match clause.relation.comparison {
            Comparison::Less => (&mut browse.before, false),
            Comparison::LessEqual => (&mut browse.before, true),
            Comparison::Greater => (&mut browse.after, false),
            Comparison::GreaterEqual => (&mut browse.after, true),
            _ => return Err(INVALID),
        };
        if side.replace(included).is_some() {
            return Err(INVALID);
        }
    }
    let [first, rest @ ..] = clauses.as_slice() else {
        return Err(INVALID);
    };
    browse.anchor = first.term.text();
    if rest.iter().any(|one| one.term.text() != browse.anchor) {
        return Err(
            "Invalid CQL query for browsing. Anchors must be the same in range conditions.",
        );
    }
    if browse.before == Some(true) && browse.after == Some(true) {
        browse.before = Some(false);
    }
    Ok(browse)
}

/// A clause as a filter, if it is one; `Some(None)` when it matches everything.
fn filter(node: &Node, types: &str, tenant: &str) -> Option<Option<Filter>> {
    let mut clauses = node.clauses();
    let name = clauses.next()?.index.clone();
    let by = match name.as_str() {
        "instances.tenantId" | "tenantId" | "instances.shared" | "shared" => By::Never,
        "instances.locationId" => By::Location,
        "sourceId" => By::Source,
        _ if name == types => By::Type,
        _ => return None,
    };
    let equal = |one: &Clause| {
        one.index == name
            && matches!(
                one.relation.comparison,
                Comparison::Equal | Comparison::Exact
            )
    };
    if !node.clauses().all(equal) {
        return None;
    }
    let texts: Vec<String> = node.clauses().map(|one| one.term.text()).collect();
    if by == By::Never {
        let kept = texts
            .iter()
            .any(|value| value == tenant || value.eq_ignore_ascii_case("false"));
        let nothing = Filter {
            by,
            values: Vec::new(),
        };
        return Some((!kept).then_some(nothing));
    }
    let values = texts.iter().filter_map(|text| Uuid::try_parse(text).ok());
    Some(Some(Filter {
        by,
        values: values.collect(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Browse, String> {
        super::read(text, "value", "typeId", "diku").map_err(|fault| fault.message)
    }

    #[test]
    fn a_list_is_entered_before_after_and_around() {
        for (text, before, after) in [
            ("value > war", None, Some(false)),
            ("value >= war", None, Some(true)),
            ("value < war", Some(false), None),
            ("value <= war", Some(true), None),
            ("value >= war or value < war", Some(false), Some(true)),
            ("(value < war or value > war)", Some(false), Some(false)),
        ] {
            let browse = read(text).expect(text);
            assert_eq!((browse.before, browse.after), (before, after), "{text}");
            assert_eq!(browse.anchor, "war");
        }
    }

    #[test]
    fn filters_stand_beside_the_range() {
        let id = Uuid::from_u128(7);
        let text = format!("(value >= a or value < a) and typeId==({id} or x) and tenantId==diku");
        let browse = read(&text).expect("a query for browsing");
        let filter = Filter {
            by: By::Type,
            values: vec![id],
        };
        assert_eq!(browse.filters, [filter]);
        let other = read("value > a and instances.shared==true").expect("a query");
        assert_eq!(other.filters[0].by, By::Never);
    }

    #[test]
    fn other_queries_are_refused() {
        for (text, message) in [
            ("value == war", INVALID),
            ("title > war", INVALID),
            ("value > war or value > war", INVALID),
            ("value > a and value < b", INVALID),
            ("typeId==x", INVALID),
            (
                "value > war sortBy value",
                "Invalid CQL query for browsing, 'sortBy' is not supported",
            ),
            (
                "value > war or value < peace",
                "Invalid CQL query for browsing. Anchors must be the same in range conditions.",
            ),
        ] {
            assert_eq!(read(text), Err(message.to_owned()), "{text}");
        }
    }
}
