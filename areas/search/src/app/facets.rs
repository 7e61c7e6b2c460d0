//! Facets: the number of instances or headings for each value.

use serde_json::{Map, Value, json};

use super::Failure;
use crate::query::browse::By;
use crate::query::facets::{Facet, names, of_instances, unknown};
use crate::query::{Condition, browse, compile};
use crate::store::SearchTables;
use crate::store::browse::List;

/// A facet and the values that the query filters it by.
type RequestedFacet<'a> = (&'a Facet, &'a [String]);

/// Counts facets of instances. A facet ignores the query's filter on itself, so that users see the
/// alternatives.
///
/// # Errors
/// For invalid facets and queries.
pub async fn instances(
    place: SearchTables<'_>,
    query: &str,
    asked: &[String],
) -> Result<Value, Failure> {
    let facets = of_instances(asked)?;
    let wanted = compile(query, place.tenant.id())?;
    // Facets without a filter are counted together; each filtered one needs a condition of its own.
    let mut groups: Vec<(Vec<RequestedFacet<'_>>, Condition)> = Vec::new();
    let mut together = Vec::new();
    for facet in &facets {
        let plain = facet.name.replacen("items.", "item.", 1);
        let (own, others): (Vec<_>, Vec<_>) = wanted
            .parts
            .iter()
            .partition(|part| part.field.as_deref() == Some(plain.as_str()));
        match own.first() {
            None => together.push((facet, &[][..])),
            Some(first) => {
                let others = others.iter().map(|part| part.condition.clone());
                let condition = Condition::All(others.collect());
                groups.push((vec![(facet, first.values.as_slice())], condition));
            }
        }
    }
    if !together.is_empty() {
        groups.push((together, wanted.condition()));
    }
    let mut counted = Map::new();
    for facet in &facets {
        counted.insert(facet.name.clone(), Value::Null);
    }
    for (group, condition) in &groups {
        let values = place.facets(condition, group).await?;
        for (at, (facet, _)) in group.iter().enumerate() {
            let own = values.iter().filter(|value| value.facet == at);
            let mut own: Vec<_> = own.map(|one| (one.value.as_str(), one.records)).collect();
            own.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(other.0)));
            counted.insert(facet.name.clone(), shown(&own));
        }
    }
    Ok(whole(counted))
}

pub(super) fn shown(values: &[(&str, i64)]) -> Value {
    let told: Vec<Value> = values
        .iter()
        .map(|(id, records)| json!({"id": id, "totalRecords": records}))
        .collect();
    json!({"totalRecords": told.len(), "values": told})
}

pub(super) fn whole(facets: Map<String, Value>) -> Value {
    json!({"totalRecords": facets.len(), "facets": facets})
}

/// Counts facets of a list of headings.
///
/// # Errors
/// For invalid facets and queries.
pub async fn headings(
    place: SearchTables<'_>,
    list: List,
    query: &str,
    asked: &[String],
) -> Result<Value, Failure> {
    let types = super::browse::type_field(list);
    let filters = browse::filters(query, types, place.tenant.id())?;
    let mut counted = Map::new();
    for (name, most) in names(asked)? {
        let (column, by) = match name.as_str() {
            "instances.locationId" if matches!(list, List::CallNumbers(_)) => {
                ("location", By::Location)
            }
            "sourceId" if list == List::Subjects => ("source", By::Source),
            _ if name == types => ("type", By::Type),
            "instances.tenantId" | "instances.shared" => {
                counted.insert(name, shown(&[]));
                continue;
            }
            _ => return Err(unknown(&name).into()),
        };
        let others: Vec<_> = filters.iter().filter(|one| one.by != by).cloned().collect();
        let values = place.heading_facet(list, column, &others, most).await?;
        let values: Vec<_> = values
            .iter()
            .map(|(id, records)| (id.as_str(), *records))
            .collect();
        counted.insert(name, shown(&values));
    }
    Ok(whole(counted))
}
