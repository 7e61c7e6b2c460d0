//! The backtracking matcher: on failure it returns to the last fork.

use super::class::{ends_line, is_word, same};
use super::program::Step;
use super::{Budget, TooCostly};

/// Maximal size of the backtracking stack.
const FORKS_MAX: usize = 20_000;
/// A position that was not saved.
const NOWHERE: usize = usize::MAX;

struct Run<'a> {
    steps: &'a [Step],
    text: Vec<char>,
    budget: &'a mut Budget,
}

/// Whether the steps match the whole text.
pub(super) fn whole(
    steps: &[Step],
    slots: usize,
    text: &str,
    budget: &mut Budget,
) -> Result<bool, TooCostly> {
    let text: Vec<char> = text.chars().collect();
    let end = text.len();
    let mut run = Run {
        steps,
        text,
        budget,
    };
    let mut slots = vec![NOWHERE; slots];
    let matched = run.from(0, 0, Some(end), &mut slots)?;
    Ok(matched.is_some())
}

impl Run<'_> {
    /// Matches from an instruction and a position; returns the end. With `end` the match must end there.
    fn from(
        &mut self,
        step: usize,
        place: usize,
        end: Option<usize>,
        slots: &mut Vec<usize>,
    ) -> Result<Option<usize>, TooCostly> {
        let mut forks: Vec<(usize, usize, Vec<usize>)> = Vec::new();
        let (mut step, mut place) = (step, place);
        loop {
            self.budget.left = self.budget.left.checked_sub(1).ok_or(TooCostly)?;
            let next = match &self.steps[step] {
                Step::Done if end.is_none_or(|end| end == place) => return Ok(Some(place)),
                Step::Done => None,
                Step::Jump(to) => Some((*to, place)),
                Step::Fork(first, second) => {
                    if forks.len() == FORKS_MAX {
                        return Err(TooCostly);
                    }
                    forks.push((*second, place, slots.clone()));
                    Some((*first, place))
                }
                Step::Keep(slot) => {
                    slots[*slot] = place;
                    Some((step + 1, place))
                }
                Step::Loop(_, slot) if slots[*slot] == place => Some((step + 1, place)),
                Step::Loop(top, _) => Some((*top, place)),
                Step::Look {
                    ahead,
                    negative,
                    end: after,
                } => {
                    let mut seen = slots.clone();
                    let found = self.look(step + 1, place, *ahead, &mut seen)?;
                    // Groups inside a negative look-around capture nothing.
                    if found && !*negative {
                        *slots = seen;
                    }
                    (found != *negative).then_some((*after, place))
                }
                Step::Atomic(after) => {
                    let mut seen = slots.clone();
                    let ended = self.from(step + 1, place, None, &mut seen)?;
                    ended.map(|ended| {
                        *slots = seen;
                        (*after, ended)
                    })
                }
                Step::Again(group, any_case) => self
                    .again(slots[2 * group], slots[2 * group + 1], place, *any_case)
                    .map(|ended| (step + 1, ended)),
                other => self.single(other, place).map(|ended| (step + 1, ended)),
            };
            (step, place) = match (next, forks.pop_if(|_| next.is_none())) {
                (Some(next), _) => next,
                (None, Some((step, place, kept))) => {
                    *slots = kept;
                    (step, place)
                }
                (None, None) => return Ok(None),
            };
        }
    }

    /// A look-ahead or look-behind at a position.
    fn look(
        &mut self,
        step: usize,
        place: usize,
        ahead: bool,
        slots: &mut Vec<usize>,
    ) -> Result<bool, TooCostly> {
        if ahead {
            return Ok(self.from(step, place, None, slots)?.is_some());
        }
        for begin in (0..=place).rev() {
            let mut seen = slots.clone();
            if self.from(step, begin, Some(place), &mut seen)?.is_some() {
                *slots = seen;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The end of a back-reference's match at a position.
    fn again(&self, begin: usize, end: usize, place: usize, any_case: bool) -> Option<usize> {
        if begin == NOWHERE || end == NOWHERE || end < begin {
            return None;
        }
        let kept = &self.text[begin..end];
        let here = self.text.get(place..place + kept.len())?;
        let is_same = kept
            .iter()
            .zip(here)
            .all(|(one, other)| same(*one, *other, any_case));
        is_same.then_some(place + kept.len())
    }

    /// The end of an instruction that consumes at most one character.
    fn single(&self, step: &Step, place: usize) -> Option<usize> {
        let here = self.text.get(place).copied();
        let before = place.checked_sub(1).map(|at| self.text[at]);
        match step {
            Step::Set(class, any_case) => here
                .filter(|one| class.has(*one, *any_case))
                .map(|_| place + 1),
            Step::Dot(all) => here
                .filter(|one| *all || !ends_line(*one))
                .map(|_| place + 1),
            Step::LineStart(lines) => {
                let is = before.is_none_or(|one| *lines && ends_line(one) && here.is_some());
                is.then_some(place)
            }
            Step::LineEnd(lines) => {
                let rest = &self.text[place..];
                let last =
                    matches!(rest, [] | ['\r', '\n']) || rest.len() == 1 && ends_line(rest[0]);
                (last || *lines && here.is_some_and(ends_line)).then_some(place)
            }
            Step::TextEnd => here.is_none().then_some(place),
            Step::WordEdge(is) => {
                let word = |one: Option<char>| one.is_some_and(is_word);
                ((word(before) != word(here)) == *is).then_some(place)
            }
            _ => None,
        }
    }
}
