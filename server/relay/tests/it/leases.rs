//! One process at a time, and what becomes of one that had the lease.

use std::sync::Arc;
use std::time::Duration;

use octavo_records::store::{Cursor, PortionSize, read_on};
use octavo_relay::memory::Memory;
use octavo_relay::store::lease::Token;
use octavo_relay::store::{prepare, state};
use octavo_relay::{KAFKA, Lease};
use uuid::Uuid;

use crate::fixture::{Outbox, TIMES, first_times, numbers, parts, relay, store, until};

#[tokio::test]
async fn of_two_processes_one_has_the_lease_and_the_other_gets_it_when_it_ends() {
    let outbox = Outbox::new().await;
    let database = &outbox.store.database;
    prepare(database).await.unwrap();
    let take = |holder| Lease::take(database, "test", holder, TIMES);
    let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let first = take(one).await.unwrap().expect("nobody has it");
    assert!(take(two).await.unwrap().is_none());
    // It is extended for as long as somebody has it.
    tokio::time::sleep(TIMES.duration * 2).await;
    assert!(first.is_held());
    assert!(take(two).await.unwrap().is_none());
    first.release().await;
    let second = take(two).await.unwrap().expect("it was given back");
    assert_eq!(second.token.number, first.token.number + 1);
    // Dropped as by a process that was killed: it ends by itself.
    drop(second);
    until("the lease ends", || async {
        take(one).await.unwrap().is_some()
    })
    .await;
}

#[tokio::test]
async fn a_lease_that_another_has_taken_is_lost_in_time() {
    let outbox = Outbox::new().await;
    let database = &outbox.store.database;
    prepare(database).await.unwrap();
    let lease = Lease::take(database, "test", Uuid::from_u128(1), TIMES)
        .await
        .unwrap();
    let lease = lease.expect("nobody has it");
    // As after a network split: the other saw it end.
    outbox
        .run("UPDATE octavo.relay_lease SET until = clock_timestamp() - interval '1 s'")
        .await;
    let taken = Lease::take(database, "test", Uuid::from_u128(2), TIMES)
        .await
        .unwrap();
    assert!(taken.is_some());
    tokio::time::timeout(TIMES.duration, lease.lost())
        .await
        .expect("it is noticed");
    assert!(!lease.is_held());
}

#[tokio::test]
async fn whoever_has_lost_the_lease_acknowledges_nothing() {
    let outbox = Outbox::new().await;
    let (database, tenant) = (&outbox.store.database, &outbox.tenant);
    prepare(database).await.unwrap();
    outbox.tell(Uuid::from_u128(1), 1).await;
    let begun = state::begin(database, tenant, KAFKA).await.unwrap();
    assert_eq!(begun, Cursor::beginning());
    let size = PortionSize {
        events: 10,
        bytes: 1_000,
    };
    let portion = read_on(database, tenant, &begun, size).await.unwrap();
    let lease = Lease::take(database, KAFKA, Uuid::from_u128(1), TIMES)
        .await
        .unwrap();
    let token = lease.as_ref().expect("nobody has it").token;
    let acknowledge = |token: Token, from: Cursor, upto: Cursor| async move {
        let done = state::acknowledge(database, tenant, (KAFKA, token), (&from, &upto), 1, &[]);
        done.await.unwrap()
    };
    let strangers = Token {
        number: token.number + 1,
        ..token
    };
    assert!(!acknowledge(strangers, begun.clone(), portion.cursor.clone()).await);
    assert!(acknowledge(token, begun.clone(), portion.cursor.clone()).await);
    // Once more from where it is no longer.
    assert!(!acknowledge(token, begun, portion.cursor.clone()).await);
    let sent = state::read(database, tenant, KAFKA).await.unwrap().unwrap();
    assert_eq!((sent.cursor, sent.events), (portion.cursor, 1));
}

/// Three processes relay, are killed and stopped in turns while events are written: every event arrives, and the
/// first arrivals of each key are in order.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_that_are_killed_and_stopped_lose_nothing() {
    const EVENTS: i64 = 300;
    let outbox = Outbox::new().await;
    let sink = Arc::new(Memory::default());
    let tenants = [outbox.tenant.clone()];
    let stores = [store(&outbox.database).await, store(&outbox.database).await];
    let keys: Vec<Uuid> = (1..4).map(Uuid::from_u128).collect();
    let begin = |at: usize| relay(parts(&stores[at % 2], &sink), &tenants);
    let mut running = vec![begin(0), begin(1)];
    for number in 0..EVENTS {
        outbox
            .tell(keys[number as usize % keys.len()], number)
            .await;
        if number % 60 == 30 {
            let oldest = running.remove(0);
            match number % 120 {
                30 => oldest.kill(),
                _ => oldest.stop().await,
            }
            running.push(begin(number as usize));
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    let all = || async {
        sink.messages().len() >= EVENTS as usize
            && outbox
                .number("SELECT events FROM {schema}.octavo_relay")
                .await
                >= EVENTS
    };
    until("everything is sent", all).await;
    let messages = sink.messages();
    for (at, key) in keys.iter().enumerate() {
        let told: Vec<i64> = (0..EVENTS)
            .filter(|number| *number as usize % keys.len() == at)
            .collect();
        assert_eq!(first_times(&numbers(&messages, *key)), told);
    }
    for relay in running {
        relay.stop().await;
    }
}
