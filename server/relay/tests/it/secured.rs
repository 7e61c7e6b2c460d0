//! TLS and log-ins at a real broker: only in a build with the feature `kafka-tls`, where openssl is, too.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use octavo_relay::Parts;
use octavo_relay::kafka::Kafka;
use octavo_relay::naming::Naming;
use octavo_relay::settings::{KafkaLogin, KafkaSettings, TlsSettings};
use octavo_relay::sink::Sink;
use uuid::Uuid;

use crate::broker::{Broker, TOPIC, can_run, sent, until_sent};
use crate::fixture::{Outbox, relay, until};

const PORT: u16 = 19_692;
const USER: &str = "octavo";
const PASSWORD: &str = "open-sesame";

/// Keys and certificates in a folder: of an authority, of the broker, and of the relay.
struct Papers(PathBuf);

impl Papers {
    fn new() -> Papers {
        let place = std::env::temp_dir().join(format!("octavo-papers-{}", Uuid::new_v4()));
        std::fs::create_dir_all(&place).unwrap();
        let papers = Papers(place);
        papers.authority("ca");
        papers.authority("stranger");
        papers.signed("broker");
        papers.signed("relay");
        // A broker reads its key and certificate from one file.
        let both = [papers.text("broker.key"), papers.text("broker.pem")].concat();
        std::fs::write(papers.0.join("both.pem"), both).unwrap();
        papers
    }

    fn authority(&self, name: &str) {
        self.openssl(&format!(
            "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={name} -keyout {name}.key -out {name}.pem"
        ));
    }

    fn signed(&self, name: &str) {
        std::fs::write(
            self.0.join("names.cnf"),
            "subjectAltName=DNS:localhost,IP:127.0.0.1\n",
        )
        .unwrap();
        self.openssl(&format!(
            "req -newkey rsa:2048 -nodes -subj /CN={name} -keyout {name}.key -out {name}.csr"
        ));
        self.openssl(&format!(
            "x509 -req -days 2 -in {name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial \
             -extfile names.cnf -out {name}.pem"
        ));
    }

