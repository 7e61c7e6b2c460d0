//! Checks that the statements replayed by benches are the area's own: the `limit.sql` files of perf's
//! orders-million are generated from its queries (`OCTAVO_WRITE=1 cargo test -p octavo-orders --lib limits`).

use std::fmt::Write as _;
use std::path::PathBuf;

use octavo_records::Catalog;
use octavo_records::plan::{Parameter, Sql, compile};

use crate::collections;

/// The queries of the claims, one a line: name, what was published, table and CQL.
const QUERIES: &str = include_str!("../../../../perf/orders/queries.tsv");
/// Statements of one round of pgbench.
const GROUP: usize = 20;
/// Records of a page.
const PAGE: i64 = 10;

#[test]
fn the_limits_of_a_million_orders_are_the_servers_own_statements() {
    let all = collections::all().into_iter().map(Into::into).collect();
    let catalog = Catalog::new(all).expect("the collections fit together");
    let mut stale = Vec::new();
    for (at, line) in QUERIES.lines().enumerate() {
        let columns: Vec<&str> = line.split('\t').collect();
        let [name, _, table, query] = columns[..] else {
            panic!("four columns: {line}");
        };
        let collection = catalog.get(table).expect("the table is declared");
        let parsed = octavo_cql::parse(query).expect("CQL");
        let plan = compile(&parsed, collection, &catalog).expect("a plan");
        let sql = Sql::page("tenant_millions", table, &plan, PAGE, 0);
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join(format!("../../perf/orders-million/{:02}", at + 1));
        let claim = std::fs::read_to_string(folder.join("claim.sh")).expect("there is a claim");
        assert_eq!(
            claim.contains("plans=force_custom_plan"),
            plan.predicate.depends_on_values(sql.is_sorted()),
            "{name}: how the server has it planned"
        );
        let (path, expected) = (folder.join("limit.sql"), limit(name, query, &sql));
        if std::env::var_os("OCTAVO_WRITE").is_some() {
            std::fs::write(&path, &expected).expect("the limit can be written");
        }
        if std::fs::read_to_string(&path).ok() != Some(expected) {
            stale.push(path);
        }
    }
    assert!(
        stale.is_empty(),
        "not what the server asks; write them with \
         OCTAVO_WRITE=1 cargo test -p octavo-orders --lib limits: {stale:?}"
    );
}

/// The statement twenty times, with its values: those of a search come from the feed.
fn limit(name: &str, query: &str, sql: &Sql) -> String {
    let is_fed = name.starts_with("Search");
    let mut named = Vec::new();
    let mut values = Vec::new();
    for (at, parameter) in sql.parameters.iter().enumerate() {
        let number = at + 1;
        let value = match parameter {
            Parameter::Text(_) if is_fed => "v{n}".to_owned(),
            Parameter::Text(text) => {
                values.push(format!("'{}' AS p{number}", text.replace('\'', "''")));
                format!("p{number}")
            }
            Parameter::Integer(PAGE) => "limit".to_owned(),
            other => panic!("{name}: a value that no limit has: {other:?}"),
        };
        named.push((format!("${number}::"), format!(":{value}::")));
    }
    if is_fed {
        values.extend((1..=GROUP).map(|n| format!("v[{n}] AS v{n}")));
    }
    let mut text = format!(
        "-- The statement behind a page of orders with {query}, twenty times with values that one more statement\n\
         -- brings. Written by a test of areas/orders (limits.rs).\n\
         \\set n random(1, :rows)\n\
         SELECT {} FROM bench.feed WHERE n = :n \\gset\n",
        values.join(", ")
    );
    for n in 1..=GROUP {
        let mut statement = sql.text.clone();
        for (placeholder, value) in &named {
            statement = statement.replace(placeholder, &value.replace("{n}", &n.to_string()));
        }
        let _ = writeln!(text, "{statement};");
    }
    text
}
