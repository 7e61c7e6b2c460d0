//! The sink that is Kafka. Messages are sent idempotently and in order; what is late is waited for, not given
//! up, so that a message never overtakes one before it.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use rdkafka::admin::{AdminClient, AdminOptions, NewTopic as KafkaTopic, TopicReplication};
use rdkafka::client::DefaultClientContext;
use rdkafka::config::ClientConfig;
use rdkafka::error::{KafkaError, KafkaResult, RDKafkaErrorCode};
use rdkafka::message::{Header, OwnedHeaders};
use rdkafka::producer::DeliveryFuture;
use rdkafka::producer::{FutureProducer, FutureRecord, Producer, PurgeConfig};

use crate::message::Message;
use crate::settings::KafkaSettings;
use crate::sink::{NewTopic, Outcome, Sink};

/// How long the broker may take to make or remove topics.
const ADMIN_TIMEOUT: Duration = Duration::from_secs(20);
/// Topics that are made in one request.
const TOPICS_AT_ONCE: usize = 50;
/// The pause while the client's queue is full.
const QUEUE_PAUSE: Duration = Duration::from_millis(5);
/// The number of partitions that the operator may replace.
const MANY: i32 = 50;

/// Kafka.
pub struct Kafka {
    config: ClientConfig,
    producer: Mutex<Arc<FutureProducer>>,
    admin: AdminClient<DefaultClientContext>,
    replication: i32,
    partitions: Option<i32>,
}

impl fmt::Debug for Kafka {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kafka").finish_non_exhaustive()
    }
}

impl Kafka {
    /// A client. It connects by itself, when the broker is there.
    ///
    /// # Errors
    /// When a setting is wrong, or this build's client does not have it.
    pub fn new(settings: &KafkaSettings) -> Result<Kafka, String> {
        let config = config(settings);
        let making = |error: KafkaError| match settings.is_encrypted() {
            true => format!(
                "the client of Kafka cannot be made: {error}; TLS and SCRAM are in programs that were built with \
                 --features kafka-tls"
            ),
            false => format!("the client of Kafka cannot be made: {error}"),
        };
        let producer: FutureProducer = config.create().map_err(making)?;
        let admin = config.create().map_err(making)?;
        Ok(Kafka {
            config,
            producer: Mutex::new(Arc::new(producer)),
            admin,
            replication: settings.replication,
            partitions: settings.partitions,
        })
    }

    /// The producer; a new one when the last cannot go on.
    fn producer(&self) -> Arc<FutureProducer> {
        let mut producer = self.producer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((code, reason)) = producer.client().fatal_error() {
            tracing::warn!(%code, reason, "the client of Kafka cannot go on; it is made anew");
            match self.config.create() {
                Ok(new) => *producer = Arc::new(new),
                Err(error) => tracing::warn!(%error, "the client of Kafka cannot be made"),
            }
        }
        Arc::clone(&producer)
    }

    async fn send_all(&self, messages: &[Message]) -> Vec<Outcome> {
        let producer = self.producer();
        // What is still in the client's queue when this future is dropped must not be sent later.
        let mut unsent = Unsent(Some(Arc::clone(&producer)));
        let mut sending = Vec::with_capacity(messages.len());
        for message in messages {
            sending.push(enqueue(&producer, message).await);
        }
        let mut outcomes = Vec::with_capacity(messages.len());
        for one in sending {
            outcomes.push(match one {
                Ok(delivery) => delivered(delivery).await,
                Err(error) => failed(&error),
            });
        }
        unsent.0 = None;
        outcomes
    }
}

impl Sink for Kafka {
    fn send<'a>(&'a self, messages: &'a [Message]) -> BoxFuture<'a, Vec<Outcome>> {
        async move {
            let mut outcomes = self.send_all(messages).await;
            // The broker refuses a request as a whole: whether a message is too large shows when it is alone.
            for (message, outcome) in messages.iter().zip(&mut outcomes) {
                if matches!(outcome, Outcome::Refused(_)) && messages.len() > 1 {
                    let alone = self.send_all(std::slice::from_ref(message)).await;
                    *outcome = alone
                        .into_iter()
                        .next()
                        .unwrap_or(Outcome::Failed(String::new()));
                }
            }
            outcomes
        }
        .boxed()
    }

