//! Why mod-pubsub refuses, with its messages.

use serde_json::Value;
use uuid::Uuid;

/// A refusal.
#[derive(Debug)]
pub enum Refusal {
    /// The type has another descriptor.
    OtherContent {
        event_type: String,
        stored: Value,
    },
    NoEventType(String),
    NotUpdated(String),
    NotDeleted(String),
    /// Modules are registered for the type.
    InUse {
        event_type: String,
        modules: Vec<String>,
    },
    /// A publisher's types, each with what is wrong.
    Descriptors(Vec<String>),
    NoPublisher {
        module: String,
        event_type: String,
        tenant: String,
    },
    InactivePublisher {
        module: String,
        event_type: String,
    },
    NoPayload(Uuid),
    NoModuleAndRole,
    NoDates,
    UnknownDate,
}

impl octavo_records::Refusal for Refusal {}

impl Refusal {
    /// mod-pubsub's message.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Refusal::OtherContent { event_type, stored } => format!(
                "Event descriptor for event type '{event_type}' already exists, but the content is \
                 different. Existing event descriptor: {stored}"
            ),
            Refusal::NoEventType(name) => {
                format!("Event Descriptor with event type '{name}' was not found")
            }
            Refusal::NotUpdated(name) => {
                format!("EventDescriptor with event type '{name}' was not updated")
            }
            Refusal::NotDeleted(name) => {
                format!("EventDescriptor with event type name '{name}' was not found")
            }
            Refusal::InUse {
                event_type,
                modules,
            } => format!(
                "Event type {event_type} cannot be deleted. Modules [{}] are registered as \
                 publishers or subscribers for this event type.",
                modules.join(",")
            ),
            Refusal::Descriptors(messages) => messages.join("; "),
            Refusal::NoPublisher {
                module,
                event_type,
                tenant,
            } => format!(
                "Module {module} is not registered as PUBLISHER for event type {event_type} for \
                 tenant {tenant}"
            ),
            Refusal::InactivePublisher { module, event_type } => {
                format!("Module {module} is not activated as PUBLISHER for event type {event_type}")
            }
            Refusal::NoPayload(event) => {
                format!("Couldn't find audit message payload for event {event}")
            }
            Refusal::NoModuleAndRole => {
                "ModuleId and moduleRole are required query parameters".to_owned()
            }
            Refusal::NoDates => "Start date and End date are required query parameters".to_owned(),
            Refusal::UnknownDate => "Supported date formats yyyy-MM-dd, yyyy-MM-dd'T'HH:mm:ss, \
                                     yyyy-MM-dd'T'HH:mm:ssZ"
                .to_owned(),
        }
    }
}
