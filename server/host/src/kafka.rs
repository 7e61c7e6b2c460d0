//! The relay of events to Kafka: its options, and the relay of this process.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;
use octavo_platform::Platform;
use octavo_relay::naming::Naming;
use octavo_relay::settings::{KafkaLogin, KafkaSettings, TlsSettings};
use octavo_relay::sink::Sink;
use octavo_relay::{LeaseTimes, Parts, Relay, Status, Subscriber, Subscribers};

/// Options of the relay to Kafka.
#[derive(Debug, Args)]
pub struct KafkaArgs {
    /// Publish events to this Kafka: HOST:PORT, several separated by commas
    #[arg(long, env = "OCTAVO_KAFKA", value_name = "HOST:PORT,…")]
    pub kafka: Option<String>,
    /// What the names of topics begin with
    #[arg(long, env = "ENV", default_value = "folio", value_name = "NAME")]
    pub kafka_env: String,
    /// A word that stands for the tenant in the topics of all tenants
    #[arg(long, env = "KAFKA_PRODUCER_TENANT_COLLECTION", value_name = "WORD")]
    pub kafka_tenant_collection: Option<String>,
    /// Copies of each topic that is made
    #[arg(long, env = "REPLICATION_FACTOR", default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=99))]
    pub kafka_replication: i32,
    /// Partitions of the topics that have 50 in FOLIO
    #[arg(long, env = "KAFKA_DOMAIN_TOPIC_NUM_PARTITIONS", value_name = "N", value_parser = clap::value_parser!(i32).range(1..=10_000))]
    pub kafka_partitions: Option<i32>,
    /// Messages above this are parked [default: 10 MB; the broker may take less]
    #[arg(long, default_value_t = 10 * 1024 * 1024, value_name = "BYTES", requires = "kafka", value_parser = clap::value_parser!(u32).range(1_000..=1_000_000_000))]
    pub kafka_message_bytes: u32,
    /// Speak TLS to Kafka
    #[arg(long, requires = "kafka")]
    pub kafka_tls: bool,
    /// Trust this certificate authority (PEM) in place of the system's
    #[arg(long, value_name = "FILE", requires = "kafka_tls")]
    pub kafka_tls_ca: Option<PathBuf>,
    /// The certificate that Kafka knows this server by (PEM)
    #[arg(
        long,
        value_name = "FILE",
        requires = "kafka_tls_key",
        requires = "kafka_tls"
    )]
    pub kafka_tls_cert: Option<PathBuf>,
    /// The private key of --kafka-tls-cert (PEM)
    #[arg(long, value_name = "FILE", requires = "kafka_tls_cert")]
    pub kafka_tls_key: Option<PathBuf>,
    /// Log in to Kafka as this user
    #[arg(
        long,
        env = "OCTAVO_KAFKA_USER",
        value_name = "NAME",
        requires = "kafka_password_file"
    )]
    pub kafka_user: Option<String>,
    /// A file with that user's password
    #[arg(
        long,
        env = "OCTAVO_KAFKA_PASSWORD_FILE",
        value_name = "FILE",
        requires = "kafka_user"
    )]
    pub kafka_password_file: Option<PathBuf>,
    /// How the user logs in
    #[arg(long, default_value = "PLAIN", value_name = "MECHANISM", requires = "kafka_user", value_parser = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"])]
    pub kafka_sasl: String,
    /// A further property of Kafka's client (librdkafka); may be given more than once
    #[arg(long, value_name = "NAME=VALUE", requires = "kafka")]
    pub kafka_set: Vec<String>,
}

impl KafkaArgs {
    /// The settings; none without `--kafka`.
    ///
    /// # Errors
    /// A message with the remedy.
    pub fn settings(&self) -> anyhow::Result<Option<(KafkaSettings, Naming)>> {
        let Some(brokers) = &self.kafka else {
            return Ok(None);
        };
        let naming = Naming::new(&self.kafka_env, self.kafka_tenant_collection.as_deref())?;
        let text = |path: &PathBuf| path.display().to_string();
        let identity = self
            .kafka_tls_cert
            .as_ref()
            .zip(self.kafka_tls_key.as_ref());
        let tls = self.kafka_tls.then(|| TlsSettings {
            authority: self.kafka_tls_ca.as_ref().map(text),
            identity: identity.map(|(certificate, key)| (text(certificate), text(key))),
        });
        let login = match (&self.kafka_user, &self.kafka_password_file) {
            (Some(user), Some(file)) => {
                let password = std::fs::read_to_string(file)
                    .with_context(|| format!("{} cannot be read", file.display()))?;
                Some(KafkaLogin {
                    mechanism: self.kafka_sasl.clone(),
                    user: user.clone(),
                    password: password.trim_end_matches(['\r', '\n']).to_owned(),
                })
            }
            _ => None,
        };
        let mut extra = Vec::new();
        for pair in &self.kafka_set {
            match pair.split_once('=') {
                Some((name, value)) => extra.push((name.to_owned(), value.to_owned())),
                None => bail!("--kafka-set {pair}: it is of the form NAME=VALUE"),
            }
        }
        let settings = KafkaSettings {
            tls,
            login,
            replication: self.kafka_replication,
            partitions: self.kafka_partitions,
            message_bytes: self.kafka_message_bytes,
            extra,
            ..KafkaSettings::new(brokers)
        };
        Ok(Some((settings, naming)))
    }
}

/// Makes the client of Kafka.
///
/// # Errors
/// When a setting is wrong, or this program was built without the client.
#[cfg(feature = "kafka")]
pub fn sink(settings: &KafkaSettings) -> anyhow::Result<Arc<dyn Sink>> {
    let kafka = octavo_relay::kafka::Kafka::new(settings).map_err(anyhow::Error::msg)?;
    Ok(Arc::new(kafka))
}

/// Refuses: this program was built without the client of Kafka.
///
/// # Errors
/// Always.
#[cfg(not(feature = "kafka"))]
pub fn sink(_settings: &KafkaSettings) -> anyhow::Result<Arc<dyn Sink>> {
    bail!(
        "this program has no client of Kafka: build it with `make dist`, or with \
         `cargo build --release --features kafka`"
    )
}

/// The tenants of the registry, with their modules.
fn subscribers(platform: &Arc<Platform>) -> Subscribers {
    let platform = Arc::clone(platform);
    Arc::new(move || {
        let state = platform.registry.state();
        let mut all: Vec<Subscriber> = state
            .tenants
            .values()
            .map(|view| {
                let modules = view.enabled.values();
                let mut modules: Vec<String> =
                    modules.map(|module| module.product().to_owned()).collect();
                modules.sort();
                Subscriber {
                    tenant: view.tenant.clone(),
                    modules,
                }
            })
            .collect();
        all.sort_by(|one, other| one.tenant.id().cmp(other.tenant.id()));
        all
    })
}

/// Begins to relay; gives the relay and its figures.
#[must_use]
pub fn begin(
    platform: &Arc<Platform>,
    sink: Arc<dyn Sink>,
    naming: Naming,
    url: String,
) -> (Relay, Arc<Status>) {
    let modules = platform.registry.modules.iter();
    let modules: HashMap<&'static str, String> =
        modules.map(|module| (module.name, module.id())).collect();
    let parts = Parts {
        url: Some(url),
        modules: Arc::new(modules),
        ..Parts::new(platform.store.clone(), sink, naming)
    };
    let status = Arc::clone(&parts.status);
    let relay = Relay::begin(parts, subscribers(platform), LeaseTimes::default());
    (relay, status)
}
