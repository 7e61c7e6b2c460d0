//! Converts nested sequences and choices to the workload's form: weighted alternatives, each a list
//! of transactions.

use super::walk::Item;
use crate::model::{Call, Transaction};

/// The most alternatives of one thread group.
const ALTERNATIVES_MAX: usize = 48;

/// One path through a sequence.
#[derive(Debug, Clone, Default)]
pub(super) struct Variant {
    pub(super) share: f64,
    pub(super) parts: Vec<Part>,
}

/// A step of a path.
#[derive(Debug, Clone)]
pub(super) enum Part {
    /// A request outside of transactions, with the name of its parent.
    Loose(String, Call),
    Transaction(String, Vec<Call>),
}

/// All paths through `items`, and whether some were left out because there are too many.
pub(super) fn ways(items: &[Item], name: &str) -> (Vec<Variant>, bool) {
    let mut ways = vec![Variant {
        share: 1.0,
        parts: Vec::new(),
    }];
    let mut cut = false;
    for item in items {
        let (next, inner_cut) = ways_of(item, name);
        cut |= inner_cut;
        ways = match ways.len() * next.len() > ALTERNATIVES_MAX {
            false => product(&ways, &next),
            true => {
                cut = true;
                let most = next
                    .iter()
                    .max_by(|one, other| one.share.total_cmp(&other.share));
                product(&ways, &most.cloned().into_iter().collect::<Vec<_>>())
            }
        };
    }
    (ways, cut)
}

fn product(ways: &[Variant], next: &[Variant]) -> Vec<Variant> {
    let mut all = Vec::new();
    for way in ways {
        for more in next {
            let mut parts = way.parts.clone();
            parts.extend(more.parts.iter().cloned());
            all.push(Variant {
                share: way.share * more.share,
                parts,
            });
        }
    }
    all
}

fn ways_of(item: &Item, name: &str) -> (Vec<Variant>, bool) {
    let one = |parts| Variant { share: 1.0, parts };
    match item {
        Item::Call(call) => (
            vec![one(vec![Part::Loose(name.to_owned(), call.clone())])],
            false,
        ),
        Item::Forever(items) | Item::Once(items) => ways(items, name),
        Item::Group {
            name: own,
            transaction,
            items,
        } => {
            let (mut inner, cut) = ways(items, own);
            if *transaction {
                for way in &mut inner {
                    timed_together(way, own);
                }
            }
            (inner, cut)
        }
        Item::Choice(parts) => {
            let sum: f64 = parts.iter().map(|(share, _)| share).sum();
            let mut all = Vec::new();
            let mut cut = false;
            for (share, items) in parts.iter().filter(|(share, _)| *share > 0.0) {
                let (inner, inner_cut) = ways(items, name);
                cut |= inner_cut;
                all.extend(inner.into_iter().map(|way| Variant {
                    share: way.share * share / sum,
                    ..way
                }));
            }
            if all.len() > ALTERNATIVES_MAX {
                all.truncate(ALTERNATIVES_MAX);
                cut = true;
            }
            (
                if all.is_empty() {
                    vec![one(Vec::new())]
                } else {
                    all
                },
                cut,
            )
        }
    }
}

/// Wraps a path into a transaction. One that contains only transactions leaves the timing to them.
fn timed_together(way: &mut Variant, name: &str) {
    let only_transactions = way
        .parts
        .iter()
        .all(|part| matches!(part, Part::Transaction(..)));
    if only_transactions {
        return;
    }
    let parts = std::mem::take(&mut way.parts);
    let calls = parts.into_iter().flat_map(|part| match part {
        Part::Loose(_, call) => vec![call],
        Part::Transaction(_, calls) => calls,
    });
    way.parts = vec![Part::Transaction(name.to_owned(), calls.collect())];
}

/// The parts of a path as transactions; consecutive requests outside of any become one.
pub(super) fn transactions(parts: Vec<Part>) -> Vec<Transaction> {
    let mut found: Vec<Transaction> = Vec::new();
    for part in parts {
        match part {
            Part::Transaction(name, calls) => found.push(Transaction {
                name,
                summed: true,
                calls,
            }),
            Part::Loose(name, call) => match found.last_mut() {
                Some(last) if !last.summed && last.name == name => last.calls.push(call),
                _ => found.push(Transaction {
                    name,
                    summed: false,
                    calls: vec![call],
                }),
            },
        }
    }
    found
}

