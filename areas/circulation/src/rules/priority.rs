//! The order of rules: how a priority line turns a rule into a score; the highest score wins.
//! Score = first priority × 10⁸ + second × 10⁷ + line (or 10⁷ − line when the first line wins).

use super::RuleError;
use super::lexer::error;
use super::syntax::{Criterion, CriteriumPriority, Letters, LinePriority, PriorityLine};

const FIRST_FACTOR: i64 = 100_000_000;
const SECOND_FACTOR: i64 = 10_000_000;

/// Which criteria a rule uses together with those it inherits; `all` counts as use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Used([bool; Criterion::COUNT]);

impl Used {
    pub fn add(&mut self, criterion: Criterion) {
        self.0[criterion as usize] = true;
    }

    pub fn contains(self, criterion: Criterion) -> bool {
        self.0[criterion as usize]
    }

    /// Distinct criteria; all places together count as one.
    fn count(self) -> i64 {
        let used = || {
            Criterion::ALL
                .into_iter()
                .filter(|criterion| self.contains(*criterion))
        };
        let others = used().filter(|criterion| !criterion.is_place()).count();
        let place = usize::from(used().any(Criterion::is_place));
        i64::try_from(others + place).unwrap_or(0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    Nothing,
    /// The greatest weight among the criteria used.
    Criterium,
    /// How many criteria are used.
    Count,
}

/// A checked priority line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scoring {
    first: Measure,
    second: Measure,
    line: LinePriority,
    weights: [i64; Criterion::COUNT],
}

impl Scoring {
    /// Checks the letters of a priority line: all seven, each once.
    pub fn new(line: &PriorityLine) -> Result<Self, RuleError> {
        let mut scoring = Self {
            first: Measure::Nothing,
            second: Measure::Nothing,
            line: LinePriority::Last,
            weights: [0; Criterion::COUNT],
        };
        match line {
            PriorityLine::Line(line) => scoring.line = *line,
            PriorityLine::Letters(letters) => {
                scoring.add_weights(letters)?;
                scoring.first = Measure::Criterium;
                scoring.second = Measure::Count;
            }
            PriorityLine::Listed(listed, line) => {
                scoring.line = *line;
                let mut measures = Vec::with_capacity(2);
                for (priority, _) in listed {
                    measures.push(scoring.measure(priority)?);
                }
                match measures.as_slice() {
                    [only] => scoring.second = *only,
                    [first, second, ..] if first == second => {
                        return Err(error("Duplicate priority type", listed[1].1));
                    }
                    [first, second, ..] => (scoring.first, scoring.second) = (*first, *second),
                    [] => {}
                }
            }
        }
        Ok(scoring)
    }

    fn measure(&mut self, priority: &CriteriumPriority) -> Result<Measure, RuleError> {
        match priority {
            CriteriumPriority::Count => Ok(Measure::Count),
            CriteriumPriority::Weights(letters) => {
                self.add_weights(letters)?;
                Ok(Measure::Criterium)
            }
        }
    }

    /// The first of the seven letters weighs 7, the last 1.
    fn add_weights(&mut self, letters: &Letters) -> Result<(), RuleError> {
        let found = letters.len();
        let start = letters[0].1;
        if found < Criterion::COUNT {
            return Err(error(
                format!("7 letters expected, found only {found}"),
                start,
            ));
        }
        if found > Criterion::COUNT {
            return Err(error(
                format!("Only 7 letters expected, found {found}"),
                start,
            ));
        }
        for ((criterion, position), weight) in letters.iter().zip((1..=7).rev()) {
            let slot = &mut self.weights[*criterion as usize];
            if *slot != 0 {
                let message = format!("Duplicate letter {}", criterion.letter());
                return Err(error(message, *position));
            }
            *slot = weight;
        }
        Ok(())
    }

    /// The score of a rule at a line (counted from 1).
    pub fn of_rule(&self, used: Used, line: u32) -> i64 {
        self.value(self.first, used) * FIRST_FACTOR
            + self.value(self.second, used) * SECOND_FACTOR
            + self.of_line(line)
    }

    /// The score of the fallback: its line only.
    pub fn of_line(&self, line: u32) -> i64 {
        match self.line {
            LinePriority::Last => i64::from(line),
            LinePriority::First => SECOND_FACTOR - i64::from(line),
        }
    }

    fn value(&self, measure: Measure, used: Used) -> i64 {
        match measure {
            Measure::Nothing => 0,
            Measure::Count => used.count(),
            Measure::Criterium => Criterion::ALL
                .into_iter()
                .filter(|criterion| used.contains(*criterion))
                .map(|criterion| self.weights[criterion as usize])
                .max()
                .unwrap_or(0),
        }
    }
}
