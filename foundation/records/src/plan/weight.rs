//! Whether a search is fast, judged by its form alone: a fast one runs on the lanes for look-ups by
//! key, any other on those for searches, where it does not delay look-ups.

use super::Predicate;

/// The most rows that a fast search reads.
const ROWS_MAX: i64 = 30_000;

impl Predicate {
    /// Whether a search is fast that reads so many rows of its result. A sorted search has to read
    /// its whole result before the first row.
    #[must_use]
    pub fn is_light(&self, sorted: bool, reach: Option<i64>) -> bool {
        if self
            .at_most()
            .is_some_and(|most| most <= ROWS_MAX.unsigned_abs())
        {
            return true;
        }
        if sorted || reach.is_none_or(|reach| reach > ROWS_MAX) {
            return false;
        }
        self.is_narrow()
            || match self {
                Predicate::Everything | Predicate::IdOrder(..) | Predicate::IdBetween(..) => true,
                Predicate::Text(text) => text.operator == "=" && text.by.is_some(),
                Predicate::TextIn(text, _) => text.by.is_some(),
                _ => false,
            }
    }
}

#[cfg(test)]
mod tests {
    use crate::catalog::Catalog;
    use crate::collection::Collection;
    use crate::index::Index;
    use crate::plan::compile;

    #[test]
    fn look_ups_are_light_and_what_reads_many_records_is_not() {
        let items = Collection::new(
            "item",
            "items",
            "id uuid\nbarcode string\ntitle string\nnote string\nuserId uuid\n",
        )
        .index(Index::unique("barcode"))
        .index(Index::plain("title"))
        .index(Index::plain("userId"))
        .index(Index::full_text("title"));
        let id = "11111111-1111-4111-8111-111111111111";
        let page = Some(10);
        for (query, reach, expected) in [
            ("cql.allRecords=1".to_owned(), page, true),
            ("cql.allRecords=1".to_owned(), Some(1_000_000), false),
            ("cql.allRecords=1".to_owned(), None, false),
            ("cql.allRecords=1 sortBy note".to_owned(), page, false),
            (format!("id=={id}"), None, true),
            (format!("id=={id} sortBy note"), page, true),
            (format!("id>{id}"), page, true),
            ("barcode==1".to_owned(), None, true),
            ("title==emma".to_owned(), page, true),
            ("title==emma".to_owned(), None, false),
            ("title==emma sortBy barcode".to_owned(), page, false),
            (format!("userId=={id} and note==x"), page, true),
            (format!("userId=={id} sortBy note"), page, false),
            ("note==x".to_owned(), page, false),
            ("title==emma and note==x".to_owned(), page, false),
            ("title=emma".to_owned(), page, false),
            ("title<>emma".to_owned(), page, false),
            (format!("cql.allRecords=1 not userId=={id}"), page, false),
        ] {
            let parsed = octavo_cql::parse(&query).expect("the query is CQL");
            let plan = compile(&parsed, &items, &Catalog::default()).expect("it can be run");
            let sorted = !plan.sort.is_empty();
            assert_eq!(plan.predicate.is_light(sorted, reach), expected, "{query}");
        }
    }
}
