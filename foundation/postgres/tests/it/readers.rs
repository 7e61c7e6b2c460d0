//! Reads on a real streaming replica: caught up, paused, killed, promoted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use octavo_postgres::testing::{Primary, Replica, TestCluster};
use octavo_postgres::{
    Config, Database, DatabaseError, DatabaseOptions, Lsn, Position, ReaderOptions, Readers,
};

use crate::support::eventually;

/// A very long wait for replicas: these tests also run on busy machines.
const PATIENT: Duration = Duration::from_secs(20);
const WAIT: Duration = Duration::from_millis(50);

struct Shop {
    primary: Primary,
    writer: Database,
}

impl Shop {
    async fn open() -> Shop {
        Shop::open_with("").await
    }

    async fn open_with(settings: &str) -> Shop {
        let primary = Primary::start_with(settings).await;
        let writer = Database::connect(DatabaseOptions::new(primary.config()))
            .await
            .unwrap();
        writer
            .execute("CREATE TABLE sale (number int8 PRIMARY KEY)", &[])
            .await
            .unwrap();
        Shop { primary, writer }
    }

    async fn sell(&self, number: i64) {
        let sql = "INSERT INTO sale VALUES ($1)";
        assert_eq!(self.writer.execute(sql, &[&number]).await.unwrap(), 1);
    }
}

async fn readers(writer: &Database, places: Vec<Config>, wait: Duration) -> Readers {
    let options = ReaderOptions {
        lanes: 2,
        wait,
        ..ReaderOptions::new(places)
    };
    Readers::start(writer, options).await.unwrap()
}

async fn readers_up(writer: &Database, replicas: &[&Replica]) -> Readers {
    let places = replicas.iter().map(|one| one.config()).collect();
    let readers = readers(writer, places, PATIENT).await;
    up(&readers, replicas.len()).await;
    readers
}

async fn up(readers: &Readers, count: usize) {
    eventually("the readers are up", || async {
        let status = readers.status().readers;
        status.iter().filter(|one| one.position.is_some()).count() == count
    })
    .await;
}

/// A read as a caller does it: on the replica, or on the writer when there is none or it fails.
async fn sales(readers: &Readers, writer: &Database, carried: Option<Position>) -> i64 {
    let sql = "SELECT count(*) FROM sale";
    if let Some(lease) = readers.lease(carried).await {
        let found = tokio::select! {
            found = lease.database().query(sql, &[]) => found.ok(),
            () = lease.gone() => None,
        };
        if let Some(rows) = found {
            return rows[0].get(0);
        }
        lease.failed();
    }
    writer.query(sql, &[]).await.unwrap()[0].get(0)
}

