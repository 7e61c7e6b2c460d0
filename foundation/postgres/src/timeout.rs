//! The time-outs of connections and statements in one place, because they depend on each other.

use std::time::Duration;

/// How long a statement may run, by default.
pub(crate) const STATEMENT: Duration = Duration::from_secs(30);
/// How long a transaction may be idle, by default.
pub(crate) const IDLE_IN_TRANSACTION: Duration = Duration::from_secs(30);
/// How long to wait for a connection of the pool, by default.
pub(crate) const POOL_WAIT: Duration = Duration::from_secs(10);
/// How long one attempt to connect may take, if the configuration sets no limit.
pub(crate) const CONNECT: Duration = Duration::from_secs(5);
/// How long the first connection is retried, by default.
pub(crate) const CONNECT_WAIT: Duration = Duration::from_secs(10);
/// After this long without acknowledgement the connection counts as lost; the system's own limit is
/// a quarter of an hour.
pub(crate) const UNACKNOWLEDGED: Duration = Duration::from_secs(30);
/// How long the connection for notifications may take to answer.
pub(crate) const PING: Duration = Duration::from_secs(10);
/// Without any answer for so long, while calls wait, the server is probed.
pub(crate) const QUIET: Duration = Duration::from_secs(1);
/// How long the probe may take. [`QUIET`] and this stay below the five seconds in which a hung
/// database has to be reported.
pub(crate) const PROBE: Duration = Duration::from_secs(3);
/// How long one attempt to reach a silent server again may take.
pub(crate) const PROBE_AGAIN: Duration = Duration::from_secs(3);
/// A replica that is silent for this long is dropped; reads go to the primary meanwhile.
pub(crate) const REPLICA_SILENCE: Duration = Duration::from_secs(1);
