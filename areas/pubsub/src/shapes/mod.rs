//! The shapes of bodies and answers, and the routes that have them. Tests compare every body and answer with its
//! shape; bodies are checked with it.

use octavo_platform::Module;

const SHAPES: &[(&str, &str)] = &[
    (
        "pubsub.audit-messages",
        include_str!("answers/audit-messages.shape"),
    ),
    (
        "pubsub.event-descriptors",
        include_str!("answers/event-descriptors.shape"),
    ),
    (
        "pubsub.messaging-modules",
        include_str!("answers/messaging-modules.shape"),
    ),
    (
        "pubsub.event-descriptor",
        include_str!("bodies/event-descriptor.shape"),
    ),
    ("pubsub.event", include_str!("bodies/event.shape")),
    (
        "pubsub.publisher-descriptor",
        include_str!("bodies/publisher-descriptor.shape"),
    ),
    (
        "pubsub.subscriber-descriptor",
        include_str!("bodies/subscriber-descriptor.shape"),
    ),
];

/// The module with its contents.
pub(crate) fn declared(module: Module) -> Module {
    module
        .shapes(SHAPES)
        .contents(include_str!("mod-pubsub.tsv"))
}
