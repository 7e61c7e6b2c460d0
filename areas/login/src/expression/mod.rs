//! Java's regular expressions, as far as rules for passwords use them: look-arounds and references to
//! groups are there, which other engines of this process leave out. Matching goes back and tries again, as
//! Java's does, so that its steps are counted. No I/O, and nothing of rules or passwords is known here.

mod class;
mod parse;
mod program;
mod run;
#[cfg(test)]
mod tests;

use program::Step;

/// Characters of an expression at most.
const CHARACTERS_MAX: usize = 4_000;
/// Steps that one run of all a tenant's rules may take.
const STEPS_MAX: u64 = 2_000_000;

/// What stands for the user's name in an expression.
pub const USER_NAME: &str = "<USER_NAME>";

/// An expression that cannot be read, or is none that is known here.
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

/// An expression, ready to match.
#[derive(Debug)]
pub struct Expression {
    steps: Vec<Step>,
    slots: usize,
}

impl Expression {
    /// Reads an expression, in which [`USER_NAME`] stands for the characters of a name.
    ///
    /// # Errors
    /// Says where it cannot be read.
    pub fn read(text: &str, user_name: &str) -> Result<Expression, Unreadable> {
        if text.chars().count() > CHARACTERS_MAX {
            let why = "an expression has at most 4000 characters";
            return Err(Unreadable { at: 1, why });
        }
        program::made(&parse::read(text, user_name)?)
    }

    /// Whether the whole text is what the expression describes.
    ///
    /// # Errors
    /// When it takes too many steps to say.
    pub fn matches(&self, text: &str, budget: &mut Budget) -> Result<bool, TooCostly> {
        run::whole(&self.steps, self.slots, text, budget)
    }
}
