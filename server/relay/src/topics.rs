//! The topics: what FOLIO calls each topic of the outbox, the form of its messages, and how it is made.
//! One table, `topics.tsv`.
//!
//! `family` says how the full name is formed, `none` that FOLIO's release has no such topic; `types` are
//! the types of events that FOLIO publishes there, empty for all; `made` says whether the module makes
//! the topic when it is enabled, or leaves that to the broker.

use std::collections::HashMap;
use std::sync::LazyLock;

/// How the name of a topic is formed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// `{environment}.{tenant}.{name}`
    Domain,
    /// `{environment}.Default.{tenant}.{name}`
    Default,
    /// `{environment}.pub-sub.{tenant}.{name}.mod-pubsub-{version}`
    PubSub,
}

/// The form of a topic's messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `{eventId, eventTs, type, tenant, old, new}`
    Inventory,
    /// `{id, type, tenant, timestamp, data: {old, new}}`
    Circulation,
    /// `{id, type, tenant, ts, old, new}`, where `id` is the record's
    Authority,
    /// The content itself, with the event's id as its `id`
    Audit,
    /// What an acquisitions module tells the audit of a record: its content after the change
    Snapshot,
    /// The content itself, with the tenant
    Records,
    /// `{id, eventType, eventMetadata, eventPayload}`, the content as a text
    PubSub,
}

/// A topic of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topic {
    pub family: Family,
    /// The last part of its name.
    pub name: &'static str,
    pub form: Form,
    pub partitions: i32,
    /// The module that publishes it.
    pub module: &'static str,
    /// Whether it is made when its module is enabled.
    pub made: bool,
    /// The types of events that are published; empty for all.
    types: Vec<&'static str>,
    /// The broker's settings of it.
    pub settings: Vec<(&'static str, &'static str)>,
}

impl Topic {
    /// A topic that a client has named for its own use; it has inventory's form.
    #[must_use]
    pub fn of_client() -> Topic {
        Topic {
            family: Family::Domain,
            name: "",
            form: Form::Inventory,
            partitions: 1,
            module: "",
            made: false,
            types: Vec::new(),
            settings: Vec::new(),
        }
    }

    /// Whether FOLIO publishes events of this type there.
    #[must_use]
    pub fn has(&self, kind: &str) -> bool {
        self.types.is_empty() || self.types.contains(&kind)
    }
}

/// What becomes of the events of an outbox topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    Published(Topic),
    /// FOLIO's release has no such topic.
    Unpublished,
}

static TABLE: LazyLock<HashMap<&'static str, Known>> = LazyLock::new(|| {
    let rows = include_str!("topics.tsv").lines().skip(1);
    rows.filter_map(read).collect()
});

fn read(line: &'static str) -> Option<(&'static str, Known)> {
    let cells: Vec<&'static str> = line.split('\t').collect();
    let &[
        outbox,
        family,
        name,
        form,
        partitions,
        module,
        made,
        types,
        settings,
    ] = cells.as_slice()
    else {
        return None;
    };
    let family = match family {
        "domain" => Family::Domain,
        "default" => Family::Default,
        "pubsub" => Family::PubSub,
        _ => return Some((outbox, Known::Unpublished)),
    };
    let form = match form {
        "inventory" => Form::Inventory,
        "circulation" => Form::Circulation,
        "authority" => Form::Authority,
        "audit" => Form::Audit,
        "snapshot" => Form::Snapshot,
        "records" => Form::Records,
        _ => Form::PubSub,
    };
    let topic = Topic {
        family,
        name,
        form,
        partitions: partitions.parse().ok()?,
        module,
        made: made == "yes",
        types: types.split_whitespace().collect(),
        settings: settings
            .split_whitespace()
            .filter_map(|pair| pair.split_once('='))
            .collect(),
    };
    Some((outbox, Known::Published(topic)))
}

/// The entry of an outbox topic.
#[must_use]
pub fn known(outbox: &str) -> Option<&'static Known> {
    TABLE.get(outbox)
}

/// The topics that a module makes when it is enabled.
pub fn made_by(module: &str) -> impl Iterator<Item = &'static Topic> {
    published().filter(move |topic| topic.made && topic.module == module)
}

/// All topics.
pub fn published() -> impl Iterator<Item = &'static Topic> {
    TABLE.values().filter_map(|known| match known {
        Known::Published(topic) => Some(topic),
        Known::Unpublished => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_can_be_read() {
        let lines = include_str!("topics.tsv").lines().skip(1).count();
        assert_eq!(TABLE.len(), lines);
        let unpublished = TABLE.values().filter(|one| **one == Known::Unpublished);
        assert_eq!(unpublished.count(), 1);
    }

    #[test]
    fn modules_make_as_many_topics_as_folios() {
        // Without the one for migrations, which FOLIO's module reads itself, and nobody here writes.
        assert_eq!(made_by("mod-inventory-storage").count(), 16);
        assert_eq!(made_by("mod-circulation-storage").count(), 6);
        assert_eq!(made_by("mod-feesfines").count(), 0);
        let Some(Known::Published(rules)) = known("circulation.rules") else {
            panic!("the rules have a topic");
        };
        assert!(rules.has("UPDATE") && !rules.has("CREATE"));
    }
}
