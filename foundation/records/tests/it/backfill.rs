//! Backfills of existing records, portion by portion.

use octavo_postgres::Transaction;
use octavo_records::store::backfill::{Backfill, Portion, Unfilled, fill, unfilled};
use octavo_records::{Fault, StoreError, Tenant};
use uuid::Uuid;

use crate::shelf::Shelf;

/// Records of one portion.
const PORTION: i64 = 10;

/// Writes the titles of instances into a table, and fails at a chosen record.
struct Titles {
    breaks_at: Option<&'static str>,
}

impl Titles {
    const ALL: Titles = Titles { breaks_at: None };
}

impl Backfill for Titles {
    const TABLE: &'static str = "title_fill";
    const KIND: &'static str = "of";

    async fn portion(
        &self,
        transaction: &Transaction,
        tenant: &Tenant,
        kind: &str,
        after: Uuid,
    ) -> Result<Portion, StoreError> {
        assert!(matches!(kind, "instance" | "item"));
        let sql = format!(
            "WITH next AS MATERIALIZED (SELECT id, jsonb FROM {schema}.{kind} WHERE id > $1 \
             ORDER BY id LIMIT $2 FOR SHARE), \
             made AS (INSERT INTO {schema}.title (id, title) SELECT id, jsonb->>'title' FROM next) \
             SELECT id, jsonb->>'title' FROM next ORDER BY id",
            schema = tenant.schema()
        );
        let rows = transaction.query(&sql, &[&after, &PORTION]).await?;
        let titles = rows.iter().map(|row| row.get::<_, Option<String>>(1));
        if self
            .breaks_at
            .is_some_and(|one| titles.flatten().any(|title| title == one))
        {
            return Err(StoreError::Timeout(Fault::new("slow")));
        }
        let ids: Vec<Uuid> = rows.iter().map(|row| row.get(0)).collect();
        Ok(Portion::of(&ids, PORTION))
    }
}

/// A shelf whose tenant has so many instances, and the tables of the backfill.
async fn shelf(instances: i32) -> Shelf {
    let shelf = Shelf::new().await;
    let schema = shelf.tenant.schema();
    let sql = format!(
        "CREATE TABLE {schema}.title (id uuid PRIMARY KEY, title text); \
         CREATE TABLE {schema}.title_fill (of text PRIMARY KEY, \
         after uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000', \
         done boolean NOT NULL); \
         INSERT INTO {schema}.title_fill (of, done) VALUES ('item', false), ('instance', false); \
         INSERT INTO {schema}.instance (id, jsonb) SELECT id, jsonb_build_object('id', id, \
         'title', 't' || n) FROM (SELECT n, ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))\
         ::uuid AS id FROM generate_series(1, {instances}) AS n) AS made"
    );
    let connection = shelf.store.database.connection().await.unwrap();
    connection.batch_execute(&sql).await.unwrap();
    drop(connection);
    shelf
}

async fn titles(shelf: &Shelf) -> i64 {
    let sql = format!("SELECT count(*) FROM {}.title", shelf.tenant.schema());
    shelf.store.database.query(&sql, &[]).await.unwrap()[0].get(0)
}

async fn left(shelf: &Shelf) -> Vec<Unfilled> {
    let left = unfilled::<Titles>(&shelf.store.database, &shelf.tenant).await;
    left.unwrap()
}

#[tokio::test]
async fn several_who_fill_at_once_do_each_portion_once() {
    let shelf = shelf(95).await;
    let kinds: Vec<String> = left(&shelf).await.into_iter().map(|it| it.kind).collect();
    assert_eq!(kinds, ["instance", "item"]);
    let run = || fill(&Titles::ALL, &shelf.store.database, &shelf.tenant);
    let (one, two, three) = tokio::join!(run(), run(), run());
    // Ten portions of instances and an empty one of items; a duplicate title would have been
    // refused.
    assert_eq!(one.unwrap() + two.unwrap() + three.unwrap(), 11);
    assert_eq!(titles(&shelf).await, 95);
    assert_eq!(left(&shelf).await, []);
    assert_eq!(run().await.unwrap(), 0);
}

#[tokio::test]
async fn a_portion_that_fails_is_done_again_and_those_before_it_are_kept() {
    let shelf = shelf(30).await;
    let broken = Titles {
        breaks_at: Some("t25"),
    };
    let failed = fill(&broken, &shelf.store.database, &shelf.tenant).await;
    assert!(matches!(failed, Err(StoreError::Timeout(_))), "{failed:?}");
    assert_eq!(titles(&shelf).await, 20);
    assert_eq!(left(&shelf).await[0].after, Uuid::from_u128(0x20));
    // Thirty is a whole number of portions, so that an empty one shows the end.
    let rest = fill(&Titles::ALL, &shelf.store.database, &shelf.tenant).await;
    assert_eq!(rest.unwrap(), 3);
    assert_eq!(titles(&shelf).await, 30);
    assert_eq!(left(&shelf).await, []);
}

#[tokio::test]
async fn what_is_set_back_is_gone_through_from_its_beginning() {
    let shelf = shelf(12).await;
    let run = || fill(&Titles::ALL, &shelf.store.database, &shelf.tenant);
    assert_eq!(run().await.unwrap(), 3);
    let schema = shelf.tenant.schema();
    for sql in [
        format!("DELETE FROM {schema}.title"),
        format!(
            "UPDATE {schema}.title_fill SET done = false, \
             after = '00000000-0000-0000-0000-000000000000' WHERE of = 'instance'"
        ),
    ] {
        shelf.store.database.execute(&sql, &[]).await.unwrap();
    }
    assert_eq!(run().await.unwrap(), 2);
    assert_eq!(titles(&shelf).await, 12);
}
