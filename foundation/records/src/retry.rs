//! Retries what PostgreSQL aborted because of a conflict between transactions: it was rolled back,
//! so it can be repeated as a whole.

use std::time::Duration;

use uuid::Uuid;

use crate::error::StoreError;

/// The most attempts of a write.
const ATTEMPTS_MAX: u32 = 6;
/// The longest pause before the second attempt; it doubles with each further one.
const PAUSE_FIRST_MS: u64 = 10;

/// An error that may be a conflict with other transactions.
pub trait Contention {
    /// Whether a conflict was the cause, and everything was rolled back.
    fn is_contention(&self) -> bool;
}

impl Contention for StoreError {
    fn is_contention(&self) -> bool {
        matches!(self, StoreError::Contended)
    }
}

/// Repeats `operation` after conflicts, a limited number of times. It has to be one transaction as
/// a whole: what it did before it failed must be undone.
///
/// # Errors
/// Those of the last attempt.
pub async fn retried<T, E, F>(mut operation: impl FnMut() -> F) -> Result<T, E>
where
    E: Contention,
    F: Future<Output = Result<T, E>>,
{
    let mut attempts = 1;
    loop {
        match operation().await {
            Err(error) if error.is_contention() && pause_after(attempts).await => attempts += 1,
            outcome => return outcome,
        }
    }
}

/// Waits for a random time before another attempt; false when there have been enough.
pub(crate) async fn pause_after(attempts: u32) -> bool {
    if attempts >= ATTEMPTS_MAX {
        return false;
    }
    // Random, so that transactions which collided once do not collide again.
    let most = PAUSE_FIRST_MS << (attempts - 1);
    let (random, _) = Uuid::new_v4().as_u64_pair();
    tokio::time::sleep(Duration::from_millis(1 + random % most)).await;
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_is_in_the_way_is_waited_for_a_bounded_number_of_times() {
        let mut attempts = 0;
        let outcome: Result<(), StoreError> = retried(|| {
            attempts += 1;
            std::future::ready(Err(StoreError::Contended))
        })
        .await;
        assert!(matches!(outcome, Err(StoreError::Contended)));
        assert_eq!(attempts, ATTEMPTS_MAX);

        let mut attempts = 0;
        let outcome: Result<u32, StoreError> = retried(|| {
            attempts += 1;
            std::future::ready(match attempts {
                3 => Ok(3),
                _ => Err(StoreError::Contended),
            })
        })
        .await;
        assert!(matches!(outcome, Ok(3)));

        let mut attempts = 0;
        let outcome: Result<(), StoreError> = retried(|| {
            attempts += 1;
            std::future::ready(Err(StoreError::NotFound))
        })
        .await;
        assert!(matches!(outcome, Err(StoreError::NotFound)));
        assert_eq!(attempts, 1);
    }
}
