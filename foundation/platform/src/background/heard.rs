//! What the database tells of changes, as those hear it who keep something in memory.

/// What was heard.
#[derive(Debug)]
pub enum Heard {
    /// Something changed.
    Notice {
        /// What kind of thing.
        channel: String,
        /// Which one.
        payload: String,
    },
    /// Notices from now on are missed.
    Lost,
    /// Notices are heard again; there may have been some meanwhile.
    Restored,
    /// Some notices were missed.
    Missed,
    /// There will be no more.
    Closed,
}
