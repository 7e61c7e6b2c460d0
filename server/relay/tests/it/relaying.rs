//! Events on their way: sent once and in order, held while the broker is away, parked when it never takes them.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use octavo_records::Tenant;
use octavo_records::store::{PortionSize, emit};
use octavo_relay::Parts;
use octavo_relay::memory::Memory;
use octavo_relay::message::EVENT_ID;
use serde_json::json;
use uuid::Uuid;

use crate::fixture::{Outbox, first_times, numbers, parts, relay, until};

const KEY: Uuid = Uuid::from_u128(1);

#[tokio::test]
async fn events_arrive_once_in_order_under_folios_names() {
    let outbox = Outbox::new().await;
    let sink = Arc::new(Memory::default());
    // From before the relay: what the outbox keeps is sent, too.
    for number in 0..5 {
        outbox.tell(KEY, number).await;
    }
    let relay = relay(
        parts(&outbox.store, &sink),
        std::slice::from_ref(&outbox.tenant),
    );
    until("the first are sent", || async {
        sink.messages().len() == 5
    })
    .await;
    for number in 5..40 {
        outbox.tell(KEY, number).await;
    }
    until("all are sent", || async { sink.messages().len() >= 40 }).await;
    relay.stop().await;
    let messages = sink.messages();
    assert_eq!(numbers(&messages, KEY), (0..40).collect::<Vec<i64>>());
    assert_eq!(&*messages[0].topic, "folio.diku.inventory.item");
    let ids = messages.iter().map(|message| {
        let (name, id) = &message.headers[0];
        assert_eq!(name, EVENT_ID);
        id.clone()
    });
    let mut ids: Vec<String> = ids.collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 40);
}

#[tokio::test]
async fn while_the_broker_is_away_nothing_is_lost_and_nothing_fails() {
    let outbox = Outbox::new().await;
    let sink = Arc::new(Memory::default());
    sink.set_away(true);
    let relay = relay(
        parts(&outbox.store, &sink),
        std::slice::from_ref(&outbox.tenant),
    );
    for number in 0..50 {
        outbox.tell(KEY, number).await;
    }
    assert_eq!(sink.messages().len(), 0);
    sink.set_away(false);
    until("all are sent", || async { sink.messages().len() >= 50 }).await;
    relay.stop().await;
    assert_eq!(
        numbers(&sink.messages(), KEY),
        (0..50).collect::<Vec<i64>>()
    );
}

#[tokio::test]
async fn what_is_not_taken_is_sent_again_with_all_that_follows_of_its_key() {
    let outbox = Outbox::new().await;
    let sink = Arc::new(Memory::default());
    for number in 0..60 {
        outbox
            .tell(Uuid::from_u128(number as u128 % 3), number)
            .await;
    }
    sink.fail(40);
    let parts = parts(&outbox.store, &sink);
    let status = Arc::clone(&parts.status);
    let relay = relay(parts, std::slice::from_ref(&outbox.tenant));
    let sent = || async {
        outbox
            .number("SELECT coalesce(max(events), 0) FROM {schema}.octavo_relay")
            .await
    };
    // The state is there once the relay has begun.
    until("the table of the relay has a row", || async {
        sink.messages().len() >= 40
    })
    .await;
    until("all are acknowledged", || async { sent().await == 60 }).await;
    relay.stop().await;
    assert!(status.failed.load(Ordering::Relaxed) > 0);
    let messages = sink.messages();
    for key in 0..3 {
        let told: Vec<i64> = (0..60).filter(|number| number % 3 == key).collect();
        // A repetition is allowed, one that is overtaken is not: the last of each is the last told.
        let seen = numbers(&messages, Uuid::from_u128(key as u128));
        let mut sorted = first_times(&seen);
        sorted.sort_unstable();
        assert_eq!(sorted, told);
        assert_eq!(seen.last(), told.last());
    }
}

