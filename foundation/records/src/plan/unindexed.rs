//! Finds the parts of a search that no declared index serves.

use octavo_cql::Query;
use serde::{Deserialize, Serialize};

use super::Predicate;
use super::field::Field;
use super::ids::id_column;
use super::modifiers::Modifiers;
use super::sort::order;
use crate::collection::Collection;
use crate::index::{Index, IndexKind};

/// An index that a search lacks, so that it reads every record.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Unindexed {
    pub collection: String,
    /// The index to declare.
    pub index: Index,
}

impl Predicate {
    /// The indexes that a search of a table lacks; none when an indexed part narrows it first.
    #[must_use]
    pub fn unindexed(&self, table: &str) -> Vec<Unindexed> {
        let mut found = Vec::new();
        collect(self, table, &mut found);
        found
    }
}

/// The index that a sort key lacks, so that everything found is sorted for one page.
#[must_use]
pub fn unindexed_order(query: &Query, collection: &Collection) -> Option<Unindexed> {
    let key = query.sort.first()?;
    if id_column(collection, &key.index).is_some() {
        return None;
    }
    let field = Field::of(collection, &key.index);
    let number = key.modifiers.iter().any(|modifier| modifier.is("number"));
    let index = match number {
        true if field.number_index().is_some() => return None,
        true => Index::number(&key.index),
        false => {
            let mut folding = Modifiers::default();
            for modifier in &key.modifiers {
                folding.folding(&modifier.name.to_ascii_lowercase());
            }
            match order(&field, &folding) {
                (_, Some(_)) => return None,
                (index, None) => of_kind(IndexKind::Index, &index),
            }
        }
    };
    Some(Unindexed {
        collection: collection.table.clone(),
        index,
    })
}

/// An index that reads the text as another does.
fn of_kind(kind: IndexKind, like: &Index) -> Index {
    let mut index = Index::new(kind, &like.field);
    index.case_sensitive = like.case_sensitive;
    index.remove_accents = like.remove_accents;
    index.fields.clone_from(&like.fields);
    index.expression.clone_from(&like.expression);
    index.term.clone_from(&like.term);
    index
}

/// Returns whether the predicate can use an index, and collects what it lacks.
fn collect(predicate: &Predicate, table: &str, found: &mut Vec<Unindexed>) -> bool {
    let mut lacks = |index: Index| {
        found.push(Unindexed {
            collection: table.to_owned(),
            index,
        });
        false
    };
    match predicate {
        Predicate::Text(text) | Predicate::TextIn(text, _) => {
            // No index finds what differs from a value.
            text.by.is_some()
                || text.operator != "<>" && lacks(of_kind(IndexKind::Index, &text.index))
        }
        Predicate::Like(text) => {
            let kind = match text.value.starts_with(['%', '_']) {
                true => IndexKind::GinIndex,
                false => IndexKind::LikeIndex,
            };
            text.by.is_some() || text.operator != "NOT LIKE" && lacks(of_kind(kind, &text.index))
        }
        Predicate::Words(words) => {
            words.declared || lacks(of_kind(IndexKind::FullTextIndex, &words.index))
        }
        Predicate::Number(number) => {
            number.by.is_some() || number.operator != "<>" && lacks(Index::number(&number.field))
        }
        Predicate::Elements(elements) => match &elements.candidates {
            Some(candidates) => collect(candidates, table, found),
            None => lacks(Index::full_text(&elements.array)),
        },
        // One indexed part is enough: the others only filter its result.
        Predicate::All(parts) => {
            let mut missing = Vec::new();
            let served = each(parts, table, &mut missing).contains(&true);
            if !served {
                found.append(&mut missing);
            }
            served
        }
        Predicate::Any(parts) => !each(parts, table, found).contains(&false),
        Predicate::Except(wanted, _) => collect(wanted, table, found),
        Predicate::Across(crossing) => collect(&crossing.predicate, &crossing.table, found),
        _ => true,
    }
}

/// Examines every part, whatever the result for the ones before.
fn each(parts: &[Predicate], table: &str, found: &mut Vec<Unindexed>) -> Vec<bool> {
    parts
        .iter()
        .map(|part| collect(part, table, found))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::unindexed_order;
    use crate::catalog::Catalog;
    use crate::collection::Collection;
    use crate::index::Index;
    use crate::plan::compile;

    fn items() -> Collection {
        let shape = "id uuid\nbarcode string\ntitle string\nnote string\n";
        Collection::new("item", "items", shape)
            .index(Index::unique("barcode"))
            .index(Index::full_text("title"))
    }

    fn named(index: &Index) -> String {
        let number = if index.number { "/number" } else { "" };
        format!("{} {}{number}", index.kind.name(), index.field)
    }

    fn lacking(query: &str) -> Vec<String> {
        let items = items();
        let query = octavo_cql::parse(query).expect("the query is CQL");
        let plan = compile(&query, &items, &Catalog::default()).expect("the query can be run");
        let unindexed = plan.predicate.unindexed("item");
        assert!(unindexed.iter().all(|one| one.collection == "item"));
        unindexed.iter().map(|one| named(&one.index)).collect()
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
            ("note>/number 7", vec!["index note/number"]),
            // No index would serve these.
            ("note<>damp", vec![]),
            ("note<>/number 7", vec![]),
            ("note<>*damp", vec![]),
        ] {
            assert_eq!(lacking(query), expected, "{query}");
        }
    }

    #[test]
    fn names_the_index_that_an_order_lacks() {
        for (order, expected) in [
            ("barcode", None),
            ("id", None),
            ("title/sort.descending", Some("index title")),
            ("note/number", Some("index note/number")),
            ("note barcode", Some("index note")),
        ] {
            let query = octavo_cql::parse(&format!("cql.allRecords=1 sortBy {order}"));
            let lacking = unindexed_order(&query.expect("the query is CQL"), &items());
            let lacking = lacking.map(|one| named(&one.index));
            assert_eq!(lacking.as_deref(), expected, "{order}");
        }
    }
}
