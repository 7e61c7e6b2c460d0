//! The statements of this area: event types, the modules registered for them, events, and what became of them.

pub mod event_types;
pub mod events;
pub mod registered;
