//! The most records that a search can match, derived from its form: this spares a list its count.
//! Knows unique keys and ids, not rows or statistics.

use std::collections::HashSet;

use super::{Crossing, Predicate, TextMatch};
use crate::index::Index;

impl Predicate {
    /// The most records that can match, where ids or unique keys limit them.
    #[must_use]
    pub fn at_most(&self) -> Option<u64> {
        match self {
            Predicate::Nothing => Some(0),
            Predicate::IdIn(column, ids) if column == "id" => {
                Some(ids.iter().collect::<HashSet<_>>().len() as u64)
            }
            Predicate::IdBetween(column, low, high) if column == "id" && low >= high => {
                Some(u64::from(low == high))
            }
            Predicate::Text(text) if is_by_unique_key(text) => Some(1),
            Predicate::TextIn(text, values) if is_by_unique_key(text) => {
                Some(values.iter().collect::<HashSet<_>>().len() as u64)
            }
            Predicate::All(parts) => parts.iter().filter_map(Predicate::at_most).min(),
            Predicate::Any(parts) => parts
                .iter()
                .map(Predicate::at_most)
                .try_fold(0_u64, |sum, part| Some(sum.saturating_add(part?))),
            Predicate::Except(wanted, _) => wanted.at_most(),
            Predicate::Across(crossing) => of_children(crossing),
            _ => None,
        }
    }
}

/// Whether the text is compared with a unique key. Equal values have equal keys, even where the key
/// folds more than the search asks for; and each key is there once.
fn is_by_unique_key(text: &TextMatch) -> bool {
    text.operator == "=" && text.by.as_deref().is_some_and(Index::is_unique_key)
}

/// A child has one parent, so few children have few parents. A parent may have any number of
/// children.
fn of_children(crossing: &Crossing) -> Option<u64> {
    match crossing.column == "id" {
        true => crossing.predicate.at_most(),
        false if crossing.predicate.at_most() == Some(0) => Some(0),
        false => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::catalog::Catalog;
    use crate::collection::Collection;
    use crate::index::Index;
    use crate::plan::compile;

    const A: &str = "11111111-1111-4111-8111-111111111111";
    const B: &str = "22222222-2222-4222-8222-222222222222";

    fn at_most(table: &str, query: &str) -> Option<u64> {
        let item = Collection::new(
            "item",
            "items",
            "id uuid\nholdingsId uuid\nbarcode string\ncode string\nsite string\nnote string\n",
        )
        .crossing("holdingsId", "holdings", "item", "holdings")
        .index(Index::unique("barcode"))
        .index(Index::unique("code").with(&["site"]))
        .index(Index::unique("site").when("jsonb ? 'site'"))
        .index(Index::plain("note"));
        let holdings = Collection::new("holdings", "holdings", "id uuid\nhrid string\n")
            .index(Index::unique("hrid"));
        let catalog =
            Catalog::new(vec![Arc::new(holdings), Arc::new(item)]).expect("the tables are known");
        let collection = Arc::clone(catalog.get(table).expect("the table is declared"));
        let query = octavo_cql::parse(query).expect("the query is CQL");
        compile(&query, &collection, &catalog)
            .expect("the query can be run")
            .predicate
            .at_most()
    }

    #[test]
    fn ids_and_unique_keys_prove_how_many_there_can_be() {
        for (query, expected) in [
            (format!("id=={A}"), Some(1)),
            (format!("id==({A} or {B})"), Some(2)),
            (format!("id==({A} or {B} or {A})"), Some(2)),
            ("id==no-uuid".to_owned(), Some(0)),
            ("id==1111*".to_owned(), None),
            (format!("id>{A}"), None),
            ("cql.allRecords=1".to_owned(), None),
            (format!("holdingsId=={A}"), None),
            ("barcode==1".to_owned(), Some(1)),
            ("barcode==1*".to_owned(), None),
            ("barcode<>1".to_owned(), None),
            ("barcode==/respectcase 1".to_owned(), Some(1)),
            ("code==1".to_owned(), None),
            ("site==1".to_owned(), None),
            ("note==1".to_owned(), None),
            ("barcode==(1 or 2 or 3 or 2)".to_owned(), Some(3)),
            (format!("barcode==1 or id=={A}"), Some(2)),
            ("barcode==1 or note==1".to_owned(), None),
            ("barcode==(1 or 2) and note==1".to_owned(), Some(2)),
            (format!("id==({A} or {B}) and barcode==1"), Some(1)),
            ("barcode==1 not note==1".to_owned(), Some(1)),
            ("note==1 not barcode==1".to_owned(), None),
            (format!("holdings.id=={A}"), None),
            ("holdings.hrid==ho1".to_owned(), None),
        ] {
            assert_eq!(at_most("item", &query), expected, "{query}");
        }
        assert_eq!(at_most("holdings", "item.barcode==1"), Some(1));
        assert_eq!(at_most("holdings", "item.note==1"), None);
    }
}
