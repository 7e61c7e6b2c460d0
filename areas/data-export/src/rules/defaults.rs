//! FOLIO's default export rules as tables: id, tag, indicators (`#` is a blank, `@` tells the
//! relationship), subfield, path or `=constant`, function, argument. Lines with the same id and tag are
//! one rule.

use std::sync::LazyLock;

use super::functions::Function;
use super::path::Path;
use super::{From, Rule, Source};

static INSTANCE: LazyLock<Vec<Rule>> = LazyLock::new(|| table(include_str!("instance.tsv")));
static HOLDINGS: LazyLock<Vec<Rule>> = LazyLock::new(|| table(include_str!("holdings.tsv")));
static EMBEDDED: LazyLock<Vec<Rule>> = LazyLock::new(|| table(include_str!("embedded.tsv")));

/// FOLIO's rules for instances.
#[must_use]
pub fn instance_rules() -> &'static [Rule] {
    &INSTANCE
}

/// FOLIO's rules for holdings.
#[must_use]
pub fn holdings_rules() -> &'static [Rule] {
    &HOLDINGS
}

/// The rules for holdings and items inside a bibliographic record.
#[must_use]
pub fn embedded(holdings: bool, items: bool) -> Vec<Rule> {
    let wanted = |rule: &&Rule| match rule.tag.as_str() {
        "876" => items,
        _ => holdings,
    };
    EMBEDDED.iter().filter(wanted).cloned().collect()
}

/// The rules of a table.
///
/// # Panics
/// On a line that cannot be read: the tables are compiled in, and a test reads each of them.
fn table(text: &str) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [id, tag, indicators, code, from, function, argument] = columns[..] else {
            panic!("invariant: a rule has seven columns: {line}");
        };
        let function = Function::named(function, argument);
        let source = Source {
            code: code.chars().next(),
            from: match from.strip_prefix('=') {
                Some(constant) => From::Constant(constant.to_owned()),
                None => From::Path(Path::parse(from).expect("invariant: a default path is one")),
            },
            function: function.expect("invariant: a default rule names a function"),
        };
        match rules.last_mut() {
            Some(rule) if rule.id == id && rule.tag == tag => rule.sources.push(source),
            _ => {
                let mut marks = indicators.chars().map(|mark| match mark {
                    '#' | '@' => ' ',
                    other => other,
                });
                rules.push(Rule {
                    id: id.to_owned(),
                    tag: tag.to_owned(),
                    indicators: [marks.next().unwrap_or(' '), marks.next().unwrap_or(' ')],
                    encodes_relationship: indicators.contains('@'),
                    sources: vec![source],
                });
            }
        }
    }
    rules
}

#[cfg(test)]
#[path = "defaults_tests.rs"]
mod tests;
