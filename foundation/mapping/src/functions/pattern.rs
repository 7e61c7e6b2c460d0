//! Regular expressions that have to match a whole value.

use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::{Anchored, Input};

/// The longest pattern, in characters.
const LENGTH_MAX: usize = 200;

/// The most bytes of a compiled pattern, and of its compilation.
const SIZE_MAX: usize = 1 << 18;

/// The most bytes of a pattern's NFA.
const NFA_SIZE_MAX: usize = 1 << 16;

/// A regular expression compiled to a DFA, so that matching takes time linear in the value's
/// length.
#[derive(Clone, Debug)]
pub(crate) struct Pattern(Box<dense::DFA<Vec<u32>>>);

impl Pattern {
    /// Compiles a pattern, or reports its error.
    pub fn new(text: &str) -> Result<Pattern, String> {
        if text.len() > LENGTH_MAX {
            return Err(format!("a pattern has at most {LENGTH_MAX} letters"));
        }
        let limits = dense::Config::new()
            .start_kind(StartKind::Anchored)
            .dfa_size_limit(Some(SIZE_MAX))
            .determinize_size_limit(Some(SIZE_MAX));
        dense::Builder::new()
            .configure(limits)
            .thompson(thompson::Config::new().nfa_size_limit(Some(NFA_SIZE_MAX)))
            .build(&format!("(?:{text})\\z"))
            .map(|dfa| Pattern(Box::new(dfa)))
            .map_err(|error| format!("a regular expression is expected: {error}"))
    }

    /// Whether the whole value matches.
    pub fn matches(&self, value: &str) -> bool {
        let input = Input::new(value).anchored(Anchored::Yes);
        matches!(self.0.try_search_fwd(&input), Ok(Some(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_value_is_compared() {
        let pattern = Pattern::new(r"(\(OCoLC\)|ocm|ocn|on).*").unwrap();
        for value in ["(OCoLC)1", "ocm1", "on", "ocn é"] {
            assert!(pattern.matches(value), "{value}");
        }
        for value in ["", "x(OCoLC)1", "OCoLC", "ocm1\n"] {
            assert!(!pattern.matches(value), "{value}");
        }
        assert!(!Pattern::new("a|b").unwrap().matches("ax"));
    }

    #[test]
    fn what_is_no_pattern_or_too_large_is_refused() {
        for text in ["(", "(?=x)", &"x".repeat(201), r"(\w{100}){100}", r"\w{50}"] {
            assert!(Pattern::new(text).is_err(), "{text}");
        }
    }
}
