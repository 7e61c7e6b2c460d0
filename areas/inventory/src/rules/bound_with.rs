//! The parts of a bound-with item: one for each holdings record, its own ("main") included. An item with
//! only its own holdings has no parts.

use std::collections::BTreeSet;

use uuid::Uuid;

/// Changes of an item's parts.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Parts to delete, by their ids.
    pub gone: Vec<Uuid>,
    /// Holdings that need a new part.
    pub new: Vec<Uuid>,
}

/// Compares the stored parts (part, holdings) with the wanted holdings.
#[must_use]
pub fn changes(main: Uuid, wanted: &[Uuid], parts: &[(Uuid, Uuid)]) -> Changes {
    let mut wanted: BTreeSet<Uuid> = wanted.iter().copied().collect();
    if wanted.iter().all(|holdings| *holdings == main) {
        wanted.clear();
    } else {
        wanted.insert(main);
    }
    let there: BTreeSet<Uuid> = parts.iter().map(|(_, holdings)| *holdings).collect();
    Changes {
        gone: parts
            .iter()
            .filter(|(_, holdings)| !wanted.contains(holdings))
            .map(|(part, _)| *part)
            .collect(),
        new: wanted.difference(&there).copied().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is wanted, the parts that are there, those that go and the holdings that get one.
    type Case<'a> = (&'a [Uuid], &'a [(Uuid, Uuid)], &'a [Uuid], &'a [Uuid]);

    #[test]
    fn the_main_holdings_are_a_part_beside_others_only() {
        let [main, a, b] = [1, 2, 3].map(Uuid::from_u128);
        let [p, q, r] = [11, 12, 13].map(Uuid::from_u128);
        let cases: [Case<'_>; 8] = [
            (&[], &[], &[], &[]),
            (&[main], &[], &[], &[]),
            (&[a], &[], &[], &[main, a]),
            (&[main, a, a], &[], &[], &[main, a]),
            (&[a, b], &[(p, main), (q, a)], &[], &[b]),
            (&[b], &[(p, main), (q, a)], &[q], &[b]),
            (&[], &[(p, main), (q, a), (r, b)], &[p, q, r], &[]),
            (&[main], &[(p, main), (q, a)], &[p, q], &[]),
        ];
        for (wanted, parts, gone, new) in cases {
            let expected = Changes {
                gone: gone.to_vec(),
                new: new.to_vec(),
            };
            assert_eq!(
                changes(main, wanted, parts),
                expected,
                "{wanted:?} {parts:?}"
            );
        }
    }
}
