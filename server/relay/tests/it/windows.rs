//! The order in which events are read: by what has committed, and by key.

use octavo_postgres::Transaction;
use octavo_records::store::{Cursor, PortionSize, backlog, emit, index_events, read_on, reader};
use octavo_records::{Store, Tenant};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::fixture::{Outbox, first_times, with_counters};

const SIZE: PortionSize = PortionSize {
    events: 3,
    bytes: 1 << 20,
};

struct Reader<'a> {
    store: &'a Store,
    tenant: &'a Tenant,
    cursor: Cursor,
}

impl Reader<'_> {
    /// What there is to read now: keys with numbers.
    async fn all(&mut self) -> Vec<(Uuid, i64)> {
        let mut all = Vec::new();
        loop {
            let portion = read_on(&self.store.database, self.tenant, &self.cursor, SIZE).await;
            let portion = portion.unwrap();
            all.extend(portion.events().map(|event| {
                let new: Value = serde_json::from_slice(event.new.unwrap()).unwrap();
                (event.key, new["number"].as_i64().unwrap())
            }));
            if portion.cursor == self.cursor {
                return all;
            }
            self.cursor = portion.cursor;
        }
    }
}

fn from_the_first(outbox: &Outbox) -> Reader<'_> {
    Reader {
        store: &outbox.store,
        tenant: &outbox.tenant,
        cursor: Cursor::beginning(),
    }
}

#[tokio::test]
async fn a_later_commit_with_a_lower_position_is_not_left_out() {
    let outbox = Outbox::new().await;
    let (early, late) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let mut reader = from_the_first(&outbox);
    let database = &outbox.store.database;
    let slow = database.transaction().await.unwrap();
    let told = json!({"number": 1});
    emit(
        &slow,
        &outbox.tenant,
        "inventory.item",
        early,
        "UPDATE",
        &told,
    )
    .await
    .unwrap();
    outbox.tell(late, 2).await;
    // What has committed does not wait for the other.
    assert_eq!(reader.all().await, [(late, 2)]);
    assert_eq!(reader.all().await, []);
    slow.commit().await.unwrap();
    assert_eq!(reader.all().await, [(early, 1)]);
    assert_eq!(reader.all().await, []);
}

#[tokio::test]
async fn nothing_is_read_of_a_transaction_that_was_rolled_back() {
    let outbox = Outbox::new().await;
    let mut reader = from_the_first(&outbox);
    let transaction = outbox.store.database.transaction().await.unwrap();
    let told = json!({"number": 1});
    let key = Uuid::from_u128(1);
    emit(
        &transaction,
        &outbox.tenant,
        "inventory.item",
        key,
        "UPDATE",
        &told,
    )
    .await
    .unwrap();
    transaction.rollback().await.unwrap();
    outbox.tell(key, 2).await;
    assert_eq!(reader.all().await, [(key, 2)]);
}