    fn openssl(&self, arguments: &str) {
        let made = Command::new("openssl")
            .args(arguments.split_whitespace())
            .current_dir(&self.0)
            .output()
            .unwrap();
        assert!(made.status.success(), "{made:?}");
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Papers {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// How a listener is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Door {
    /// TLS with certificates on both sides.
    Tls,
    /// TLS and a log-in.
    TlsLogin,
    /// A log-in without TLS.
    Login,
}

impl Door {
    fn port(self) -> u16 {
        PORT + 2
            + match self {
                Door::Tls => 0,
                Door::TlsLogin => 1,
                Door::Login => 2,
            }
    }
}

/// Beside the listener for everybody, one for each kind of door.
fn properties(papers: &Papers) -> PathBuf {
    let controller = PORT + 1;
    let listeners: Vec<String> = [
        ("PLAINTEXT", PORT),
        ("SSL", Door::Tls.port()),
        ("SASL_SSL", Door::TlsLogin.port()),
        ("SASL_PLAINTEXT", Door::Login.port()),
    ]
    .iter()
    .map(|(name, port)| format!("{name}://127.0.0.1:{port}"))
    .collect();
    let listeners = listeners.join(",");
    let mut text = format!(
        "listeners={listeners},CONTROLLER://127.0.0.1:{controller}\n\
         advertised.listeners={listeners}\n\
         listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_SSL:SASL_SSL,\
         SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT\n\
         ssl.keystore.type=PEM\nssl.keystore.location={}\n\
         ssl.truststore.type=PEM\nssl.truststore.location={}\n\
         listener.name.ssl.ssl.client.auth=required\n\
         sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512\n",
        papers.path("both.pem"),
        papers.path("ca.pem"),
    );
    let package = "org.apache.kafka.common.security";
    for listener in ["sasl_ssl", "sasl_plaintext"] {
        text.push_str(&format!(
            "listener.name.{listener}.plain.sasl.jaas.config={package}.plain.PlainLoginModule required \
             user_{USER}=\"{PASSWORD}\";\n"
        ));
        for mechanism in ["scram-sha-256", "scram-sha-512"] {
            text.push_str(&format!(
                "listener.name.{listener}.{mechanism}.sasl.jaas.config={package}.scram.ScramLoginModule \
                 required;\n"
            ));
        }
    }
    let path = papers.0.join("broker.properties");
    std::fs::write(&path, text).unwrap();
    path
}

fn settings(papers: &Papers, door: Door, mechanism: &str) -> KafkaSettings {
    KafkaSettings {
        tls: (door != Door::Login).then(|| TlsSettings {
            authority: Some(papers.path("ca.pem")),
            identity: (door == Door::Tls)
                .then(|| (papers.path("relay.pem"), papers.path("relay.key"))),
        }),
        login: (door != Door::Tls).then(|| KafkaLogin {
            mechanism: mechanism.to_owned(),
            user: USER.to_owned(),
            password: PASSWORD.to_owned(),
        }),
        partitions: Some(1),
        ..KafkaSettings::new(&format!("127.0.0.1:{}", door.port()))
    }
}

fn parts(outbox: &Outbox, settings: &KafkaSettings) -> Parts {
    let kafka: Arc<dyn Sink> = Arc::new(Kafka::new(settings).unwrap());
    Parts::new(
        outbox.store.clone(),
        kafka,
        Naming::new("folio", None).unwrap(),
    )
}

fn has_openssl() -> bool {
    let found = Path::new("/usr/bin/openssl").is_file();
    if !found {
        eprintln!("skipped: there is no openssl here");
    }
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_door_of_a_broker_is_passed_with_the_right_papers_and_no_other() {
    if !can_run() || !has_openssl() {
        return;
    }
    let papers = Papers::new();
    let environment = vec![
        (
            "KAFKA_PROPERTIES",
            properties(&papers).display().to_string(),
        ),
        ("KAFKA_SCRAM", format!("{USER}:{PASSWORD}")),
    ];
    let broker = Broker::start_with(PORT, environment).await;
    let outbox = Outbox::new().await;
    let tenants = [outbox.tenant.clone()];
    let key = Uuid::from_u128(1);

    // Nobody is let in, and nothing is lost by it.
    outbox.tell(key, 0).await;
    let right = |door, mechanism| settings(&papers, door, mechanism);
    let mut password = right(Door::TlsLogin, "SCRAM-SHA-256");
    password.login = password.login.map(|login| KafkaLogin {
        password: "guessed".to_owned(),
        ..login
    });
    let mut authority = right(Door::TlsLogin, "PLAIN");
    authority.tls = Some(TlsSettings {
        authority: Some(papers.path("stranger.pem")),
        identity: None,
    });
    let mut nameless = right(Door::Tls, "");
    nameless.tls = nameless.tls.map(|tls| TlsSettings {
        identity: None,
        ..tls
    });
    for (what, wrong) in [
        ("a wrong password", password),
        ("a broker whom nobody vouches for", authority),
        ("a relay without a certificate", nameless),
    ] {
        let parts = parts(&outbox, &wrong);
        let status = Arc::clone(&parts.status);
        let relay = relay(parts, &tenants);
        until(what, || async { status.problem().is_some() }).await;
        assert_eq!(sent(&outbox).await, 0, "{what}");
        let problem = status.problem().unwrap_or_default();
        assert!(!problem.contains("guessed"), "{problem}");
        relay.stop().await;
    }

    let mut number = 0;
    for (door, mechanism) in [
        (Door::Tls, ""),
        (Door::TlsLogin, "PLAIN"),
        (Door::TlsLogin, "SCRAM-SHA-256"),
        (Door::TlsLogin, "SCRAM-SHA-512"),
        (Door::Login, "PLAIN"),
        (Door::Login, "SCRAM-SHA-256"),
        (Door::Login, "SCRAM-SHA-512"),
    ] {
        number += 1;
        outbox.tell(key, number).await;
        let relay = relay(parts(&outbox, &right(door, mechanism)), &tenants);
        until_sent(&outbox, number + 1).await;
        relay.stop().await;
    }
    let numbers = broker.numbers(TOPIC).await;
    assert_eq!(numbers[&key.to_string()], (0..=number).collect::<Vec<_>>());
}
