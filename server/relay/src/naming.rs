//! The full names of topics: environment, tenant or the word that stands for all tenants, and the part
//! that the module gives.

use crate::topics::{Family, Topic};

/// FOLIO's module that its topics of pub-sub name.
const PUBSUB: &str = "mod-pubsub-2.16.3";
/// The longest name that Kafka takes.
const NAME_BYTES_MAX: usize = 249;

/// How topics are named in this installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Naming {
    environment: String,
    collection: Option<String>,
}

/// Why an installation's topics cannot be named so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NamingError {
    #[error(
        "the environment {0:?} cannot begin a topic's name: it may have letters, digits, . _ and -"
    )]
    Environment(String),
    #[error("the tenant collection {0:?} must match [A-Z][A-Z0-9]{{0,30}}")]
    Collection(String),
}

impl Naming {
    /// Names that begin with this environment; with a collection, its word stands for the tenant in the
    /// topics of all tenants.
    ///
    /// # Errors
    /// When either cannot be part of a topic's name.
    pub fn new(environment: &str, collection: Option<&str>) -> Result<Naming, NamingError> {
        if !is_legal(environment) {
            return Err(NamingError::Environment(environment.to_owned()));
        }
        if let Some(word) = collection.filter(|word| !is_collection(word)) {
            return Err(NamingError::Collection(word.to_owned()));
        }
        Ok(Naming {
            environment: environment.to_owned(),
            collection: collection.map(str::to_owned),
        })
    }

    /// Whether all tenants share their topics.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.collection.is_some()
    }

    /// The full name of a topic of a tenant.
    #[must_use]
    pub fn topic(&self, topic: &Topic, tenant: &str) -> String {
        let (environment, tenant) = (&self.environment, self.tenant(tenant));
        let name = topic.name;
        match topic.family {
            Family::Domain => format!("{environment}.{tenant}.{name}"),
            Family::Default => format!("{environment}.Default.{tenant}.{name}"),
            Family::PubSub => format!("{environment}.pub-sub.{tenant}.{name}.{PUBSUB}"),
        }
    }

    /// The full name of a topic that a client has named, as for the iteration of instances; none when
    /// Kafka does not take it.
    #[must_use]
    pub fn of_client(&self, name: &str, tenant: &str) -> Option<String> {
        let full = format!("{}.{}.{name}", self.environment, self.tenant(tenant));
        (is_legal(name) && full.len() <= NAME_BYTES_MAX).then_some(full)
    }

    fn tenant<'a>(&'a self, tenant: &'a str) -> &'a str {
        self.collection.as_deref().unwrap_or(tenant)
    }
}

fn is_legal(name: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    !name.is_empty() && name.len() <= NAME_BYTES_MAX && name.bytes().all(legal)
}

fn is_collection(word: &str) -> bool {
    let mut bytes = word.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_uppercase())
        && word.len() <= 31
        && bytes.all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topics::{Known, known};

    fn named(naming: &Naming, outbox: &str) -> String {
        match known(outbox) {
            Some(Known::Published(topic)) => naming.topic(topic, "diku"),
            other => panic!("{outbox}: {other:?}"),
        }
    }

    #[test]
    fn names_are_folios() {
        let each = Naming::new("folio", None).expect("names");
        let all = Naming::new("prod-1", Some("ALL")).expect("names");
        for (outbox, of_each, of_all) in [
            (
                "inventory.item",
                "folio.diku.inventory.item",
                "prod-1.ALL.inventory.item",
            ),
            (
                "ACQ_ORDER_CHANGED",
                "folio.Default.diku.ACQ_ORDER_CHANGED",
                "prod-1.Default.ALL.ACQ_ORDER_CHANGED",
            ),
            (
                "circulation.ITEM_CHECKED_OUT",
                "folio.pub-sub.diku.ITEM_CHECKED_OUT.mod-pubsub-2.16.3",
                "prod-1.pub-sub.ALL.ITEM_CHECKED_OUT.mod-pubsub-2.16.3",
            ),
        ] {
            assert_eq!(named(&each, outbox), of_each);
            assert_eq!(named(&all, outbox), of_all);
        }
        let own = each.of_client("inventory.mine", "diku");
        assert_eq!(own.as_deref(), Some("folio.diku.inventory.mine"));
        assert_eq!(each.of_client("no topic", "diku"), None);
        assert_eq!(each.of_client(&"x".repeat(240), "diku"), None);
    }

    #[test]
    fn what_cannot_be_named_is_refused_at_the_start() {
        for word in ["all", "1A", "", "A_B", &"A".repeat(32)] {
            let refused = Naming::new("folio", Some(word));
            assert_eq!(refused, Err(NamingError::Collection(word.to_owned())));
        }
        assert!(Naming::new("fo lio", None).is_err());
    }
}
