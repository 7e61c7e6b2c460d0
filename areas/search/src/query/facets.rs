//! The supported facets, and their parameter.

use super::Fault;
use super::fields::{CODES, Column, Field, field};

/// Facets of one request.
pub const FACETS_MAX: usize = 20;
/// Values of one facet.
pub const VALUES_MAX: i64 = 10_000;

/// What a facet counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Counted {
    /// The values of columns: instances that have the value in one of them.
    Columns(Vec<Column>),
    /// A value that all instances share.
    Same(&'static str),
    Tenant,
    /// The bound-with flag.
    Bound,
}

/// A requested facet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facet {
    /// Its name, as in the request and in the answer.
    pub name: String,
    /// What it counts.
    pub counted: Counted,
    /// Values at most.
    pub values: i64,
}

/// Facets of instances.
const OF_INSTANCES: [&str; 26] = [
    "source",
    "instanceTypeId",
    "statusId",
    "instanceFormatIds",
    "modeOfIssuanceId",
    "natureOfContentTermIds",
    "languages",
    "instanceTags",
    "tags.tagList",
    "staffSuppress",
    "discoverySuppress",
    "statisticalCodeIds",
    "holdings.permanentLocationId",
    "holdings.discoverySuppress",
    "holdings.sourceId",
    "holdings.holdingsTypeId",
    "holdings.statisticalCodeIds",
    "holdingsTypeId",
    "holdingsTags",
    "item.effectiveLocationId",
    "item.status.name",
    "item.materialTypeId",
    "item.discoverySuppress",
    "item.statisticalCodeIds",
    "itemTags",
    "callNumberType",
];

/// The facets of a request: names or `name:size`, several in one parameter or several parameters.
///
/// # Errors
/// For unknown names, invalid sizes, and too many facets.
pub fn of_instances(asked: &[String]) -> Result<Vec<Facet>, Fault> {
    let mut facets: Vec<Facet> = Vec::new();
    for (name, values) in names(asked)? {
        // Facets of items have one name in the response, whichever of two the request uses.
        let (plain, name) = match name.strip_prefix("items.").or(name.strip_prefix("item.")) {
            Some(rest) => (format!("item.{rest}"), format!("items.{rest}")),
            None => (name.clone(), name),
        };
        let plain = plain.as_str();
        let counted = match plain {
            "statisticalCodes" => Counted::Columns(CODES.to_vec()),
            "tenantId" | "holdings.tenantId" | "item.tenantId" => Counted::Tenant,
            "shared" => Counted::Same("false"),
            "isBoundWith" => Counted::Bound,
            _ if OF_INSTANCES.contains(&plain) => match field(plain) {
                Some(Field::Column(column)) => Counted::Columns(vec![column]),
                _ => return Err(unknown(&name)),
            },
            _ => return Err(unknown(&name)),
        };
        if !facets.iter().any(|facet| facet.name == name) {
            facets.push(Facet {
                name,
                counted,
                values,
            });
        }
    }
    Ok(facets)
}

/// Names and sizes.
///
/// # Errors
/// For invalid sizes, and too many names.
pub fn names(asked: &[String]) -> Result<Vec<(String, i64)>, Fault> {
    let mut named = Vec::new();
    for one in asked.iter().flat_map(|one| one.split(',')) {
        let one = one.trim();
        let (name, size) = match one.split_once(':') {
            None => (one, VALUES_MAX),
            Some((name, size)) => {
                let size = size.parse::<i64>().ok().filter(|size| *size > 0);
                let size = size.ok_or_else(|| {
                    Fault::of(
                        "Invalid facet name format, must be '{facetName}' or \
                         '{facetName}:{facetLimit}'",
                        "facet",
                        one,
                    )
                })?;
                (name, size.min(VALUES_MAX))
            }
        };
        named.push((name.to_owned(), size));
    }
    if named.len() > FACETS_MAX {
        let message = format!("At most {FACETS_MAX} facets are counted at once");
        return Err(Fault::of(message, "facet", named.len().to_string()));
    }
    Ok(named)
}

/// FOLIO's refusal of a name.
#[must_use]
pub fn unknown(name: &str) -> Fault {
    Fault::of("Invalid facet value", "facet", name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facets_are_named_with_and_without_sizes() {
        let asked = [
            "source:5,languages".to_owned(),
            "items.status.name".to_owned(),
        ];
        let facets = of_instances(&asked).expect("all three are facets");
        let told: Vec<_> = facets
            .iter()
            .map(|one| (one.name.as_str(), one.values))
            .collect();
        assert_eq!(
            told,
            [
                ("source", 5),
                ("languages", VALUES_MAX),
                ("items.status.name", VALUES_MAX)
            ]
        );
    }

    #[test]
    fn every_facet_has_a_column() {
        for name in OF_INSTANCES {
            let facets = of_instances(&[name.to_owned()]).expect("a facet");
            let Counted::Columns(columns) = &facets[0].counted else {
                panic!("{name} has no column");
            };
            assert_eq!(columns.len(), 1, "{name}");
        }
    }

    #[test]
    fn wrong_names_and_sizes_are_refused() {
        for (asked, value) in [("colour", "colour"), ("", ""), ("source:x", "source:x")] {
            let fault = of_instances(&[asked.to_owned()]).expect_err("no facet");
            assert_eq!(
                fault.parameter,
                Some(("facet", value.to_owned())),
                "{asked}"
            );
        }
    }
}
