//! The cache of compiled calendars: read again only after a change, by any client.

use std::sync::atomic::{AtomicUsize, Ordering};

use octavo_calendar::{CalendarBook, store};
use octavo_postgres::Database;
use octavo_records::{Executor, Rows, Tables, Values};
use serde_json::json;

use super::{calendar, library, path, stored};
use octavo_server_testkit::stock::CIRC_DESK_1;

/// The database, counting what it is asked.
struct Counting {
    database: Database,
    statements: AtomicUsize,
}

impl Executor for Counting {
    fn rows<'a>(&'a self, sql: &'a str, values: Values<'a>) -> Rows<'a> {
        self.statements.fetch_add(1, Ordering::Relaxed);
        self.database.query(sql, values)
    }
}

#[tokio::test]
async fn calendars_are_read_once_for_each_version() {
    let library = library().await;
    let client = library.client().await;
    let tenant = library.tenant();
    let records = &library.platform.store;
    let tables = Tables {
        tenant: &tenant,
        catalog: &records.catalog,
    };
    let counting = Counting {
        database: records.database.clone(),
        statements: AtomicUsize::new(0),
    };
    let version = async || -> Option<String> {
        let sql = format!("SELECT {}", store::version_sql(tables));
        let rows = records
            .database
            .query(&sql, &[])
            .await
            .expect("the version");
        rows[0].get(0)
    };
    let book = CalendarBook::default();
    let point = CIRC_DESK_1.parse().expect("a UUID");
    let monday = "2026-06-01".parse().expect("a date");
    let mut seen = Vec::new();
    let mut asked = 0;
    let mut look = async || {
        let version = version().await;
        for _ in 0..3 {
            let calendars = book
                .calendars(&counting, tables, version.as_deref())
                .await
                .expect("calendars");
            seen.push(calendars.openings(point, monday).openings.len());
        }
        asked += 1;
        assert_eq!(counting.statements.load(Ordering::Relaxed), asked);
        assert_eq!(seen[seen.len() - 3], seen[seen.len() - 1]);
        seen[seen.len() - 1]
    };
    assert_eq!(look().await, 0);
    let made = stored(&client, &calendar("June", "2026-06-01", "2026-06-30")).await;
    assert_eq!(look().await, 1);
    let mut changed = made.clone();
    changed["normalHours"] = json!([
        super::hours("MONDAY", "09:00", "12:00"),
        super::hours("MONDAY", "13:00", "17:00")
    ]);
    let _ = client.put(&path(&made), &changed).await.expect(200);
    assert_eq!(look().await, 2);
    let _ = client.delete(&path(&made)).await.expect(204);
    assert_eq!(look().await, 0);
    let sql = format!("TRUNCATE {}.calendar", tenant.schema());
    let _ = records.database.query(&sql, &[]).await.expect("empty");
    assert_eq!(look().await, 0);
}