/// Shares as the smallest whole numbers, none of them 0.
pub(super) fn weights(shares: &[f64]) -> Vec<u32> {
    // Threads and per cents are whole; other shares are rounded.
    let whole = [1.0, 100.0, 10_000.0].into_iter().find_map(|factor| {
        let scaled = shares.iter().map(|share| {
            let scaled = share * factor;
            let is_whole = (scaled - scaled.round()).abs() < 1e-6 * scaled.max(1.0);
            (is_whole && (1.0..1e5).contains(&scaled)).then(|| scaled.round() as u32)
        });
        scaled.collect::<Option<Vec<u32>>>()
    });
    let scaled = whole.unwrap_or_else(|| {
        let sum: f64 = shares.iter().sum();
        let rounded = shares.iter().map(|share| {
            let share = if sum > 0.0 { share / sum } else { 1.0 };
            ((share * 10_000.0).round() as u32).max(1)
        });
        rounded.collect()
    });
    let common = scaled.iter().fold(0, |one, other| divisor(one, *other));
    scaled.into_iter().map(|one| one / common.max(1)).collect()
}

fn divisor(one: u32, other: u32) -> u32 {
    match other {
        0 => one,
        _ => divisor(other, one % other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(label: &str) -> Item {
        Item::Call(Call {
            label: label.to_owned(),
            ..Call::default()
        })
    }

    fn group(name: &str, transaction: bool, items: Vec<Item>) -> Item {
        Item::Group {
            name: name.to_owned(),
            transaction,
            items,
        }
    }

    fn described(items: &[Item]) -> Vec<String> {
        let (ways, _) = ways(items, "top");
        let described = ways.into_iter().map(|way| {
            let steps = transactions(way.parts).into_iter().map(|one| {
                let labels: Vec<_> = one.calls.iter().map(|call| call.label.as_str()).collect();
                let sign = if one.summed { "!" } else { "" };
                format!("{}{sign}({})", one.name, labels.join(" "))
            });
            format!("{:.2} {}", way.share, steps.collect::<Vec<_>>().join(" "))
        });
        described.collect()
    }

    #[test]
    fn choices_become_ways_and_controllers_transactions() {
        let choice = Item::Choice(vec![
            (43.0, vec![group("in", true, vec![call("b"), call("c")])]),
            (57.0, vec![group("out", true, vec![call("d")])]),
        ]);
        assert_eq!(
            described(&[call("a"), choice]),
            ["0.43 top(a) in!(b c)", "0.57 top(a) out!(d)"]
        );
        let outer = group("outer", true, vec![group("inner", true, vec![call("a")])]);
        assert_eq!(described(&[outer]), ["1.00 inner!(a)"]);
        let mixed = group(
            "outer",
            true,
            vec![call("x"), group("inner", true, vec![call("a")])],
        );
        assert_eq!(described(&[mixed]), ["1.00 outer!(x a)"]);
    }

    #[test]
    fn too_many_ways_are_cut() {
        let choice = || Item::Choice(vec![(1.0, vec![call("a")]), (2.0, vec![call("b")])]);
        let items: Vec<Item> = (0..40).map(|_| choice()).collect();
        let (ways, cut) = ways(&items, "top");
        assert!(cut && ways.len() <= ALTERNATIVES_MAX);
    }

    #[test]
    fn weights_are_whole_and_small() {
        assert_eq!(weights(&[0.43, 0.57]), [43, 57]);
        assert_eq!(weights(&[1.0, 1.0]), [1, 1]);
        assert_eq!(weights(&[5.0, 100.0, 5.0]), [1, 20, 1]);
        assert_eq!(weights(&[0.43 * 8.0, 0.57 * 8.0, 2.0]), [43, 57, 25]);
        assert_eq!(weights(&[1.0 / 3.0, 2.0 / 3.0]), [3333, 6667]);
        assert_eq!(weights(&[0.0, 1.0]), [1, 10_000]);
    }
}
