//! The operator's settings of Kafka, apart from the client that needs them: a program without that client
//! reads them too, and says what it lacks.

use std::fmt;

/// How Kafka is reached.
#[derive(Clone, PartialEq, Eq)]
pub struct KafkaSettings {
    /// `host:port,…`
    pub brokers: String,
    pub tls: Option<TlsSettings>,
    pub login: Option<KafkaLogin>,
    /// The copies of a topic that is made.
    pub replication: i32,
    /// The partitions of topics that have 50 in FOLIO.
    pub partitions: Option<i32>,
    /// The largest message that is sent.
    pub message_bytes: u32,
    /// Further properties of the client.
    pub extra: Vec<(String, String)>,
}

/// TLS on the connections.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TlsSettings {
    /// Whom to trust (PEM); by default those that the system trusts.
    pub authority: Option<String>,
    /// The certificate and key that the broker knows us by (PEM).
    pub identity: Option<(String, String)>,
}

/// A log-in by SASL.
#[derive(Clone, PartialEq, Eq)]
pub struct KafkaLogin {
    /// `PLAIN`, `SCRAM-SHA-256` or `SCRAM-SHA-512`
    pub mechanism: String,
    pub user: String,
    pub password: String,
}

impl fmt::Debug for KafkaSettings {
    /// Without log-in and properties: they hold passwords.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KafkaSettings")
            .field("brokers", &self.brokers)
            .field("tls", &self.tls)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for KafkaLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KafkaLogin")
            .field("mechanism", &self.mechanism)
            .finish_non_exhaustive()
    }
}

impl KafkaSettings {
    /// Settings for a broker without TLS and log-in.
    #[must_use]
    pub fn new(brokers: &str) -> KafkaSettings {
        KafkaSettings {
            brokers: brokers.to_owned(),
            tls: None,
            login: None,
            replication: 1,
            partitions: None,
            message_bytes: 10 * 1024 * 1024,
            extra: Vec::new(),
        }
    }

    /// Whether the client needs OpenSSL.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        let login = self.login.as_ref();
        self.tls.is_some() || login.is_some_and(|login| login.mechanism.starts_with("SCRAM"))
    }

    /// The client's properties for them; the operator's own last.
    #[must_use]
    pub fn properties(&self) -> Vec<(&str, &str)> {
        let protocol = match (&self.tls, &self.login) {
            (None, None) => "plaintext",
            (Some(_), None) => "ssl",
            (None, Some(_)) => "sasl_plaintext",
            (Some(_), Some(_)) => "sasl_ssl",
        };
        let mut properties = vec![("security.protocol", protocol)];
        if let Some(tls) = &self.tls {
            if let Some(authority) = &tls.authority {
                properties.push(("ssl.ca.location", authority));
            }
            if let Some((certificate, key)) = &tls.identity {
                properties.push(("ssl.certificate.location", certificate));
                properties.push(("ssl.key.location", key));
            }
        }
        if let Some(login) = &self.login {
            properties.push(("sasl.mechanisms", &login.mechanism));
            properties.push(("sasl.username", &login.user));
            properties.push(("sasl.password", &login.password));
        }
        let extra = self.extra.iter();
        properties.extend(extra.map(|(name, value)| (name.as_str(), value.as_str())));
        properties
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tls_and_log_in_choose_the_protocol_and_no_password_is_shown() {
        let mut settings = KafkaSettings::new("kafka:9092");
        let protocol = |settings: &KafkaSettings| settings.properties()[0].1.to_owned();
        assert_eq!(protocol(&settings), "plaintext");
        assert!(!settings.is_encrypted());
        settings.login = Some(KafkaLogin {
            mechanism: "PLAIN".to_owned(),
            user: "octavo".to_owned(),
            password: "hunter2".to_owned(),
        });
        assert_eq!(protocol(&settings), "sasl_plaintext");
        settings.tls = Some(TlsSettings {
            authority: Some("ca.pem".to_owned()),
            identity: None,
        });
        assert_eq!(protocol(&settings), "sasl_ssl");
        assert!(settings.is_encrypted());
        settings.extra = vec![("sasl.password".to_owned(), "hunter3".to_owned())];
        assert_eq!(
            settings.properties().last(),
            Some(&("sasl.password", "hunter3"))
        );
        assert!(!format!("{settings:?} {:?}", settings.login).contains("hunter"));
    }
}
