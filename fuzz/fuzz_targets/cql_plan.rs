//! No query makes the planner panic, and every value of a plan's SQL is bound.

#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use octavo_records::plan::{Sql, compile};
use octavo_records::{Catalog, Declaration};

static BOOKS: LazyLock<Catalog> = LazyLock::new(|| {
    let text = include_str!("../../docs/examples/books.toml");
    let declared: Declaration = toml::from_str(text).expect("the example is a declaration");
    let collections = declared.collections.iter().map(|one| one.collection().map(Arc::new));
    let collections = collections.collect::<Result<_, _>>().expect("the example is declared");
    Catalog::new(collections).expect("the example's tables fit together")
});

fuzz_target!(|text: &str| {
    let Ok(query) = octavo_cql::parse(text) else {
        return;
    };
    for table in ["author", "book", "copy"] {
        let collection = BOOKS.get(table).expect("it is declared");
        let Ok(plan) = compile(&query, collection, &BOOKS) else {
            continue;
        };
        assert!(!plan.predicate.outline().is_empty());
        let _ = plan.predicate.unindexed(table);
        let sql = Sql::page("tenant_fuzz", table, &plan, 10, 0);
        // As many placeholders as values, and the last of them is the last value.
        let last = format!("${}::", sql.parameters.len());
        assert!(sql.text.contains(&last), "{}", sql.text);
        assert!(sql.parameters.len() < 65_536, "more values than PostgreSQL takes");
        let beyond = format!("${}::", sql.parameters.len() + 1);
        assert!(!sql.text.contains(&beyond), "{}", sql.text);
    }
});
