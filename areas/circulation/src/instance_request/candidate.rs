//! The items of an instance in the order in which they are tried.

use std::cmp::Ordering;

use jiff::Timestamp;
use octavo_library::{HoldingsId, ItemId, RequestType};

use super::TRIED;

/// An item that may be requested.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidate {
    pub item: ItemId,
    pub holdings: HoldingsId,
    /// Whether it is available.
    pub available: bool,
    /// Whether the pickup service point serves its location.
    pub served: bool,
    /// The length of its queue.
    pub queue: i64,
    /// Its due date, if it is lent.
    pub due: Option<Timestamp>,
    /// The kinds of request that its status and its request policy allow.
    pub allowed: Vec<RequestType>,
}

/// Sorts candidates: available items first, those served by the pickup service point before others; then
/// the rest by length of queue, due date (items that are not lent last), and service point. Stable.
#[must_use]
pub fn in_order(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by(|one, other| {
        let there = other.available.cmp(&one.available);
        there.then_with(|| match one.available {
            true => other.served.cmp(&one.served),
            false => one
                .queue
                .cmp(&other.queue)
                .then_with(|| sooner(one.due, other.due))
                .then_with(|| other.served.cmp(&one.served)),
        })
    });
    candidates
}

fn sooner(one: Option<Timestamp>, other: Option<Timestamp>) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) => one.cmp(&other),
        (one, other) => other.is_some().cmp(&one.is_some()),
    }
}

/// The tries: for each item a page, a recall and a hold. Tries that status or policy forbid are certain
/// to be refused and come last, only for their reasons.
pub fn tries(candidates: &[Candidate]) -> impl Iterator<Item = (&Candidate, RequestType)> {
    let all = |allowed: bool| {
        candidates.iter().flat_map(move |one| {
            let kinds = TRIED.into_iter();
            let kinds = kinds.filter(move |kind| one.allowed.contains(kind) == allowed);
            kinds.map(move |kind| (one, kind))
        })
    };
    all(true).chain(all(false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use RequestType::{Hold, Page, Recall};

    fn lent(item: u128, queue: i64, due: Option<i64>, served: bool) -> Candidate {
        Candidate {
            item: ItemId::from_u128(item),
            queue,
            due: due.map(|second| Timestamp::from_second(second).expect("an instant")),
            served,
            allowed: vec![Recall, Hold],
            ..Candidate::default()
        }
    }

    fn there(item: u128, served: bool) -> Candidate {
        Candidate {
            available: true,
            queue: 9,
            allowed: vec![Page],
            ..lent(item, 0, None, served)
        }
    }

    fn order(candidates: Vec<Candidate>) -> Vec<u128> {
        let ordered = in_order(candidates);
        ordered
            .iter()
            .map(|one| one.item.uuid().as_u128())
            .collect()
    }

    #[test]
    fn what_is_there_comes_first_and_the_nearest_of_that() {
        let candidates = vec![
            lent(1, 0, None, true),
            there(2, false),
            there(3, true),
            there(4, false),
        ];
        assert_eq!(order(candidates), [3, 2, 4, 1]);
    }

    #[test]
    fn the_rest_is_ordered_by_queue_due_date_and_place() {
        let candidates = vec![
            lent(1, 2, Some(10), true),
            lent(2, 1, None, true),
            lent(3, 1, Some(30), false),
            lent(4, 1, Some(20), false),
            lent(5, 1, Some(20), true),
            lent(6, 1, None, false),
        ];
        assert_eq!(order(candidates), [5, 4, 3, 2, 6, 1]);
    }

    #[test]
    fn what_is_forbidden_is_tried_last() {
        let candidates = [there(1, true), lent(2, 0, None, true)];
        let tried = tries(&candidates).map(|(one, kind)| (one.item.uuid().as_u128(), kind));
        assert_eq!(
            tried.collect::<Vec<_>>(),
            [
                (1, Page),
                (2, Recall),
                (2, Hold),
                (1, Recall),
                (1, Hold),
                (2, Page)
            ]
        );
    }
}
