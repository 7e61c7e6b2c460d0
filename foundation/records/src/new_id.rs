//! Ids of new records.

use jiff::Timestamp;
use uuid::Uuid;

/// The id of a new record, which begins with the time.
///
/// Every index over ids gets an entry for a new record. Random ids lead each of them to another page, which has to be
/// read, and written whole to the log after a checkpoint; ids in the order of time stay on few pages. The form is
/// that of version 4, because FOLIO's schemas refuse versions above 5.
#[must_use]
pub fn new_id() -> Uuid {
    in_order_of_time(Timestamp::now(), Uuid::new_v4())
}

/// The low 80 bits: version, variant and 74 random bits.
const RANDOM: u128 = (1 << 80) - 1;

fn in_order_of_time(at: Timestamp, random: Uuid) -> Uuid {
    // Before 1970 there is no order; 48 bits of milliseconds last for 8,900 years.
    let milliseconds = u128::try_from(at.as_millisecond()).unwrap_or_default();
    Uuid::from_u128(milliseconds << 80 | random.as_u128() & RANDOM)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_ids_are_higher_and_have_the_form_that_folio_accepts() {
        let at = |millisecond| Timestamp::from_millisecond(millisecond).expect("an instant");
        let instants = [
            0,
            1,
            1_764_331_200_000,
            1_764_331_200_001,
            4_102_444_800_000,
        ];
        let ids = instants.map(|one| in_order_of_time(at(one), Uuid::new_v4()));
        assert!(ids.is_sorted());
        for id in ids {
            assert_eq!(id.get_version_num(), 4);
            assert_eq!(id.get_variant(), uuid::Variant::RFC4122);
        }
        let same = at(1_764_331_200_000);
        assert_ne!(
            in_order_of_time(same, Uuid::new_v4()),
            in_order_of_time(same, Uuid::new_v4())
        );
    }
}
