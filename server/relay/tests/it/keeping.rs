//! Which events housekeeping deletes: those that were sent, where somebody relays, and none that a reader needs.

use std::sync::Arc;

use octavo_records::store::{PortionSize, read_on, reader};
use octavo_relay::memory::Memory;
use octavo_relay::store::expiry::{delete_old, is_relayed};
use uuid::Uuid;

use crate::fixture::{Outbox, parts, relay, until};

const KEY: Uuid = Uuid::from_u128(1);

#[tokio::test]
async fn without_a_relay_old_events_are_deleted_and_with_one_only_those_that_were_sent() {
    let outbox = Outbox::new().await;
    let (database, tenant) = (&outbox.store.database, &outbox.tenant);
    let old = "UPDATE {schema}.outbox SET event_ts = now() - interval '100 hours'";
    let left = || async { outbox.number("SELECT count(*) FROM {schema}.outbox").await };
    assert!(!is_relayed(database, 72).await.unwrap());
    for number in 0..3 {
        outbox.tell(KEY, number).await;
    }
    // Too young.
    assert_eq!(
        delete_old(database, tenant, (72, false), 10).await.unwrap(),
        0
    );
    outbox.run(old).await;
    // The relay has not begun with the tenant.
    assert_eq!(
        delete_old(database, tenant, (72, true), 10).await.unwrap(),
        0
    );
    assert_eq!(
        delete_old(database, tenant, (72, false), 2).await.unwrap(),
        2
    );
    let sink = Arc::new(Memory::default());
    let relay = relay(parts(&outbox.store, &sink), std::slice::from_ref(tenant));
    until("the last is sent", || async { sink.messages().len() == 1 }).await;
    assert!(is_relayed(database, 72).await.unwrap());
    sink.set_away(true);
    outbox.tell(KEY, 3).await;
    outbox.run(old).await;
    until("it is acknowledged", || async {
        outbox
            .number("SELECT events FROM {schema}.octavo_relay")
            .await
            == 1
    })
    .await;
    assert_eq!(
        delete_old(database, tenant, (72, true), 10).await.unwrap(),
        1
    );
    assert_eq!(left().await, 1, "the one that Kafka has not taken is kept");
    sink.set_away(false);
    until("it is sent", || async { sink.messages().len() == 2 }).await;
    until("and acknowledged", || async {
        outbox
            .number("SELECT events FROM {schema}.octavo_relay")
            .await
            == 2
    })
    .await;
    assert_eq!(
        delete_old(database, tenant, (72, true), 10).await.unwrap(),
        1
    );
    relay.stop().await;
    // Long after the last relay they are kept no longer.
    outbox
        .run("UPDATE octavo.relay_lease SET until = now() - interval '73 hours'")
        .await;
    assert!(!is_relayed(database, 72).await.unwrap());
}

#[tokio::test]
async fn events_that_a_reader_has_not_read_are_kept() {
    let outbox = Outbox::new().await;
    let (database, tenant) = (&outbox.store.database, &outbox.tenant);
    let old = "UPDATE {schema}.outbox SET event_ts = now() - interval '100 hours'";
    let delete = || async { delete_old(database, tenant, (72, false), 10).await.unwrap() };
    reader::begin(database, tenant, "test").await.unwrap();
    outbox.tell(KEY, 0).await;
    outbox.run(old).await;
    assert_eq!(delete().await, 0);
    let transaction = database.transaction().await.unwrap();
    let cursor = reader::hold(&transaction, tenant, "test").await.unwrap();
    let size = PortionSize {
        events: 10,
        bytes: 1_000_000,
    };
    let portion = read_on(&transaction, tenant, &cursor.unwrap(), size).await;
    let portion = portion.unwrap();
    assert_eq!(portion.len(), 1);
    reader::keep(&transaction, tenant, "test", &portion.cursor)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    assert_eq!(
        reader::looks(database, tenant, "test").await.unwrap(),
        Some(false)
    );
    outbox.tell(KEY, 1).await;
    outbox.run(old).await;
    assert_eq!(
        reader::looks(database, tenant, "test").await.unwrap(),
        Some(true)
    );
    assert_eq!(delete().await, 1, "the one that it has read");
    // A reader that has not looked for long keeps nothing.
    outbox
        .run("UPDATE {schema}.octavo_reader SET looked_at = now() - interval '73 hours'")
        .await;
    assert_eq!(delete().await, 1);
}
