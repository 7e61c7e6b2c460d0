//! How often a portion of a job is tried that did not come to an end, how much of it at once, and how long
//! others go first meanwhile.

/// Attempts at one portion. Then its job fails, so that what breaks every worker is not tried for ever.
pub(crate) const ATTEMPTS_MAX: i32 = 6;
/// What is left of a portion that was too much: one of so many records.
const PART: i32 = 10;
/// Seconds that others go first after each attempt.
const PAUSES: [i32; 5] = [0, 10, 30, 60, 120];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Attempt {
    /// Its number, from 1.
    pub number: i32,
    /// The most records that it does, where it is fewer than usual.
    pub records: Option<i32>,
}

/// The attempt after so many that were begun and not finished; `None` when there were enough. `records`
/// is what the last one did at most, of usually `usual`.
pub(crate) fn next(begun: i32, records: Option<i32>, usual: i32) -> Option<Attempt> {
    if begun >= ATTEMPTS_MAX {
        return None;
    }
    // Once may be chance.
    let records = match begun {
        ..=1 => records,
        _ => Some((records.unwrap_or(usual).min(usual) / PART).max(1)),
    };
    Some(Attempt {
        number: begun + 1,
        records,
    })
}

/// For how many seconds others go first after an attempt that failed.
pub(crate) fn pause(number: i32) -> i32 {
    let at = usize::try_from(number - 1).unwrap_or(0);
    PAUSES[at.min(PAUSES.len() - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portions_become_smaller_until_one_record_is_left_and_then_the_job_fails() {
        for (usual, expected) in [
            (1_000, [None, None, Some(100), Some(10), Some(1), Some(1)]),
            (100, [None, None, Some(10), Some(1), Some(1), Some(1)]),
        ] {
            let mut records = None;
            for (begun, most) in (0..).zip(expected) {
                let attempt = next(begun, records, usual).unwrap();
                assert_eq!((attempt.number, attempt.records), (begun + 1, most));
                records = attempt.records;
            }
            assert_eq!(next(ATTEMPTS_MAX, records, usual), None);
        }
    }

    #[test]
    fn a_portion_stays_small_when_it_is_begun_for_the_first_time() {
        assert_eq!(next(0, Some(10), 1_000).unwrap().records, Some(10));
    }

    #[test]
    fn others_go_first_for_longer_each_time() {
        let pauses: Vec<i32> = (0..8).map(pause).collect();
        assert_eq!(pauses, [0, 0, 10, 30, 60, 120, 120, 120]);
    }
}
