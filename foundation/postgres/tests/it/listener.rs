//! Notifications, and events about lost ones.

use std::time::Duration;

use octavo_postgres::ListenerEvent;
use tokio::sync::broadcast::Receiver;

use crate::support::database;

async fn next(events: &mut Receiver<ListenerEvent>) -> ListenerEvent {
    tokio::time::timeout(Duration::from_secs(10), events.recv())
        .await
        .unwrap()
        .unwrap()
}

fn note(payload: &str) -> ListenerEvent {
    ListenerEvent::Notification {
        channel: "Patrons".to_owned(),
        payload: payload.to_owned(),
    }
}

#[tokio::test]
async fn notifications_arrive_and_a_lost_connection_is_reported_and_restored() {
    let (database, _test) = database().await;
    let listener = database.listen(&["Patrons", "other"]).await.unwrap();
    let mut events = listener.subscribe();
    let notify = "SELECT pg_notify('Patrons', $1)";
    database.query(notify, &[&"one"]).await.unwrap();
    assert_eq!(next(&mut events).await, note("one"));

    let kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                WHERE datname = current_database() AND query LIKE 'LISTEN%'";
    assert_eq!(database.query(kill, &[]).await.unwrap().len(), 1);
    assert_eq!(next(&mut events).await, ListenerEvent::Lost);
    assert_eq!(next(&mut events).await, ListenerEvent::Restored);
    database.query(notify, &[&"two"]).await.unwrap();
    assert_eq!(next(&mut events).await, note("two"));
}
