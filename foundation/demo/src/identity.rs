//! Ids and choices computed from (seed, kind, number), so that nothing has to be remembered.
//!
//! Not for secrets: the mixing is meant to look random to an index, not to an adversary.

use uuid::Uuid;

/// What an id is for. Equal numbers of two kinds give different ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IdKind {
    Instance = 1,
    Holdings = 2,
    Item = 3,
    Patron = 4,
    Loan = 5,
    Address = 6,
    SourceRecord = 7,
    Snapshot = 8,
    Organization = 9,
    Order = 10,
    OrderLine = 11,
    OrderTitle = 12,
    Piece = 13,
    FiscalYear = 14,
    Ledger = 15,
    Fund = 16,
    Budget = 17,
    Allocation = 18,
    Encumbrance = 19,
    Payment = 20,
    Invoice = 21,
    InvoiceLine = 22,
    OrderInvoice = 23,
}

const LOW_62_BITS: u64 = (1 << 62) - 1;

/// The `number`-th id of a kind, as a version 4 UUID.
///
/// The low 62 bits are a bijection of the number (for numbers below 2^62), so ids of one kind are
/// distinct by construction and not just probably.
pub(crate) fn document_id(seed: u64, kind: IdKind, number: u64) -> Uuid {
    let key = mix(seed ^ mix(kind as u64));
    let high = mix(key ^ mix(number));
    let low = scramble_62(number ^ (key & LOW_62_BITS));
    Uuid::from_u64_pair((high & !0xF000) | 0x4000, low | (1 << 63))
}

/// A pseudo-random number for a decision about the `number`-th record; `what` separates the
/// decisions.
pub(crate) fn choice(seed: u64, what: u64, number: u64) -> u64 {
    mix(mix(seed ^ mix(what)) ^ number)
}

/// One of `list`, which must not be empty.
pub(crate) fn pick<T: Copy>(list: &[T], choice: u64) -> T {
    list[(choice % list.len() as u64) as usize]
}

/// The finalizer of SplitMix64.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A bijection on 62-bit numbers: shifts and odd multiplications, each of which can be undone.
fn scramble_62(number: u64) -> u64 {
    let mut z = number & LOW_62_BITS;
    z ^= z >> 32;
    z = z.wrapping_mul(0xBF58_476D_1CE4_E5B9) & LOW_62_BITS;
    z ^= z >> 29;
    z = z.wrapping_mul(0x94D0_49BB_1331_11EB) & LOW_62_BITS;
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use uuid::{Variant, Version};

    #[test]
    fn ids_are_random_uuids_and_distinct() {
        let mut seen = HashSet::new();
        for kind in [
            IdKind::Instance,
            IdKind::Holdings,
            IdKind::Item,
            IdKind::Patron,
            IdKind::Loan,
        ] {
            for number in 0..20_000 {
                let id = document_id(42, kind, number);
                assert_eq!(id.get_version(), Some(Version::Random));
                assert_eq!(id.get_variant(), Variant::RFC4122);
                assert!(seen.insert(id), "{id} twice");
            }
        }
    }

    #[test]
    fn another_seed_gives_another_id() {
        assert_ne!(
            document_id(1, IdKind::Item, 7),
            document_id(2, IdKind::Item, 7)
        );
        assert_eq!(
            document_id(1, IdKind::Item, 7),
            document_id(1, IdKind::Item, 7)
        );
    }

    #[test]
    fn choices_spread_evenly() {
        let mut counts = [0u32; 10];
        for number in 0..100_000 {
            counts[(choice(7, 1, number) % 10) as usize] += 1;
        }
        assert!(
            counts.iter().all(|count| (9_500..10_500).contains(count)),
            "{counts:?}"
        );
    }
}
