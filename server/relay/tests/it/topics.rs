//! Topics are made with modules, and removed when they are purged.

use std::sync::Arc;

use octavo_platform::registry;
use octavo_relay::memory::Memory;
use octavo_relay::naming::Naming;
use octavo_relay::{Parts, Subscribers};
use uuid::Uuid;

use crate::fixture::{Outbox, TIMES, parts, relay, until};

#[tokio::test]
async fn enabled_modules_have_their_topics_and_a_purged_module_has_none() {
    let outbox = Outbox::new().await;
    let sink = Arc::new(Memory::default());
    // The broker comes later than the relay.
    sink.set_away(true);
    let relay = relay(
        parts(&outbox.store, &sink),
        std::slice::from_ref(&outbox.tenant),
    );
    tokio::time::sleep(TIMES.extend_every).await;
    sink.set_away(false);
    until("topics are made", || async { sink.topics().len() == 22 }).await;
    let topics = sink.topics();
    assert_eq!(topics["folio.diku.inventory.item"].partitions, 50);
    assert_eq!(topics["folio.diku.circulation.loan"].partitions, 10);
    let records = &topics["folio.diku.inventory.reindex-records"];
    assert!(records.settings.contains(&("retention.ms", "86400000")));
    let database = &outbox.store.database;
    registry::store::note_purge(database, "diku", "mod-circulation-storage")
        .await
        .unwrap();
    until("they are removed", || async { sink.removed().len() == 6 }).await;
    assert!(
        sink.removed()
            .iter()
            .all(|topic| topic.starts_with("folio.diku.circulation."))
    );
    // The module is still enabled here, so they are made again, and events go on.
    until("they are made again", || async {
        sink.topics().len() == 22
    })
    .await;
    outbox.tell(Uuid::from_u128(1), 1).await;
    until("events go on", || async { sink.messages().len() == 1 }).await;
    relay.stop().await;
    assert_eq!(outbox.number("SELECT count(*) FROM octavo.purge").await, 0);
}

#[tokio::test]
async fn the_topics_of_a_deleted_tenant_are_removed_unless_all_tenants_share_them() {
    for shared in [false, true] {
        let outbox = Outbox::new().await;
        let sink = Arc::new(Memory::default());
        let naming = Naming::new("folio", shared.then_some("ALL")).unwrap();
        let parts = Parts {
            naming,
            ..parts(&outbox.store, &sink)
        };
        let relay = relay(parts, std::slice::from_ref(&outbox.tenant));
        until("topics are made", || async { sink.topics().len() == 22 }).await;
        relay.stop().await;
        // While nobody relays.
        outbox
            .run("DELETE FROM octavo.tenant WHERE id = 'diku'")
            .await;
        let nobody: Subscribers = Arc::new(Vec::new);
        let naming = Naming::new("folio", shared.then_some("ALL")).unwrap();
        let parts = Parts {
            naming,
            ..crate::fixture::parts(&outbox.store, &sink)
        };
        let relay = octavo_relay::Relay::begin(parts, nobody, TIMES);
        let left = || async { outbox.number("SELECT count(*) FROM octavo.purge").await };
        until("the purge is over", || async { left().await == 0 }).await;
        relay.stop().await;
        assert_eq!(sink.topics().len(), if shared { 22 } else { 0 });
    }
}
