//! Folded stacks, the input of flame graphs: `outer;inner;innermost 12`.

use std::collections::BTreeMap;
use std::fmt;

/// Stacks with their number of samples or bytes.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Folded {
    stacks: BTreeMap<String, u64>,
}

impl Folded {
    /// Adds to a stack, whose functions are listed from the outermost on.
    pub fn add<'a>(&mut self, functions: impl IntoIterator<Item = &'a str>, number: u64) {
        let mut stack = String::new();
        for function in functions {
            if !stack.is_empty() {
                stack.push(';');
            }
            stack.push_str(&plain(function));
        }
        *self.stacks.entry(stack).or_default() += number;
    }

    /// Parses the text form; malformed lines are ignored.
    #[must_use]
    pub fn parse(text: &str) -> Folded {
        let mut folded = Folded::default();
        for line in text.lines() {
            if let Some((stack, number)) = line.rsplit_once(' ')
                && let Ok(number) = number.parse::<u64>()
            {
                *folded.stacks.entry(stack.to_owned()).or_default() += number;
            }
        }
        folded
    }

    /// The sum of all numbers.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.stacks.values().sum()
    }

    /// The stacks in order, each with its functions from the outermost on.
    pub fn stacks(&self) -> impl Iterator<Item = (impl Iterator<Item = &str>, u64)> {
        self.stacks
            .iter()
            .map(|(stack, number)| (stack.split(';'), *number))
    }
}

impl fmt::Display for Folded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (stack, number) in &self.stacks {
            writeln!(f, "{stack} {number}")?;
        }
        Ok(())
    }
}

/// A function's name without the hash that the compiler adds, and without separators.
fn plain(function: &str) -> String {
    let name = match function.rsplit_once("::h") {
        Some((name, hash)) if hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()) => {
            name
        }
        _ => function,
    };
    name.replace(';', ":").replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_are_added_up_and_read_again() {
        let mut folded = Folded::default();
        folded.add(["main", "octavo::serve::h0123456789abcdef"], 2);
        folded.add(["main", "octavo::serve"], 3);
        folded.add(["main", "<[T; 2] as x>::y"], 1);
        let text = folded.to_string();
        assert_eq!(text, "main;<[T: 2] as x>::y 1\nmain;octavo::serve 5\n");
        assert_eq!(Folded::parse(&text), folded);
        assert_eq!(Folded::parse("nonsense\nx y\n"), Folded::default());
        assert_eq!(folded.total(), 6);
    }
}
