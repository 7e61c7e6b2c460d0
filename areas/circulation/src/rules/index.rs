//! Finds the rules that match among many without asking each one. Rules are numbered by rank (0
//! wins); for every criterion the index keeps bit sets of ranks that do not care about the value
//! and, per value, the ranks that ask for it or exclude it. A match is the AND over the seven
//! criteria, taken 64 ranks at a time and stopped at the first hit.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use super::check::FlatRule;
use super::id_of;
use super::syntax::{Criterion, Selection};

const WORD_BITS: usize = u64::BITS as usize;

/// The ranks of one criterion.
#[derive(Debug, Clone, Default)]
struct Dimension {
    /// Ranks that never mention the criterion: they match even if the value is unknown.
    unused: Vec<u64>,
    /// Ranks that match any value not listed below: unused, `all`, and exclusions.
    open: Vec<u64>,
    /// Value → ranks that ask for it, ascending.
    asked: HashMap<Uuid, Vec<u32>>,
    /// Value → ranks that exclude it, ascending.
    excluded: HashMap<Uuid, Vec<u32>>,
}

/// The combined conditions of a rule on one criterion.
enum CriterionDemand {
    Unused,
    AllBut(HashSet<Uuid>),
    OneOf(HashSet<Uuid>),
}

/// The seven dimensions.
#[derive(Debug, Clone)]
pub(super) struct Index {
    words: usize,
    dimensions: [Dimension; Criterion::COUNT],
}

impl Index {
    /// Indexes rules given in the order of rank.
    pub fn new(rules: &[FlatRule]) -> Self {
        let words = rules.len().div_ceil(WORD_BITS);
        let mut dimensions: [Dimension; Criterion::COUNT] = Default::default();
        for criterion in Criterion::ALL {
            let dimension = &mut dimensions[criterion as usize];
            dimension.unused = vec![0; words];
            dimension.open = vec![0; words];
            for (rank, rule) in rules.iter().enumerate() {
                dimension.add(rank, demand(rule, criterion));
            }
        }
        Self { words, dimensions }
    }

    /// Ranks that match, best first. Values are in the order of [`Criterion::ALL`].
    pub fn matches<'i>(
        &'i self,
        values: [Option<Uuid>; Criterion::COUNT],
    ) -> impl Iterator<Item = usize> + 'i {
        let mut probes = Criterion::ALL
            .map(|criterion| self.dimensions[criterion as usize].probe(values[criterion as usize]));
        (0..self.words).flat_map(move |word| {
            let bits = probes
                .iter_mut()
                .fold(u64::MAX, |bits, probe| bits & probe.word(word));
            SetBits(bits).map(move |bit| word * WORD_BITS + bit)
        })
    }
}

impl Dimension {
    fn add(&mut self, rank: usize, demand: CriterionDemand) {
        let short = u32::try_from(rank).unwrap_or(u32::MAX);
        match demand {
            CriterionDemand::Unused => {
                set(&mut self.unused, rank);
                set(&mut self.open, rank);
            }
            CriterionDemand::AllBut(values) => {
                set(&mut self.open, rank);
                for value in values {
                    self.excluded.entry(value).or_default().push(short);
                }
            }
            CriterionDemand::OneOf(values) => {
                for value in values {
                    self.asked.entry(value).or_default().push(short);
                }
            }
        }
    }

    fn probe(&self, value: Option<Uuid>) -> Probe<'_> {
        let Some(value) = value else {
            return Probe {
                base: &self.unused,
                asked: &[],
                excluded: &[],
            };
        };
        Probe {
            base: &self.open,
            asked: self.asked.get(&value).map_or(&[], Vec::as_slice),
            excluded: self.excluded.get(&value).map_or(&[], Vec::as_slice),
        }
    }
}

/// One dimension seen with one value; words must be asked for in ascending order.
struct Probe<'i> {
    base: &'i [u64],
    asked: &'i [u32],
    excluded: &'i [u32],
}

impl Probe<'_> {
    fn word(&mut self, word: usize) -> u64 {
        let mut bits = self.base[word];
        bits |= take_word(&mut self.asked, word);
        bits & !take_word(&mut self.excluded, word)
    }
}

/// Takes the ranks of one word off the front of an ascending list.
fn take_word(ranks: &mut &[u32], word: usize) -> u64 {
    let mut bits = 0;
    while let Some((rank, rest)) = ranks.split_first() {
        let rank = *rank as usize;
        if rank / WORD_BITS > word {
            break;
        }
        bits |= 1 << (rank % WORD_BITS);
        *ranks = rest;
    }
    bits
}

fn set(bits: &mut [u64], rank: usize) {
    bits[rank / WORD_BITS] |= 1 << (rank % WORD_BITS);
}

struct SetBits(u64);

impl Iterator for SetBits {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

/// Joins all conditions on one criterion. A name that is not an id is equal to nothing: asking for it
/// asks for the impossible, excluding it excludes nothing.
fn demand(rule: &FlatRule, criterion: Criterion) -> CriterionDemand {
    if !rule.used.contains(criterion) {
        return CriterionDemand::Unused;
    }
    let mut wanted: Option<HashSet<Uuid>> = None;
    let mut unwanted = HashSet::new();
    let conditions = rule
        .conditions
        .iter()
        .filter(|condition| condition.criterion == criterion);
    for condition in conditions {
        match &condition.selection {
            Selection::All => {}
            Selection::NoneOf(names) => unwanted.extend(names.iter().filter_map(|n| id_of(n))),
            Selection::AnyOf(names) => {
                let named: HashSet<Uuid> = names.iter().filter_map(|name| id_of(name)).collect();
                wanted = Some(match wanted {
                    Some(before) => before.intersection(&named).copied().collect(),
                    None => named,
                });
            }
        }
    }
    match wanted {
        Some(wanted) => CriterionDemand::OneOf(wanted.difference(&unwanted).copied().collect()),
        None => CriterionDemand::AllBut(unwanted),
    }
}
