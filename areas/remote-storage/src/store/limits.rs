//! Checks that the statements replayed by a bench are the area's own: perf/retrieval-queue/limit.sql is
//! generated from them (`OCTAVO_WRITE=1 cargo test -p octavo-remote-storage limits`).

use std::path::PathBuf;

use octavo_records::{Catalog, Tables, Tenant};
use uuid::Uuid;

use super::mappings::Window;
use super::queues::{Narrowed, RETRIEVALS};

#[test]
fn the_limit_of_the_retrieval_queue_is_its_own_statements() {
    let catalog = Catalog::default();
    let tenant = Tenant::new("bench").expect("a tenant's id");
    let tables = Tables {
        tenant: &tenant,
        catalog: &catalog,
    };
    let narrowed = Narrowed {
        done: Some(false),
        storage: Some(Uuid::nil()),
        created: None,
    };
    let window = Window {
        limit: 100,
        offset: 0,
    };
    let sent = RETRIEVALS.page_sql(tables, narrowed, window);
    let mut expected = String::from(
        "-- The statement behind GET /remote-storage/retrievals: a full page. The number of rows that wait is kept for 10 s.\n\
         -- Colons are escaped: pgbench takes them for variables. Written by a test of areas/remote-storage (limits.rs).\n\
         \\set n random(1, :rows)\n\
         SELECT v[1]::uuid AS storage FROM bench.feed WHERE n = :n \\gset\n",
    );
    assert_eq!(sent.matches('$').count(), 1, "{sent}");
    expected.push_str(&escaped(&sent).replace("$1", ":storage"));
    expected.push_str(";\n");
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../perf/retrieval-queue/limit.sql");
    if std::env::var_os("OCTAVO_WRITE").is_some() {
        std::fs::write(&path, &expected).expect("the limit can be written");
    }
    let stands = std::fs::read_to_string(&path).expect("the claim has a limit");
    assert!(
        stands == expected,
        "perf/retrieval-queue/limit.sql is not what the queue asks; write it with \
         OCTAVO_WRITE=1 cargo test -p octavo-remote-storage limits"
    );
}

/// A statement whose literals have no colon. The identity of a statement does not depend on its constants.
fn escaped(sql: &str) -> String {
    let mut parts = sql.split('\'');
    let mut text = parts.next().unwrap_or_default().to_owned();
    // Literals have every second place.
    for (number, part) in parts.enumerate() {
        let is_literal = number % 2 == 0;
        if is_literal && part.contains(':') {
            text.push_str("U&");
        }
        text.push('\'');
        match is_literal {
            true => text.push_str(&part.replace(':', "\\003A")),
            false => text.push_str(part),
        }
    }
    text
}
