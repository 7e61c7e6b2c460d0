//! The lease of this process: taken, extended in the background, and given up in time.

use std::sync::Arc;
use std::time::Duration;

use octavo_postgres::Database;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::Instant;
use uuid::Uuid;

use crate::store::lease::{self, Token};

/// How long a lease is valid, and its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseTimes {
    pub duration: Duration,
    pub extend_every: Duration,
    /// So long before its end nothing is sent any more: what the client of Kafka has handed to the network
    /// by then arrives before another process begins.
    pub margin: Duration,
}

impl Default for LeaseTimes {
    fn default() -> LeaseTimes {
        LeaseTimes {
            duration: Duration::from_secs(15),
            extend_every: Duration::from_secs(4),
            margin: Duration::from_secs(5),
        }
    }
}

/// A lease that is held, until it is dropped or lost.
#[derive(Debug)]
pub struct Lease {
    pub token: Token,
    name: &'static str,
    database: Database,
    ends: watch::Receiver<Instant>,
    extending: AbortHandle,
    times: LeaseTimes,
}

impl Lease {
    /// Takes the lease; none while another process has it.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn take(
        database: &Database,
        name: &'static str,
        holder: Uuid,
        times: LeaseTimes,
    ) -> Result<Option<Arc<Lease>>, octavo_postgres::DatabaseError> {
        // From before the statement: the database counts from when it runs.
        let asked = Instant::now();
        let taken = lease::take(database, name, holder, times.duration).await?;
        let Some(token) = taken else {
            return Ok(None);
        };
        let (sender, ends) = watch::channel(asked + times.duration);
        let extending = tokio::spawn(extend(database.clone(), name, token, times, sender));
        Ok(Some(Arc::new(Lease {
            token,
            name,
            database: database.clone(),
            ends,
            extending: extending.abort_handle(),
            times,
        })))
    }

    /// Whether something may still be sent under it.
    #[must_use]
    pub fn is_held(&self) -> bool {
        Instant::now() + self.times.margin < *self.ends.borrow()
    }

    /// Completes when nothing may be sent under it any more.
    pub async fn lost(&self) {
        let mut ends = self.ends.clone();
        loop {
            let end = *ends.borrow_and_update();
            let last = end.checked_sub(self.times.margin).unwrap_or(end);
            tokio::select! {
                () = tokio::time::sleep_until(last) => return,
                changed = ends.changed() => if changed.is_err() {
                    // Nobody extends it any more.
                    tokio::time::sleep_until(last).await;
                    return;
                },
            }
        }
    }

    /// Gives it back at once.
    pub async fn release(&self) {
        self.extending.abort();
        let released = lease::release(&self.database, self.name, self.token.holder).await;
        if let Err(error) = released {
            tracing::debug!(%error, "the relay's lease was not given back; it ends by itself");
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.extending.abort();
    }
}

async fn extend(
    database: Database,
    name: &'static str,
    token: Token,
    times: LeaseTimes,
    ends: watch::Sender<Instant>,
) {
    loop {
        tokio::time::sleep(times.extend_every).await;
        let asked = Instant::now();
        match lease::take(&database, name, token.holder, times.duration).await {
            // The same number: nobody had it in between.
            Ok(Some(now)) if now == token => {
                ends.send_replace(asked + times.duration);
            }
            Ok(_) => {
                tracing::warn!("another process has taken the relay over");
                ends.send_replace(asked);
                return;
            }
            Err(error) => tracing::debug!(%error, "the relay's lease was not extended"),
        }
    }
}
