//! The retry policy of failed portions: number of attempts, portion size, and back-off.

/// Maximal number of attempts at a portion. Then its job fails, so that a portion that kills workers is
/// not retried for ever.
pub(crate) const ATTEMPTS_MAX: i32 = 6;
/// The divisor by which a failed portion becomes smaller.
const PART: i32 = 10;
/// The back-off after each attempt, in seconds, during which other jobs run.
const PAUSES: [i32; 5] = [0, 10, 30, 60, 120];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Attempt {
    /// Its number, from 1.
    pub number: i32,
    /// Its maximal number of records, if fewer than usual.
    pub records: Option<i32>,
}

/// The next attempt after this number of unfinished ones; `None` when none are left. `records` is the
/// limit of the last one, `usual` the normal portion size.
pub(crate) fn next(begun: i32, records: Option<i32>, usual: i32) -> Option<Attempt> {
    if begun >= ATTEMPTS_MAX {
        return None;
    }
    // A single failure may be chance, so the size is kept.
    let records = match begun {
        ..=1 => records,
        _ => Some((records.unwrap_or(usual).min(usual) / PART).max(1)),
    };
    Some(Attempt {
        number: begun + 1,
        records,
    })
}

/// The back-off after a failed attempt, in seconds.
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