/// The case in which the order of transactions' numbers is not that of the changes: the transaction with the
/// lower number changes the record last, while an older one than the other is still open.
#[tokio::test]
async fn a_key_keeps_its_order_when_the_older_transaction_changes_it_last() {
    let outbox = Outbox::new().await;
    let (key, other) = (Uuid::from_u128(1), Uuid::from_u128(9));
    let mut reader = from_the_first(&outbox);
    let (database, tenant) = (&outbox.store.database, &outbox.tenant);
    let say = |number: i64| json!({"number": number});
    let older = database.transaction().await.unwrap();
    emit(&older, tenant, "inventory.item", other, "UPDATE", &say(0))
        .await
        .unwrap();
    let open = database.transaction().await.unwrap();
    emit(&open, tenant, "inventory.item", other, "UPDATE", &say(7))
        .await
        .unwrap();
    // Of the highest number, and committed first.
    outbox.tell(key, 1).await;
    emit(&older, tenant, "inventory.item", key, "UPDATE", &say(2))
        .await
        .unwrap();
    older.commit().await.unwrap();
    assert_eq!(reader.all().await, [(other, 0), (key, 1), (key, 2)]);
    open.commit().await.unwrap();
    assert_eq!(reader.all().await, [(other, 7)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_writers_at_once_and_every_change_is_read_in_the_order_of_its_key() {
    const WRITERS: u128 = 8;
    const CHANGES: i64 = 40;
    let outbox = Outbox::new().await;
    let keys: Vec<Uuid> = (0..3).map(Uuid::from_u128).collect();
    with_counters(&outbox, &keys).await;
    let writers = (0..WRITERS).map(|writer| {
        let (store, tenant, keys) = (outbox.store.clone(), outbox.tenant.clone(), keys.clone());
        tokio::spawn(async move {
            for change in 0..CHANGES {
                // An own event first, so that the transaction has its number before it waits for the key.
                let own = Uuid::from_u128(100 + writer);
                let key = keys[(writer as usize + change as usize) % keys.len()];
                let transaction = store.database.transaction().await.unwrap();
                let told = json!({"number": change});
                emit(
                    &transaction,
                    &tenant,
                    "inventory.item",
                    own,
                    "UPDATE",
                    &told,
                )
                .await
                .unwrap();
                let sql =
                    "UPDATE octavo.counter SET number = number + 1 WHERE key = $1 RETURNING number";
                let rows = transaction.query(sql, &[&key]).await.unwrap();
                let told = json!({"number": rows[0].get::<_, i64>("number")});
                emit(
                    &transaction,
                    &tenant,
                    "inventory.item",
                    key,
                    "UPDATE",
                    &told,
                )
                .await
                .unwrap();
                match change % 5 {
                    4 => transaction.rollback().await.unwrap(),
                    _ => transaction.commit().await.unwrap(),
                }
            }
        })
    });
    let writers: Vec<_> = writers.collect();
    let mut reader = from_the_first(&outbox);
    let mut read = Vec::new();
    loop {
        let done = writers.iter().all(|writer| writer.is_finished());
        read.extend(reader.all().await);
        if done {
            break;
        }
    }
    for writer in writers {
        writer.await.unwrap();
    }
    let of = |key: Uuid| -> Vec<i64> {
        let of_key = read.iter().filter(|(one, _)| *one == key);
        of_key.map(|(_, number)| *number).collect()
    };
    for key in keys {
        let sql = format!("SELECT number FROM octavo.counter WHERE key = '{key}'");
        let last = outbox.number(&sql).await;
        assert_eq!(of(key), (1..=last).collect::<Vec<i64>>());
    }
    for writer in 0..WRITERS {
        let own = of(Uuid::from_u128(100 + writer));
        let committed: Vec<i64> = (0..CHANGES).filter(|change| change % 5 != 4).collect();
        assert_eq!(own, committed);
        assert_eq!(first_times(&own), own, "none is read twice");
    }
}

#[tokio::test]
async fn a_cursor_goes_on_in_the_middle_of_a_window_and_the_backlog_is_what_is_left() {
    let outbox = Outbox::new().await;
    let key = Uuid::from_u128(1);
    for number in 1..=7 {
        outbox.tell(key, number).await;
    }
    let (database, tenant) = (&outbox.store.database, &outbox.tenant);
    let left = |cursor: Cursor| async move {
        backlog(database, tenant, &cursor, 100)
            .await
            .unwrap()
            .events
    };
    assert_eq!(left(Cursor::beginning()).await, 7);
    let first = read_on(database, tenant, &Cursor::beginning(), SIZE)
        .await
        .unwrap();
    assert_eq!(first.len(), 3);
    assert_eq!(left(first.cursor.clone()).await, 4);
    // Written down and read again, as a client of the stream does.
    let cursor: Cursor = first.cursor.to_string().parse().unwrap();
    outbox.tell(key, 8).await;
    assert_eq!(left(cursor.clone()).await, 5);
    let mut reader = Reader {
        cursor,
        ..from_the_first(&outbox)
    };
    let numbers: Vec<i64> = reader
        .all()
        .await
        .iter()
        .map(|(_, number)| *number)
        .collect();
    assert_eq!(numbers, [4, 5, 6, 7, 8]);
    assert_eq!(left(reader.cursor.clone()).await, 0);
    let now = Cursor::now(database).await.unwrap();
    assert_eq!(left(now).await, 0);
}

#[tokio::test]
async fn a_portion_ends_at_its_size_and_one_event_is_always_read() {
    let outbox = Outbox::new().await;
    let key = Uuid::from_u128(1);
    for number in 1..=4 {
        outbox.tell(key, number).await;
    }
    let (database, tenant) = (&outbox.store.database, &outbox.tenant);
    let small = PortionSize {
        events: 100,
        bytes: 1,
    };
    let mut cursor = Cursor::beginning();
    for _ in 0..4 {
        let portion = read_on(database, tenant, &cursor, small).await.unwrap();
        assert_eq!(portion.len(), 1);
        cursor = portion.cursor;
    }
    assert!(
        read_on(database, tenant, &cursor, small)
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn the_index_is_made_once_and_used_however_the_outbox_grows() {
    let outbox = Outbox::new().await;
    let (database, tenant) = (&outbox.store.database, &outbox.tenant);
    for _ in 0..2 {
        assert!(index_events(database, tenant).await.unwrap());
    }
    let more = |events: u32| {
        format!(
            "INSERT INTO {{schema}}.outbox (topic, key, type, new) SELECT 'inventory.item', \
             gen_random_uuid(), 'UPDATE', '{{}}' FROM generate_series(1, {events})"
        )
    };
    // The plans are those of a small table: they are kept while it grows.
    outbox.run(&more(500)).await;
    outbox.run("ANALYZE {schema}.outbox").await;
    reader::begin(database, tenant, "test").await.unwrap();
    let reading = database.transaction().await.unwrap();
    let sql = "SET LOCAL plan_cache_mode = force_generic_plan";
    reading.execute(sql, &[]).await.unwrap();
    let now = Cursor::now(database).await.unwrap();
    read_each_way(&reading, tenant, &now).await;

    outbox.run(&more(20_000)).await;
    let key = Uuid::from_u128(1);
    let running = database.transaction().await.unwrap();
    let told = json!({"number": 1});
    emit(&running, tenant, "inventory.item", key, "UPDATE", &told)
        .await
        .unwrap();
    let now = Cursor::now(database).await.unwrap();
    running.commit().await.unwrap();
    outbox.tell(key, 2).await;
    let before = rows_read(&reading, tenant).await;
    assert_eq!(read_each_way(&reading, tenant, &now).await, 2);
    let read = rows_read(&reading, tenant).await - before;
    assert!((2..20).contains(&read), "{read} rows read for two events");
}

/// Reads by each statement that looks for unread events; gives how many they are.
async fn read_each_way(reading: &Transaction, tenant: &Tenant, cursor: &Cursor) -> usize {
    reader::keep(reading, tenant, "test", cursor).await.unwrap();
    let left = backlog(reading, tenant, cursor, 1000).await.unwrap().events;
    let looks = reader::looks(reading, tenant, "test").await.unwrap();
    let portion = read_on(reading, tenant, cursor, SIZE).await.unwrap();
    assert_eq!(usize::try_from(left).unwrap(), portion.len());
    assert_eq!(looks, Some(left > 0));
    portion.len()
}

/// The rows of the outbox that a transaction has read.
async fn rows_read(reading: &Transaction, tenant: &Tenant) -> i64 {
    let sql = "SELECT (seq_tup_read + idx_tup_fetch)::bigint AS rows \
        FROM pg_stat_xact_all_tables WHERE relid = to_regclass($1)";
    let table = format!("{}.outbox", tenant.schema());
    let rows = reading.query(sql, &[&table]).await.unwrap();
    rows[0].get("rows")
}