#[tokio::test]
async fn a_message_that_is_too_large_is_parked_and_the_others_go_on() {
    let outbox = Outbox::new().await;
    let sink = Arc::new(Memory::default());
    sink.set_bytes_max(1_000);
    outbox.tell(KEY, 1).await;
    let large = json!({"number": 2, "text": "x".repeat(2_000)});
    let (database, tenant) = (&outbox.store.database, &outbox.tenant);
    emit(database, tenant, "inventory.item", KEY, "UPDATE", &large)
        .await
        .unwrap();
    // A topic that a client has named, and that cannot be.
    emit(database, tenant, "no topic", KEY, "ITERATE", &json!({}))
        .await
        .unwrap();
    outbox.tell(KEY, 3).await;
    let parts = parts(&outbox.store, &sink);
    let status = Arc::clone(&parts.status);
    let relay = relay(parts, std::slice::from_ref(&outbox.tenant));
    until("the others are sent", || async {
        sink.messages().len() == 2
    })
    .await;
    until("they are parked", || async {
        status.parked.load(Ordering::Relaxed) == 2
    })
    .await;
    relay.stop().await;
    assert_eq!(numbers(&sink.messages(), KEY), [1, 3]);
    let whole = "SELECT count(*) FROM {schema}.octavo_relay_parked AS parked JOIN {schema}.outbox \
                 AS event USING (position, event_id, topic, key, type, new) WHERE reason <> ''";
    assert_eq!(outbox.number(whole).await, 2);
    assert_eq!(status.sent.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn events_that_folio_does_not_publish_are_passed_over() {
    let outbox = Outbox::new().await;
    let sink = Arc::new(Memory::default());
    let (database, tenant) = (&outbox.store.database, &outbox.tenant);
    let told = json!({});
    emit(database, tenant, "circulation.rules", KEY, "CREATE", &told)
        .await
        .unwrap();
    emit(database, tenant, "inventory.setting", KEY, "UPDATE", &told)
        .await
        .unwrap();
    outbox.tell(KEY, 1).await;
    let parts = parts(&outbox.store, &sink);
    let status = Arc::clone(&parts.status);
    let relay = relay(parts, std::slice::from_ref(&outbox.tenant));
    until("the others are sent", || async {
        status.sent.load(Ordering::Relaxed) == 1
    })
    .await;
    relay.stop().await;
    assert_eq!(sink.messages().len(), 1);
    assert_eq!(status.skipped.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn a_large_backlog_is_sent_in_portions_and_tenants_do_not_wait_for_each_other() {
    const EVENTS: usize = 2_500;
    let outbox = Outbox::new().await;
    let other = Tenant::new("other").unwrap();
    let own = octavo_relay::module().migrations;
    outbox.store.provision(&other, &own).await.unwrap();
    outbox.list(&other).await;
    let sink = Arc::new(Memory::default());
    let many = |schema: &str, events: usize| {
        format!(
            "INSERT INTO {schema}.outbox (topic, key, type, new) SELECT 'inventory.item', \
             '00000000-0000-0000-0000-000000000001', 'UPDATE', jsonb_build_object('number', n) \
             FROM generate_series(1, {events}) AS n"
        )
    };
    outbox.run(&many("tenant_diku", EVENTS)).await;
    outbox.run(&many("tenant_other", 10)).await;
    let size = PortionSize {
        events: 100,
        bytes: 1 << 20,
    };
    let parts = Parts {
        size,
        ..parts(&outbox.store, &sink)
    };
    let relay = relay(parts, &[outbox.tenant.clone(), other]);
    until("all are sent", || async {
        sink.messages().len() >= EVENTS + 10
    })
    .await;
    relay.stop().await;
    let messages = sink.messages();
    let (of_diku, of_other): (Vec<_>, Vec<_>) = messages
        .iter()
        .cloned()
        .partition(|one| one.topic.starts_with("folio.diku."));
    assert_eq!(
        numbers(&of_diku, KEY),
        (1..=EVENTS as i64).collect::<Vec<i64>>()
    );
    assert_eq!(numbers(&of_other, KEY), (1..=10).collect::<Vec<i64>>());
}

#[tokio::test]
async fn in_a_restored_database_everything_is_sent_again_rather_than_less() {
    let outbox = Outbox::new().await;
    let sink = Arc::new(Memory::default());
    let tenants = [outbox.tenant.clone()];
    outbox.tell(KEY, 1).await;
    let first = relay(parts(&outbox.store, &sink), &tenants);
    until("it is sent", || async { sink.messages().len() == 1 }).await;
    first.stop().await;
    // As after a restore into a cluster whose transactions have much lower numbers.
    outbox
        .run("UPDATE {schema}.outbox SET xact = '900000000'")
        .await;
    outbox
        .run("UPDATE {schema}.octavo_relay SET read = '900000001:900000001:', cluster = 'another'")
        .await;
    outbox.tell(KEY, 2).await;
    let second = relay(parts(&outbox.store, &sink), &tenants);
    until("both are sent", || async { sink.messages().len() == 3 }).await;
    outbox.tell(KEY, 3).await;
    until("so is the next", || async { sink.messages().len() == 4 }).await;
    second.stop().await;
    assert_eq!(numbers(&sink.messages(), KEY), [1, 1, 2, 3]);
}
