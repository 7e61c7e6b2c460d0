//! The retry policy: how often a portion is tried that does not come to an end, how much of it at once, and
//! for how long other jobs go first meanwhile. Without I/O.

use octavo_records::fault::Cause;
use octavo_records::{Fault, Outage, StoreError, TimeLimit};

/// Attempts at one portion. Then its job is given up, so that what breaks every worker is not tried for ever.
pub const ATTEMPTS_MAX: i32 = 6;
/// A portion that was too much becomes so many times smaller with each further attempt.
const SMALLER: i32 = 10;
/// No portion has more records than this; a larger divisor makes no difference.
const DIVISOR_MAX: i32 = 1_000_000;
/// Seconds that others go first after each attempt.
const PAUSES_SECONDS: [i32; 5] = [0, 10, 30, 60, 120];
/// Seconds until the next attempt when the database was there for nobody.
const OUTAGE_SECONDS: i32 = 10;
/// Seconds until a job is given up again that could not be given up.
pub(crate) const GIVE_UP_AGAIN_SECONDS: i32 = 120;

/// One attempt at a portion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// Its number, from 1.
    pub number: i32,
    /// How many times smaller than usual the portion is.
    pub divisor: i32,
}

impl Attempt {
    /// The attempt after so many that were begun and not finished, the last of them with this divisor; none
    /// when there were enough. A portion that has become small stays so for the rest of its job.
    #[must_use]
    pub fn after(begun: i32, divisor: i32) -> Option<Attempt> {
        if begun >= ATTEMPTS_MAX {
            return None;
        }
        let divisor = match begun {
            // Once may be chance.
            ..=1 => divisor,
            _ => divisor.saturating_mul(SMALLER).min(DIVISOR_MAX),
        };
        Some(Attempt {
            number: begun + 1,
            divisor,
        })
    }
}

/// What follows from a failed portion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Try again after so many seconds; the attempt counts.
    Again(i32),
    /// The same, and the attempt does not count: it says nothing about the job.
    Uncounted(i32),
    /// The job ends: it would fail again in the same way.
    GiveUp,
}

/// Judges the failure of an attempt of this number.
#[must_use]
pub fn judge(error: &StoreError, number: i32) -> Verdict {
    if is_outage(error) {
        return Verdict::Uncounted(OUTAGE_SECONDS);
    }
    match error.is_transient() {
        true => Verdict::Again(pause_seconds(number)),
        false => Verdict::GiveUp,
    }
}

/// Whether the database was there for nobody, whatever the job did. A connection that is lost in the midst,
/// and memory or locks that run out, may well be the portion's doing.
fn is_outage(error: &StoreError) -> bool {
    let of_pool = |fault: &Fault| match fault.cause() {
        Cause::Database(octavo_postgres::DatabaseError::Timeout { limit, .. }) => {
            *limit == TimeLimit::Connection
        }
        _ => false,
    };
    match error {
        StoreError::Unavailable(outage, _) => matches!(
            outage,
            Outage::Unreachable | Outage::DiskFull | Outage::ReadOnly
        ),
        StoreError::Busy(_) => true,
        StoreError::Timeout(fault) => of_pool(fault),
        _ => false,
    }
}

fn pause_seconds(number: i32) -> i32 {
    let at = usize::try_from(number - 1).unwrap_or(0);
    PAUSES_SECONDS[at.min(PAUSES_SECONDS.len() - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_postgres::DatabaseError;

    #[test]
    fn portions_become_smaller_until_one_record_is_left_and_then_the_job_is_given_up() {
        let mut divisor = 1;
        for (begun, expected) in (0..).zip([1, 1, 10, 100, 1_000, 10_000]) {
            let attempt = Attempt::after(begun, divisor).unwrap();
            assert_eq!((attempt.number, attempt.divisor), (begun + 1, expected));
            divisor = attempt.divisor;
        }
        assert_eq!(Attempt::after(ATTEMPTS_MAX, divisor), None);
        assert_eq!(Attempt::after(2, DIVISOR_MAX).unwrap().divisor, DIVISOR_MAX);
    }

    #[test]
    fn a_portion_stays_small_when_it_is_begun_for_the_first_time() {
        let attempt = Attempt::after(0, 10).unwrap();
        assert_eq!((attempt.number, attempt.divisor), (1, 10));
    }

    fn timeout(limit: TimeLimit) -> StoreError {
        DatabaseError::Timeout {
            limit,
            reason: "slow".to_owned(),
            statement: None,
        }
        .into()
    }

    fn outage(outage: Outage) -> StoreError {
        StoreError::Unavailable(outage, Fault::new("away"))
    }

    #[test]
    fn what_may_pass_is_tried_later_each_time_and_what_cannot_is_given_up() {
        for error in [
            StoreError::Contended,
            timeout(TimeLimit::Statement),
            timeout(TimeLimit::Lock),
            StoreError::TooSlow(30),
            outage(Outage::ConnectionLost),
            outage(Outage::OutOfResources),
        ] {
            let pauses: Vec<Verdict> = (1..=8).map(|number| judge(&error, number)).collect();
            let expected = [0, 10, 30, 60, 120, 120, 120, 120].map(Verdict::Again);
            assert_eq!(pauses, expected, "{error:?}");
        }
        for error in [
            outage(Outage::Unreachable),
            outage(Outage::DiskFull),
            outage(Outage::ReadOnly),
            timeout(TimeLimit::Connection),
            StoreError::Busy("others are at it"),
        ] {
            let verdict = Verdict::Uncounted(OUTAGE_SECONDS);
            assert_eq!(judge(&error, 5), verdict, "{error:?}");
        }
        for error in [
            StoreError::NotFound,
            StoreError::fault("a document of no known form"),
            StoreError::TooLarge("too large".to_owned()),
        ] {
            assert_eq!(judge(&error, 1), Verdict::GiveUp, "{error:?}");
        }
    }
}
