//! The relay to a real broker: only in a build with the feature `kafka`, where Java, Maven and kcat are; skipped with
//! the reason elsewhere, and always in CI.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use octavo_records::store::emit;
use octavo_relay::kafka::Kafka;
use octavo_relay::naming::Naming;
use octavo_relay::settings::KafkaSettings;
use octavo_relay::sink::Sink;
use octavo_relay::{Parts, Relay, Status};
use octavo_testkit::{FaultProxy, Upstream};
use serde_json::{Value, json};
use tokio::process::{Child, Command};
use tokio::time::Instant;
use uuid::Uuid;

use crate::fixture::{Outbox, first_times, relay, store, store_at, until};

/// Whether the test can run; says why not.
pub fn can_run() -> bool {
    if std::env::var_os("CI").is_some() {
        eprintln!("skipped: no broker is started in CI");
        return false;
    }
    for program in ["java", "mvn", "kcat"] {
        let found = std::env::var_os("PATH").is_some_and(|path| {
            std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
        });
        if !found {
            eprintln!("skipped: there is no {program} here");
            return false;
        }
    }
    true
}

pub struct Broker {
    child: Child,
    place: PathBuf,
    port: u16,
    environment: Environment,
}

/// Variables of the broker's script.
pub type Environment = Vec<(&'static str, String)>;

impl Broker {
    /// A broker with its data in a new folder; its programs are gotten once and kept.
    pub async fn start(port: u16) -> Broker {
        Broker::start_with(port, Vec::new()).await
    }

    /// The same with variables of its script.
    pub async fn start_with(port: u16, environment: Environment) -> Broker {
        let place = std::env::temp_dir().join(format!("octavo-broker-{}", Uuid::new_v4()));
        std::fs::create_dir_all(&place).unwrap();
        let kept = std::env::temp_dir().join("octavo-kafka").join("libs");
        if kept.is_dir() {
            std::os::unix::fs::symlink(&kept, place.join("libs")).unwrap();
        }
        let broker = Broker {
            child: begin(&place, port, &environment),
            place,
            port,
            environment,
        };
        broker.answers().await;
        if !kept.is_dir() {
            std::fs::create_dir_all(kept.parent().unwrap()).unwrap();
            let mut copying = Command::new("cp");
            copying.arg("-r").arg(broker.place.join("libs")).arg(&kept);
            let _ = copying.status().await;
        }
        broker
    }

    pub fn at(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub async fn answers(&self) {
        for _ in 0..240 {
            if kcat(&["-b", &self.at(), "-L", "-m", "2"]).await.is_some() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        panic!("the broker does not answer");
    }

    /// Waits until the broker has ended by itself.
    pub async fn gives_up(&mut self) {
        let ended = tokio::time::timeout(Duration::from_secs(60), self.child.wait()).await;
        ended.expect("the broker goes on").unwrap();
    }

    async fn kill(&mut self) {
        // The script has become the broker.
        self.child.kill().await.unwrap();
    }

    pub fn start_again(&mut self) {
        self.child = begin(&self.place, self.port, &self.environment);
    }

    /// The numbers told in a topic by key, in the order of arrival.
    pub async fn numbers(&self, topic: &str) -> BTreeMap<String, Vec<i64>> {
        let read = [
            "-b",
            &self.at(),
            "-t",
            topic,
            "-C",
            "-e",
            "-q",
            "-o",
            "beginning",
            "-f",
            "%k\t%s\n",
        ];
        let text = kcat(&read).await.unwrap_or_default();
        let mut numbers: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        for line in text.lines() {
            let Some((key, value)) = line.split_once('\t') else {
                continue;
            };
            let value: Value = serde_json::from_str(value).unwrap();
            let number = value["new"]["number"].as_i64().unwrap_or_default();
            numbers.entry(key.to_owned()).or_default().push(number);
        }
        numbers
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        let _ = self.child.start_kill();
        let _ = std::fs::remove_dir_all(&self.place);
    }
}

fn begin(place: &Path, port: u16, environment: &Environment) -> Child {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/kafka.sh");
    Command::new(script)
        .arg(place)
        .arg(port.to_string())
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("the broker's script runs")
}

async fn kcat(arguments: &[&str]) -> Option<String> {
    let asked = Command::new("kcat")
        .args(arguments)
        .kill_on_drop(true)
        .output();
    let answer = tokio::time::timeout(Duration::from_secs(60), asked)
        .await
        .ok()?
        .ok()?;
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    answer.status.success().then_some(text)
}

fn parts_of(outbox: &octavo_records::Store, broker: &Broker) -> Parts {
    parts_at(outbox, &broker.at())
}

/// The parts of a relay to the broker at this address.
pub fn parts_at(outbox: &octavo_records::Store, address: &str) -> Parts {
    let mut settings = KafkaSettings::new(address);
    settings.partitions = Some(3);
    let kafka: Arc<dyn Sink> = Arc::new(Kafka::new(&settings).unwrap());
    Parts::new(outbox.clone(), kafka, Naming::new("folio", None).unwrap())
}

pub async fn sent(outbox: &Outbox) -> i64 {
    outbox
        .number("SELECT coalesce(max(events), 0) FROM {schema}.octavo_relay")
        .await
}

pub async fn until_sent(outbox: &Outbox, events: i64) {
    for _ in 0..4_000 {
        if sent(outbox).await >= events {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("only {} of {events} events are sent", sent(outbox).await);
}

pub const TOPIC: &str = "folio.diku.inventory.item";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broker_takes_messages_in_order_and_what_is_too_large_is_parked() {
    if !can_run() {
        return;
    }
    let broker = Broker::start(19_612).await;
    let outbox = Outbox::new().await;
    let relay = relay(
        parts_of(&outbox.store, &broker),
        std::slice::from_ref(&outbox.tenant),
    );
    for number in 0..200 {
        outbox
            .tell(Uuid::from_u128(number as u128 % 7), number)
            .await;
    }
    // Above the broker's limit, and it cannot be compressed below it.
    let noise: String = (0..60_000).map(|_| Uuid::new_v4().to_string()).collect();
    let large = json!({"number": -1, "noise": noise});
    let (database, tenant) = (&outbox.store.database, &outbox.tenant);
    let key = Uuid::from_u128(1);
    emit(database, tenant, "inventory.item", key, "UPDATE", &large)
        .await
        .unwrap();
    outbox.tell(key, 200).await;
    until_sent(&outbox, 202).await;
    relay.stop().await;
    let numbers = broker.numbers(TOPIC).await;
    for key in 0..7_i64 {
        let mut told: Vec<i64> = (0..200).filter(|number| number % 7 == key).collect();
        if key == 1 {
            told.push(200);
        }
        assert_eq!(numbers[&Uuid::from_u128(key as u128).to_string()], told);
    }
    let parked = outbox
        .number("SELECT count(*) FROM {schema}.octavo_relay_parked")
        .await;
    assert_eq!(parked, 1);
    let described = kcat(&["-b", &broker.at(), "-L", "-t", TOPIC])
        .await
        .unwrap();
    assert!(described.contains("with 3 partitions"), "{described}");
}

/// Broker and relays are killed in turns; somebody deletes the topic.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broker_that_is_killed_loses_nothing_and_a_deleted_topic_comes_back() {
    if !can_run() {
        return;
    }
    const EVENTS: i64 = 600;
    let mut broker = Broker::start(19_632).await;
    let outbox = Outbox::new().await;
    let stores = [store(&outbox.database).await, store(&outbox.database).await];
    let tenants = [outbox.tenant.clone()];
    let begin = |broker: &Broker, at: usize| relay(parts_of(&stores[at], broker), &tenants);
    let mut relays: Vec<Relay> = vec![begin(&broker, 0), begin(&broker, 1)];
    for number in 0..EVENTS {
        outbox
            .tell(Uuid::from_u128(number as u128 % 5), number)
            .await;
        match number {
            150 => broker.kill().await,
            200 => broker.start_again(),
            300 => {
                relays.remove(0).kill();
                relays.push(begin(&broker, 0));
            }
            400 => {
                broker.kill().await;
                broker.start_again();
                relays.remove(0).kill();
                relays.push(begin(&broker, 1));
            }
            _ => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    }
    until_sent(&outbox, EVENTS).await;
    broker.answers().await;
    let numbers = broker.numbers(TOPIC).await;
    for key in 0..5 {
        let told: Vec<i64> = (0..EVENTS).filter(|number| number % 5 == key).collect();
        let seen = &numbers[&Uuid::from_u128(key as u128).to_string()];
        assert_eq!(first_times(seen), told);
    }
    let settings = KafkaSettings::new(&broker.at());
    let somebody = Kafka::new(&settings).unwrap();
    somebody.remove(&[TOPIC.to_owned()]).await.unwrap();
    let before = sent(&outbox).await;
    outbox.tell(Uuid::from_u128(1), EVENTS).await;
    until_sent(&outbox, before + 1).await;
    let numbers = broker.numbers(TOPIC).await;
    let seen: Vec<i64> = numbers.into_values().flatten().collect();
    assert_eq!(seen, [EVENTS]);
    for relay in relays {
        relay.stop().await;
    }
}

/// The relay that has the lease is cut off from the database, not from the broker; it comes back when another one has
/// the lease.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_relays_after_a_split_one_goes_on_and_nothing_is_lost() {
    if !can_run() {
        return;
    }
    const EVENTS: i64 = 400;
    let broker = Broker::start(19_672).await;
    let outbox = Outbox::new().await;
    let config = outbox.database.config();
    let line = FaultProxy::start(Upstream::of(&config)).await;
    let tenants = [outbox.tenant.clone()];
    let begin = |parts: Parts| {
        let status = Arc::clone(&parts.status);
        (relay(parts, &tenants), status)
    };
    let far_store = store_at(line.config(&config)).await;
    let (far, far_status) = begin(parts_of(&far_store, &broker));
    let leads = |status: &Status| status.leading.load(Ordering::Relaxed);
    until("the far one leads", || async { leads(&far_status) }).await;
    let near_store = store(&outbox.database).await;
    let (near, near_status) = begin(parts_of(&near_store, &broker));
    for number in 0..EVENTS {
        outbox
            .tell(Uuid::from_u128(number as u128 % 5), number)
            .await;
        match number {
            100 => line.hold(),
            250 => {
                until("the near one leads", || async { leads(&near_status) }).await;
                assert!(!leads(&far_status), "two lead at the same time");
                line.restore();
            }
            _ => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    }
    until_sent(&outbox, EVENTS).await;
    let both = leads(&far_status) && leads(&near_status);
    assert!(!both, "two lead at the same time");
    far.stop().await;
    near.stop().await;
    let numbers = broker.numbers(TOPIC).await;
    for key in 0..5 {
        let told: Vec<i64> = (0..EVENTS).filter(|number| number % 5 == key).collect();
        let seen = &numbers[&Uuid::from_u128(key as u128).to_string()];
        assert_eq!(first_times(seen), told);
    }
}

/// Prints how fast a backlog is sent; the figure of a debug build on a busy machine is no claim.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backlog_is_caught_up() {
    if !can_run() {
        return;
    }
    const EVENTS: i64 = 20_000;
    let broker = Broker::start(19_652).await;
    let outbox = Outbox::new().await;
    let many = format!(
        "INSERT INTO {{schema}}.outbox (topic, key, type, new, was) SELECT 'inventory.item', \
         ('00000000-0000-0000-0000-' || lpad((n % 1000)::text, 12, '0'))::uuid, 'UPDATE', \
         jsonb_build_object('number', n, 'text', repeat('x', 900)), '{{\"number\": 0}}' \
         FROM generate_series(1, {EVENTS}) AS n"
    );
    outbox.run(&many).await;
    let relay = relay(
        parts_of(&outbox.store, &broker),
        std::slice::from_ref(&outbox.tenant),
    );
    let begun = Instant::now();
    until_sent(&outbox, EVENTS).await;
    let seconds = begun.elapsed().as_secs_f64();
    eprintln!(
        "{:.0} events/s, with the making of topics",
        EVENTS as f64 / seconds
    );
    relay.stop().await;
    let numbers = broker.numbers(TOPIC).await;
    assert_eq!(
        numbers.values().map(Vec::len).sum::<usize>(),
        EVENTS as usize
    );
    assert!(numbers.values().all(|of_key| of_key.is_sorted()));
}
