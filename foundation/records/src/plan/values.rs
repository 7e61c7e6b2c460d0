//! Whether the best plan of a search depends on its values: such a search is planned with its
//! values each time, others once for all values. Measurements are in docs/decisions/0013.

use super::Predicate;

impl Predicate {
    /// Whether PostgreSQL should know the values when it plans a list of these records.
    #[must_use]
    pub fn depends_on_values(&self, sorted: bool) -> bool {
        !self.is_narrow() && self.at_most().is_none() && weighs(self, sorted)
    }
}

/// A word may be in all records or in none. A value of a key may be common or rare, which matters
/// only where an index could return the sort order instead.
fn weighs(predicate: &Predicate, sorted: bool) -> bool {
    match predicate {
        Predicate::Words(_) | Predicate::Like(_) => true,
        Predicate::Text(text) => sorted || text.operator != "=",
        Predicate::TextIn(..) => sorted,
        Predicate::All(parts) | Predicate::Any(parts) => {
            parts.iter().any(|part| weighs(part, sorted))
        }
        Predicate::Except(wanted, unwanted) => weighs(wanted, sorted) || weighs(unwanted, sorted),
        Predicate::Elements(elements) => elements
            .candidates
            .as_ref()
            .is_some_and(|candidates| weighs(candidates, sorted)),
        Predicate::Across(crossing) => weighs(&crossing.predicate, true),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::catalog::Catalog;
    use crate::collection::Collection;
    use crate::index::Index;
    use crate::plan::compile;

    #[test]
    fn words_patterns_and_sorted_keys_are_planned_with_their_values() {
        let items = Collection::new(
            "item",
            "items",
            "id uuid\nbarcode string\ntitle string\nuserId uuid\n",
        )
        .index(Index::unique("barcode"))
        .index(Index::plain("title"))
        .index(Index::plain("userId"))
        .index(Index::full_text("title"));
        let id = "11111111-1111-4111-8111-111111111111";
        for (query, expected) in [
            ("cql.allRecords=1".to_owned(), false),
            ("cql.allRecords=1 sortBy title".to_owned(), false),
            (format!("id>{id} sortBy id"), false),
            (format!("id=={id}"), false),
            ("barcode==1".to_owned(), false),
            ("barcode==1 sortBy title".to_owned(), false),
            ("title==emma".to_owned(), false),
            ("title==emma sortBy barcode".to_owned(), true),
            ("title==em*".to_owned(), true),
            ("title>emma".to_owned(), true),
            ("title=emma".to_owned(), true),
            ("title=emma and barcode==1".to_owned(), false),
            (format!("userId=={id} sortBy title"), false),
            (format!("userId=={id} and title=emma"), false),
        ] {
            let parsed = octavo_cql::parse(&query).expect("the query is CQL");
            let plan = compile(&parsed, &items, &Catalog::default()).expect("it can be run");
            let sorted = !plan.sort.is_empty();
            assert_eq!(
                plan.predicate.depends_on_values(sorted),
                expected,
                "{query}"
            );
        }
    }
}
