//! Measures the cost of planning a query, in microseconds: parsing it, compiling it, writing its
//! SQL.
//!
//! ```text
//! cargo run --release -p octavo-records --example plan_cost
//! ```

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use octavo_records::plan::{Sql, compile};
use octavo_records::{Catalog, Declaration};

const DECLARED: &str = include_str!("../../../docs/examples/books.toml");
const ROUNDS: u32 = 20_000;

fn main() {
    let declared: Declaration = toml::from_str(DECLARED).expect("the example is a declaration");
    let collections = declared
        .collections
        .iter()
        .map(|one| one.collection().map(Arc::new));
    let collections = collections
        .collect::<Result<_, _>>()
        .expect("the example is declared");
    let catalog = Catalog::new(collections).expect("the example's tables fit together");
    let book = catalog.get("book").expect("it is declared");
    let ids: Vec<String> = (0..20)
        .map(|at| format!("b0000000-0000-4000-8000-{at:012}"))
        .collect();
    let queries = [
        ("a unique key", "hrid==b1".to_owned()),
        ("20 ids", format!("id==({})", ids.join(" or "))),
        (
            "three words, sorted",
            "keyword all \"war peace essays\" sortBy title".to_owned(),
        ),
        (
            "a staff search",
            "(keyword all \"war peace\" or identifiers =/@typeId=isbn 123) and \
             status.name==(Available or \"In transit\") not copies.condition==worn sortBy title"
                .to_owned(),
        ),
    ];
    println!(
        "{:<22} {:>8} {:>8} {:>8} {:>8}",
        "µs a query", "parse", "compile", "SQL", "all"
    );
    for (name, query) in queries {
        let parse = timed(|| octavo_cql::parse(black_box(&query)).expect("it is CQL"));
        let parsed = octavo_cql::parse(&query).expect("it is CQL");
        let plan = || compile(black_box(&parsed), book, &catalog).expect("it is planned");
        let planned = plan();
        let compile = timed(plan);
        let sql = timed(|| Sql::page("tenant_diku", "book", black_box(&planned), 10, 0));
        let all = parse + compile + sql;
        println!("{name:<22} {parse:>8.2} {compile:>8.2} {sql:>8.2} {all:>8.2}");
    }
}

/// The mean duration of many calls, in microseconds.
fn timed<T>(mut call: impl FnMut() -> T) -> f64 {
    for _ in 0..ROUNDS / 10 {
        black_box(call());
    }
    let begun = Instant::now();
    for _ in 0..ROUNDS {
        black_box(call());
    }
    begun.elapsed().as_secs_f64() * 1e6 / f64::from(ROUNDS)
}
