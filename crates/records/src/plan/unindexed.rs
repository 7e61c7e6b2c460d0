//! Which parts of a search no declared index serves.

use super::{Plan, Predicate};
use crate::index::IndexKind;

/// A field that a search reads in every record because no index of the right kind is declared.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Unindexed {
    /// The CQL field.
    pub field: String,
    /// The kind of index that would serve it.
    pub kind: IndexKind,
    /// Whether it would have to be over the value as a number.
    pub number: bool,
}

impl Plan {
    /// The fields that no index serves; none when an indexed part narrows the search before them.
    #[must_use]
    pub fn unindexed(&self) -> Vec<Unindexed> {
        let mut found = Vec::new();
        collect(&self.predicate, &mut found);
        found
    }
}

/// Gives whether the predicate can use an index, and adds what it lacks.
fn collect(predicate: &Predicate, found: &mut Vec<Unindexed>) -> bool {
    match predicate {
        Predicate::Text(text) | Predicate::TextIn(text, _) => {
            text.by.is_some() || lacks(found, &text.index.field, IndexKind::Index)
        }
        Predicate::Like(text) => {
            let prefix = !text.value.starts_with(['%', '_']);
            let kind = match prefix {
                true => IndexKind::LikeIndex,
                false => IndexKind::GinIndex,
            };
            text.by.is_some() || lacks(found, &text.index.field, kind)
        }
        Predicate::Words(words) => {
            words.declared || lacks(found, &words.index.field, IndexKind::FullTextIndex)
        }
        Predicate::Number(number) => {
            let served = number.declared;
            if !served {
                found.push(Unindexed {
                    field: number.field.clone(),
                    kind: IndexKind::Index,
                    number: true,
                });
            }
            served
        }
        Predicate::Elements(elements) => match &elements.candidates {
            Some(candidates) => collect(candidates, found),
            None => lacks(found, &elements.array, IndexKind::FullTextIndex),
        },
        // One indexed part is enough: the others only filter what it finds.
        Predicate::All(parts) => {
            let mut missing = Vec::new();
            let served = each(parts, &mut missing).contains(&true);
            if !served {
                found.append(&mut missing);
            }
            served
        }
        Predicate::Any(parts) => !each(parts, found).contains(&false),
        Predicate::Except(wanted, _) => collect(wanted, found),
        Predicate::Across(crossing) => collect(&crossing.predicate, found),
        _ => true,
    }
}

/// Looks at every part, whatever the ones before it gave.
fn each(parts: &[Predicate], found: &mut Vec<Unindexed>) -> Vec<bool> {
    parts.iter().map(|part| collect(part, found)).collect()
}

fn lacks(found: &mut Vec<Unindexed>, field: &str, kind: IndexKind) -> bool {
    found.push(Unindexed {
        field: field.to_owned(),
        kind,
        number: false,
    });
    false
}

#[cfg(test)]
mod tests {
    use crate::catalog::Catalog;
    use crate::collection::Collection;
    use crate::index::Index;
    use crate::plan::compile;

    fn lacking(query: &str) -> Vec<String> {
        let shape = "id uuid\nbarcode string\ntitle string\nnote string\n";
        let items = Collection::new("item", "items", shape)
            .index(Index::unique("barcode"))
            .index(Index::full_text("title"));
        let query = octavo_cql::parse(query).expect("the query is CQL");
        let plan = compile(&query, &items, &Catalog::default()).expect("the query can be run");
        plan.unindexed()
            .into_iter()
            .map(|one| format!("{} {}", one.kind.name(), one.field))
            .collect()
    }

    #[test]
    fn names_the_index_that_is_missing() {
        for (query, expected) in [
            ("barcode==1", vec![]),
            ("id==1", vec![]),
            ("cql.allRecords=1", vec![]),
            ("title=emma", vec![]),
            ("title==emma", vec!["index title"]),
            ("note=damp", vec!["fullTextIndex note"]),
            ("note==*damp", vec!["ginIndex note"]),
            ("note==damp*", vec!["likeIndex note"]),
            // One indexed part of an AND is enough, but every part of an OR needs its own.
            ("note==damp and barcode==1", vec![]),
            ("note==damp or barcode==1", vec!["index note"]),
            (
                "note==damp and title==emma",
                vec!["index note", "index title"],
            ),
            ("barcode==1 not note==damp", vec![]),
        ] {
            assert_eq!(lacking(query), expected, "{query}");
        }
    }
}
