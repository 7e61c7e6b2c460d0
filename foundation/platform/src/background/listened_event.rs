//! The database's notifications, as caches receive them.

#[derive(Debug)]
pub enum ListenedEvent {
    /// A notification.
    Notice { channel: String, payload: String },
    /// The connection is lost; notifications are missed from now on.
    Lost,
    /// The connection is back; notifications may have been missed.
    Restored,
    /// Some notifications were missed.
    Missed,
    /// The listener has ended.
    Closed,
}