async fn is_replica(database: &Database) -> bool {
    let rows = database.query("SELECT pg_is_in_recovery()", &[]).await;
    rows.unwrap()[0].get(0)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_sees_every_commit_acknowledged_before_and_is_done_on_the_replica() {
    let shop = Shop::open().await;
    let replica = shop.primary.replica().await;
    let readers = readers_up(&shop.writer, &[&replica]).await;
    for number in 1..=200 {
        shop.sell(number).await;
        assert_eq!(sales(&readers, &shop.writer, None).await, number);
    }
    let lease = readers.lease(None).await.expect("a replica that is up");
    assert!(is_replica(lease.database()).await);
    let status = readers.status();
    assert_eq!(status.readers[0].reads, 201, "{status:?}");
    assert_eq!(status.readers[0].failed, 0);
    // A replica accepts single statements only: just its lanes are known to belong to its present
    // run.
    for refused in [
        lease.database().transaction().await.err(),
        lease.database().connection().await.err(),
    ] {
        assert!(
            matches!(refused, Some(DatabaseError::Unavailable { .. })),
            "{refused:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_replay_is_paused_reads_wait_once_and_then_go_to_the_writer() {
    let shop = Shop::open().await;
    let replica = shop.primary.replica().await;
    let readers = readers(&shop.writer, vec![replica.config()], WAIT).await;
    up(&readers, 1).await;
    shop.sell(1).await;
    let before = readers.position().await.unwrap();
    eventually("it is replayed", || async {
        readers.lease(Some(before)).await.is_some()
    })
    .await;

    replica.pause().await;
    shop.sell(2).await;
    let begun = Instant::now();
    assert!(readers.lease(None).await.is_none());
    assert!(begun.elapsed() >= WAIT, "{:?}", begun.elapsed());
    assert_eq!(sales(&readers, &shop.writer, None).await, 2);
    let waits = readers.status().waits;
    let questions = readers.status().questions;
    for _ in 0..50 {
        assert_eq!(sales(&readers, &shop.writer, None).await, 2);
    }
    assert_eq!(
        readers.status().waits,
        waits,
        "one that lags is not waited for"
    );
    assert_eq!(readers.status().questions, questions);
    // A caller with an older position may read there all the same.
    let lease = readers
        .lease(Some(before))
        .await
        .expect("the replica has it");
    assert!(is_replica(lease.database()).await);

    replica.resume().await;
    eventually("the replica is read from again", || async {
        readers.lease(None).await.is_some()
    })
    .await;
    assert_eq!(sales(&readers, &shop.writer, None).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_that_resumes_in_time_is_waited_for() {
    let shop = Shop::open().await;
    let replica = shop.primary.replica().await;
    let readers = readers_up(&shop.writer, &[&replica]).await;
    replica.pause().await;
    shop.sell(1).await;
    let lease = {
        let readers = readers.clone();
        tokio::spawn(async move { readers.lease(None).await })
    };
    eventually("the read waits", || async { readers.status().waits == 1 }).await;
    replica.resume().await;
    assert!(lease.await.unwrap().is_some());
    assert_eq!(sales(&readers, &shop.writer, None).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_absurd_position_costs_no_more_than_none() {
    let shop = Shop::open().await;
    let replica = shop.primary.replica().await;
    let readers = readers_up(&shop.writer, &[&replica]).await;
    shop.sell(1).await;
    let known = readers.position().await.unwrap();
    for (timeline, lsn) in [
        (known.timeline, u64::MAX),
        (known.timeline + 1, known.lsn.0),
        (u32::MAX, u64::MAX),
        (0, 0),
    ] {
        let carried = Position {
            timeline,
            lsn: Lsn(lsn),
        };
        let begun = Instant::now();
        assert_eq!(sales(&readers, &shop.writer, Some(carried)).await, 1);
        assert!(begun.elapsed() < Duration::from_secs(5), "{carried}");
    }
    // Nor does it delay or mislead other reads.
    shop.sell(2).await;
    assert_eq!(sales(&readers, &shop.writer, None).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eight_at_once_ask_the_writer_less_often_than_they_read() {
    let shop = Arc::new(Shop::open().await);
    let replica = shop.primary.replica().await;
    let readers = readers_up(&shop.writer, &[&replica]).await;
    let before = readers.status().questions;
    let committed = Arc::new(AtomicUsize::new(0));
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..64 {
        let (readers, shop, committed) =
            (readers.clone(), Arc::clone(&shop), Arc::clone(&committed));
        tasks.spawn(async move {
            for _ in 0..50 {
                let floor = committed.load(Ordering::SeqCst);
                let found = sales(&readers, &shop.writer, None).await;
                assert!(found >= floor as i64, "{found} of {floor}");
            }
        });
    }
    for number in 1..=100 {
        shop.sell(number).await;
        committed.store(number as usize, Ordering::SeqCst);
    }
    while let Some(ended) = tasks.join_next().await {
        ended.unwrap();
    }
    let asked = readers.status().questions - before;
    assert!(asked < 64 * 50 / 2, "{asked} questions for 3200 reads");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_killed_under_load_costs_no_read_and_comes_back() {
    let shop = Arc::new(Shop::open().await);
    let replica = shop.primary.replica().await;
    let readers = readers_up(&shop.writer, &[&replica]).await;
    let stop = Arc::new(AtomicBool::new(false));
    let done = Arc::new(AtomicUsize::new(0));
    let committed = Arc::new(AtomicUsize::new(0));
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (readers, shop, committed) =
            (readers.clone(), Arc::clone(&shop), Arc::clone(&committed));
        let (stop, done) = (Arc::clone(&stop), Arc::clone(&done));
        tasks.spawn(async move {
            while !stop.load(Ordering::SeqCst) {
                let floor = committed.load(Ordering::SeqCst);
                let found = sales(&readers, &shop.writer, None).await;
                assert!(found >= floor as i64, "{found} of {floor}");
                done.fetch_add(1, Ordering::SeqCst);
            }
        });
    }
    let mut number = 0;
    for _ in 0..3 {
        let reads = readers.status().readers[0].reads;
        eventually("the replica is read from", || async {
            readers.status().readers[0].reads > reads + 100
        })
        .await;
        replica.kill();
        for _ in 0..100 {
            number += 1;
            shop.sell(number).await;
            committed.store(number as usize, Ordering::SeqCst);
        }
        up(&readers, 1).await;
    }
    stop.store(true, Ordering::SeqCst);
    while let Some(ended) = tasks.join_next().await {
        ended.unwrap();
    }
    assert!(done.load(Ordering::SeqCst) > 300);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_replicas_take_turns_and_the_one_that_lags_is_left_out() {
    let shop = Shop::open().await;
    let (one, other) = (shop.primary.replica().await, shop.primary.replica().await);
    let readers = readers_up(&shop.writer, &[&one, &other]).await;
    eventually("both are read from", || async {
        sales(&readers, &shop.writer, None).await;
        readers.status().readers.iter().all(|one| one.reads > 10)
    })
    .await;
    one.pause().await;
    shop.sell(1).await;
    let before = readers.status();
    for _ in 0..20 {
        assert_eq!(sales(&readers, &shop.writer, None).await, 1);
    }
    let after = readers.status();
    assert_eq!(before.readers[0].reads, after.readers[0].reads);
    assert_eq!(before.readers[1].reads + 20, after.readers[1].reads);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn neither_a_promoted_replica_nor_a_stranger_nor_a_dead_one_is_read_from() {
    let shop = Shop::open().await;
    let mut replica = shop.primary.replica().await;
    let why = |readers: &Readers| readers.status().readers[0].why_down.clone();

    let dead: Config = "postgresql://app:hushhush@127.0.0.1:1/octavo"
        .parse()
        .unwrap();
    let begun = Instant::now();
    let nobody = readers(&shop.writer, vec![dead], WAIT).await;
    assert!(nobody.lease(None).await.is_none());
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
    eventually("it is tried", || async { why(&nobody).contains("refused") }).await;
    assert!(!format!("{nobody:?}").contains("hushhush"));

    let same = readers(&shop.writer, vec![shop.primary.config()], WAIT).await;
    eventually("it is tried", || async {
        why(&same).contains("no replica")
    })
    .await;
    let stranger = TestCluster::shared().config("postgres");
    let other = readers(&shop.writer, vec![stranger], WAIT).await;
    eventually("it is tried", || async {
        why(&other).contains("no replica")
    })
    .await;

    let readers = readers_up(&shop.writer, &[&replica]).await;
    replica.promote().await;
    eventually("it is seen", || async {
        why(&readers).contains("promoted")
    })
    .await;
    assert!(readers.lease(None).await.is_none());
    replica.stop().await;
    replica.start().await;
    shop.sell(1).await;
    assert_eq!(sales(&readers, &shop.writer, None).await, 1);
    assert!(readers.status().readers[0].position.is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commits_that_are_acknowledged_before_they_are_flushed_are_seen_too() {
    let shop = Shop::open_with("synchronous_commit = off\nwal_writer_delay = 10s").await;
    let replica = shop.primary.replica().await;
    let readers = readers(&shop.writer, vec![replica.config()], WAIT).await;
    up(&readers, 1).await;
    for number in 1..=20 {
        shop.sell(number).await;
        assert_eq!(sales(&readers, &shop.writer, None).await, number);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_fail_over_a_replica_that_did_not_follow_is_not_read_from() {
    let shop = Shop::open().await;
    let (heir, loyal) = (shop.primary.replica().await, shop.primary.replica().await);
    shop.sell(1).await;
    let old = readers_up(&shop.writer, &[&heir, &loyal]).await;
    assert_eq!(sales(&old, &shop.writer, None).await, 1);
    heir.promote().await;
    // The old writer continues without knowing, and its own replica with it: further than the
    // promoted one.
    for number in 2..=100 {
        shop.sell(number).await;
    }
    let heir = Database::connect(DatabaseOptions::new(heir.config()))
        .await
        .unwrap();
    let new = readers_up(&heir, &[&loyal]).await;
    let position = new.position().await.unwrap();
    assert_eq!(position.timeline, 2);
    eventually("the loyal replica is further", || async {
        let its = new.status().readers[0].position.unwrap();
        its.timeline == 1 && its.lsn > position.lsn
    })
    .await;
    assert!(new.lease(None).await.is_none());
    assert!(new.lease(Some(position)).await.is_none());
    assert_eq!(sales(&new, &heir, None).await, 1);
}
