//! Java's regular expressions, as far as validation rules for passwords use them. Look-arounds and
//! back-references are supported, which the regex crate lacks. Matching backtracks as Java's does, so
//! its steps are limited. No I/O, and no knowledge of rules or passwords.

mod class;
mod parse;
mod program;
mod run;
#[cfg(test)]
mod tests;

use program::Step;

/// Maximal length of an expression, in characters.
const CHARACTERS_MAX: usize = 4_000;
/// Steps that one run of all a tenant's rules may take.
const STEPS_MAX: u64 = 2_000_000;

/// The placeholder for the username in an expression.
pub const USER_NAME: &str = "<USER_NAME>";

/// An invalid or unsupported expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the expression cannot be read at its character {at}: {why}")]
pub struct Unreadable {
    /// The character, counted from one.
    pub at: usize,
    /// What is wrong.
    pub why: &'static str,
}

/// Matching took more steps than it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the expression takes too long to match")]
pub struct TooCostly;

/// The steps that are left.
#[derive(Debug)]
pub struct Budget {
    left: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { left: STEPS_MAX }
    }
}

/// A compiled expression.
#[derive(Debug)]
pub struct Expression {
    steps: Vec<Step>,
    slots: usize,
}

impl Expression {
    /// Compiles an expression, in which [`USER_NAME`] is replaced by a literal name.
    ///
    /// # Errors
    /// The place of the error.
    pub fn read(text: &str, user_name: &str) -> Result<Expression, Unreadable> {
        if text.chars().count() > CHARACTERS_MAX {
            let why = "an expression has at most 4000 characters";
            return Err(Unreadable { at: 1, why });
        }
        program::made(&parse::read(text, user_name)?)
    }

    /// Whether the expression matches the whole text.
    ///
    /// # Errors
    /// When matching takes too many steps.
    pub fn matches(&self, text: &str, budget: &mut Budget) -> Result<bool, TooCostly> {
        run::whole(&self.steps, self.slots, text, budget)
    }
}
