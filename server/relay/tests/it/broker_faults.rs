//! A broker that answers slowly, and one whose disk is full.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use octavo_testkit::{FaultProxy, Upstream};
use tokio::time::Instant;
use uuid::Uuid;

use crate::broker::{Broker, TOPIC, can_run, parts_at, sent, until_sent};
use crate::fixture::{Outbox, first_times, relay};

/// Keys of the events of a test.
const KEYS: i64 = 5;

async fn tell(outbox: &Outbox, numbers: std::ops::Range<i64>) {
    for number in numbers {
        let key = Uuid::from_u128((number % KEYS) as u128);
        outbox.tell(key, number).await;
    }
}

/// Every event has arrived, those of one key in their order.
async fn all_arrived(broker: &Broker, events: i64) {
    let numbers = broker.numbers(TOPIC).await;
    for key in 0..KEYS {
        let told: Vec<i64> = (0..events).filter(|number| number % KEYS == key).collect();
        let seen = &numbers[&Uuid::from_u128(key as u128).to_string()];
        assert_eq!(first_times(seen), told);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_broker_delays_messages_and_no_writer() {
    if !can_run() {
        return;
    }
    const PORT: u16 = 19_712;
    const DELAY: Duration = Duration::from_millis(400);
    let line = FaultProxy::start(Upstream::Tcp(format!("127.0.0.1:{PORT}"))).await;
    let place = Folder::new();
    // A client follows the address that the broker tells it.
    let properties = place.0.join("advertised");
    let advertised = format!("advertised.listeners=PLAINTEXT://{}\n", line.address());
    std::fs::write(&properties, advertised).unwrap();
    let environment = vec![("KAFKA_PROPERTIES", properties.display().to_string())];
    let broker = Broker::start_with(PORT, environment).await;
    let outbox = Outbox::new().await;
    let parts = parts_at(&outbox.store, &line.address().to_string());
    let relay = relay(parts, std::slice::from_ref(&outbox.tenant));
    tell(&outbox, 0..100).await;
    until_sent(&outbox, 100).await;

    line.slow(DELAY);
    let begun = Instant::now();
    tell(&outbox, 100..600).await;
    let told = begun.elapsed();
    until_sent(&outbox, 600).await;
    let arrived = begun.elapsed();
    assert!(
        arrived >= told.min(DELAY) + DELAY,
        "the line was not slow: {arrived:?}"
    );

    line.hold();
    tell(&outbox, 600..900).await;
    // That nothing is sent can only be seen by waiting.
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert!(sent(&outbox).await < 900, "sent over a line that is held");
    line.restore();
    until_sent(&outbox, 900).await;
    relay.stop().await;
    all_arrived(&broker, 900).await;
}

/// A broker ends when it cannot write. It is started again once there is room.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broker_whose_disk_was_full_gets_everything() {
    if !can_run() {
        return;
    }
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    let environment = vec![("KAFKA_DATA", disk.0.join("data").display().to_string())];
    let mut broker = Broker::start_with(19_732, environment).await;
    let outbox = Outbox::new().await;
    let parts = parts_at(&outbox.store, &broker.at());
    let relay = relay(parts, std::slice::from_ref(&outbox.tenant));
    tell(&outbox, 0..100).await;
    until_sent(&outbox, 100).await;

    let filler = disk.fill();
    // More than fits into the page of the segment that has been begun.
    tokio::join!(tell(&outbox, 100..1_500), broker.gives_up());
    assert!(sent(&outbox).await < 1_500, "the disk was not full");

    std::fs::remove_file(filler).unwrap();
    broker.start_again();
    broker.answers().await;
    until_sent(&outbox, 1_500).await;
    relay.stop().await;
    all_arrived(&broker, 1_500).await;
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        let place = std::env::temp_dir().join(format!("octavo-broker-faults-{}", Uuid::new_v4()));
        std::fs::create_dir_all(&place).unwrap();
        Folder(place)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A file system of 96 MB in memory.
struct SmallDisk(
    PathBuf,
    #[expect(dead_code, reason = "removed after the disk")] Folder,
);

impl SmallDisk {
    fn mount() -> Option<SmallDisk> {
        let folder = Folder::new();
        let place = folder.0.join("disk");
        std::fs::create_dir(&place).unwrap();
        let mount = |arguments: &[&str]| Command::new("mount").args(arguments).arg(&place).status();
        if mount(&["-t", "tmpfs", "-o", "size=96m", "tmpfs"]).is_ok_and(|status| status.success()) {
            return Some(SmallDisk(place, folder));
        }
        eprintln!("skipped: only root may mount a small disk");
        None
    }

    /// Takes what is free; the path of the file that does.
    fn fill(&self) -> PathBuf {
        let filler = self.0.join("filler");
        let mut file = std::fs::File::create(&filler).unwrap();
        let full = std::io::copy(&mut std::io::repeat(0), &mut file);
        assert!(full.is_err(), "a disk without an end");
        filler
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: the broker is only being killed.
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}