    fn make<'a>(&'a self, topics: &'a [NewTopic]) -> BoxFuture<'a, Result<(), String>> {
        async move {
            let options = AdminOptions::new()
                .request_timeout(Some(ADMIN_TIMEOUT))
                .operation_timeout(Some(ADMIN_TIMEOUT));
            for portion in topics.chunks(TOPICS_AT_ONCE) {
                let wanted: Vec<KafkaTopic<'_>> = portion
                    .iter()
                    .map(|topic| {
                        let partitions = match (topic.partitions, self.partitions) {
                            (MANY, Some(partitions)) => partitions,
                            (partitions, _) => partitions,
                        };
                        let replication = TopicReplication::Fixed(self.replication);
                        let made = KafkaTopic::new(&topic.name, partitions, replication);
                        let settings = topic.settings.iter();
                        settings.fold(made, |made, (name, value)| made.set(name, value))
                    })
                    .collect();
                let made = self.admin.create_topics(&wanted, &options).await;
                let made = made.map_err(|error| error.to_string())?;
                let there = RDKafkaErrorCode::TopicAlreadyExists;
                refused(made, there)?;
            }
            Ok(())
        }
        .boxed()
    }

    fn remove<'a>(&'a self, names: &'a [String]) -> BoxFuture<'a, Result<(), String>> {
        async move {
            let options = AdminOptions::new().request_timeout(Some(ADMIN_TIMEOUT));
            for portion in names.chunks(TOPICS_AT_ONCE) {
                let names: Vec<&str> = portion.iter().map(String::as_str).collect();
                let removed = self.admin.delete_topics(&names, &options).await;
                let removed = removed.map_err(|error| error.to_string())?;
                refused(removed, RDKafkaErrorCode::UnknownTopicOrPartition)?;
            }
            Ok(())
        }
        .boxed()
    }
}

type TopicResults = Vec<Result<String, (String, RDKafkaErrorCode)>>;

/// The first refusal other than the one that means that there is nothing to do.
fn refused(results: TopicResults, nothing: RDKafkaErrorCode) -> Result<(), String> {
    for result in results {
        match result {
            Err((topic, code)) if code != nothing => return Err(format!("{topic}: {code}")),
            _ => {}
        }
    }
    Ok(())
}

/// Puts a message into the client's queue, waiting while that is full.
async fn enqueue(producer: &FutureProducer, message: &Message) -> KafkaResult<DeliveryFuture> {
    let mut headers = OwnedHeaders::new_with_capacity(message.headers.len());
    for (key, value) in &message.headers {
        headers = headers.insert(Header {
            key,
            value: Some(value),
        });
    }
    let mut record = FutureRecord::to(&message.topic)
        .payload(&message.value)
        .headers(headers);
    if let Some(key) = &message.key {
        record = record.key(key);
    }
    loop {
        match producer.send_result(record) {
            Ok(delivery) => return Ok(delivery),
            Err((KafkaError::MessageProduction(RDKafkaErrorCode::QueueFull), back)) => {
                record = back;
                tokio::time::sleep(QUEUE_PAUSE).await;
            }
            Err((error, _)) => return Err(error),
        }
    }
}

async fn delivered(delivery: DeliveryFuture) -> Outcome {
    match delivery.await {
        Ok(Ok(_)) => Outcome::Sent,
        Ok(Err((error, _))) => failed(&error),
        Err(_) => Outcome::Failed("the client of Kafka was closed".to_owned()),
    }
}

fn failed(error: &KafkaError) -> Outcome {
    let reason = error.to_string();
    match error.rdkafka_error_code() {
        Some(RDKafkaErrorCode::MessageSizeTooLarge | RDKafkaErrorCode::InvalidTopic) => {
            Outcome::Refused(reason)
        }
        _ => Outcome::Failed(reason),
    }
}

/// Empties the client's queue when it is dropped, unless everything was answered.
struct Unsent(Option<Arc<FutureProducer>>);

impl Drop for Unsent {
    fn drop(&mut self) {
        if let Some(producer) = self.0.take() {
            producer.purge(PurgeConfig::default().queue().inflight());
        }
    }
}

fn config(settings: &KafkaSettings) -> ClientConfig {
    let mut config = ClientConfig::new();
    config
        .set("bootstrap.servers", &settings.brokers)
        .set("client.id", "octavo")
        .set("enable.idempotence", "true")
        // Never given up: a message that comes late would otherwise be overtaken by those behind it.
        .set("message.timeout.ms", "0")
        // The same key in the same partition as with the client in Java.
        .set("partitioner", "murmur2_random")
        .set("compression.type", "lz4")
        .set("linger.ms", "5")
        // Below every usual limit of a broker, so that only a message that is alone can be too large.
        .set("batch.size", "500000")
        .set("message.max.bytes", settings.message_bytes.to_string())
        .set("queue.buffering.max.messages", "200000")
        .set("queue.buffering.max.kbytes", "131072")
        // A topic that is missing is made by the relay.
        .set("topic.metadata.propagation.max.ms", "3000")
        .set("topic.metadata.refresh.interval.ms", "30000")
        .set("reconnect.backoff.max.ms", "2000");
    for (name, value) in settings.properties() {
        config.set(name, value);
    }
    config
}
