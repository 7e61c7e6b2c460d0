//! Checks that the statements replayed by benches are the area's own: perf's `limit.sql` files are
//! generated from them (`OCTAVO_WRITE=1 cargo test -p octavo-circulation limits`).

use std::path::PathBuf;

use octavo_records::{Catalog, Tenant};

use super::{Tables, desk, waiting};
use crate::collections;

#[test]
fn the_limit_of_pick_slips_is_their_own_statement() {
    let own = [collections::cancellation_reasons(), collections::requests()];
    let catalog = Catalog::new(own.into_iter().map(Into::into).collect());
    let catalog = catalog.expect("the collections fit together");
    let tenant = Tenant::new("bench").expect("a tenant's id");
    let tables = Tables {
        tenant: &tenant,
        catalog: &catalog,
    };
    let sql = waiting::at_locations_sql(tables, false);
    let mut expected = String::from(
        "-- The statement behind GET /circulation/pick-slips/{id}, with the locations of the service point\n\
         -- from the feed. Written by a test of areas/circulation (limits.rs).\n\
         \\set n random(1, :rows)\n\
         SELECT v[1] AS locations, 'Page ' AS first, 'Page!' AS last FROM bench.feed WHERE n = :n \\gset\n",
    );
    // One line: a limit is read by lines.
    let words: Vec<&str> = sql.split_whitespace().collect();
    let mut text = words.join(" ");
    for (number, name) in [
        ("$1", ":first"),
        ("$2", ":last"),
        ("$3", ":locations"),
        ("$4", ":limit"),
    ] {
        assert!(text.contains(number), "{number}: {text}");
        text = text.replace(number, name);
    }
    expected.push_str(&text);
    expected.push_str(";\n");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../perf/pick-slips/limit.sql");
    if std::env::var_os("OCTAVO_WRITE").is_some() {
        std::fs::write(&path, &expected).expect("the limit can be written");
    }
    let stands = std::fs::read_to_string(&path).expect("the claim has a limit");
    assert!(
        stands == expected,
        "perf/pick-slips/limit.sql is not what the slips ask; write it with \
         OCTAVO_WRITE=1 cargo test -p octavo-circulation limits"
    );
}

#[test]
fn the_limit_of_the_desk_sends_the_desks_own_statements() {
    let catalog = Catalog::default();
    let tenant = Tenant::new("bench").expect("a tenant's id");
    let tables = Tables {
        tenant: &tenant,
        catalog: &catalog,
    };
    let limit = include_str!("../../../../perf/desk/limit.sql");
    let sent: Vec<String> = limit
        .lines()
        .filter(|line| line.contains("desk_facts(") || line.contains("desk_writes("))
        .map(|line| {
            numbered(
                line.trim_end_matches([';', ' '])
                    .trim_end_matches(" \\gset"),
            )
        })
        .collect();
    let (facts, writes) = (desk::facts_sql(tables), desk::writes_sql(tables));
    assert_eq!(sent, [facts.clone(), writes.clone(), facts, writes]);
}

/// A statement with `$1`, `$2` and so on in place of pgbench's variables.
fn numbered(line: &str) -> String {
    let mut parts = line.split(':');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for (number, part) in parts.enumerate() {
        let name = part.find(|one: char| !one.is_ascii_alphanumeric() && one != '_');
        let rest = name.map_or("", |end| &part[end..]);
        text.push_str(&format!("${}{rest}", number + 1));
    }
    text
}
