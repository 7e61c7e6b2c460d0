//! Converts a plan's texts to the workload language, and knows the plan's variables before it runs.
//! Functions without a counterpart become variables with a note.

use std::collections::BTreeMap;

use super::text::{Piece, pieces};
use super::tree::{Element, Property};
use crate::note::Notes;
use crate::reference;

pub(super) const FUNCTIONS: &str = "functions of JMeter that the workload language has not";
const NESTED: usize = 16;

/// Variables that the plan defines, and the conversion of its texts.
#[derive(Debug, Default)]
pub(super) struct Values {
    /// As they stand in the plan, by name.
    defined: BTreeMap<String, String>,
    /// Values for the draft's `[variables]`.
    pub(super) constants: BTreeMap<String, String>,
    /// Functions that became variables, by their text.
    stand_ins: BTreeMap<String, String>,
}

impl Values {
    /// Collects the definitions of all elements here and below.
    pub(super) fn define(&mut self, elements: &[Element]) {
        for element in elements.iter().filter(|one| one.enabled) {
            match element.kind.as_str() {
                "TestPlan" => {
                    if let Some(list) = element.property("TestPlan.user_defined_variables") {
                        self.define_arguments(&list.items);
                    }
                }
                "Arguments" => self.define_arguments(&element.properties),
                "UserParameters" => self.define_user_parameters(element),
                "CounterConfig" => {
                    let start = match element.text("CounterConfig.start").trim() {
                        "" => "0",
                        start => start,
                    };
                    self.define_one(element.text("CounterConfig.name"), start);
                }
                "RandomVariableConfig" => {
                    let least = element.text("minimumValue");
                    self.define_one(element.text("variableName"), least);
                }
                _ => {}
            }
            self.define(&element.children);
        }
    }

    fn define_arguments(&mut self, properties: &[Property]) {
        let lists = properties.iter().flat_map(|one| &one.items);
        for argument in lists {
            let name = argument.inner("Argument.name");
            self.define_one(name, argument.inner("Argument.value"));
        }
    }

    /// The values of the first user.
    fn define_user_parameters(&mut self, element: &Element) {
        let names = element.property("UserParameters.names");
        let users = element.property("UserParameters.thread_values");
        let first = users.and_then(|users| users.items.first());
        if let Some((names, values)) = names.zip(first) {
            for (name, value) in names.items.iter().zip(&values.items) {
                self.define_one(&name.text, &value.text);
            }
        }
    }

    fn define_one(&mut self, name: &str, value: &str) {
        let name = name.trim();
        if name.is_empty() {
            return;
        }
        self.defined
            .entry(name.to_owned())
            .or_insert_with(|| value.to_owned());
        if let Some(value) = self.constant(value) {
            self.constants
                .entry(reference::variable(name))
                .or_insert(value);
        }
    }

    /// Evaluates definitions again that depend on later ones.
    pub(super) fn settle(&mut self) {
        let defined: Vec<_> = self.defined.clone().into_iter().collect();
        for (name, value) in defined {
            if let Some(value) = self.constant(&value) {
                self.constants.insert(reference::variable(&name), value);
            }
        }
    }

    /// The value of a text, if it is known before the plan runs.
    pub(super) fn constant(&self, text: &str) -> Option<String> {
        self.constant_within(text, NESTED)
    }

    fn constant_within(&self, text: &str, nested: usize) -> Option<String> {
        let nested = nested.checked_sub(1)?;
        let mut out = String::new();
        for piece in pieces(text) {
            match piece {
                Piece::Text(text) => out.push_str(&text),
                Piece::Variable(name) => {
                    let value = self.defined.get(name.trim())?;
                    out.push_str(&self.constant_within(value, nested)?);
                }
                Piece::Function {
                    name,
                    arguments,
                    source,
                } => {
                    let value = match name.as_str() {
                        "P" => arguments.get(1)?,
                        "property" => arguments.get(2)?,
                        "eval" | "evalVar" => arguments.first()?,
                        "BeanShell" if source.contains("File.separator") => "/",
                        "BeanShell" | "groovy" if source.contains("getBaseDir") => ".",
                        _ => return None,
                    };
                    out.push_str(&self.constant_within(value, nested)?);
                }
            }
            if out.len() > 1 << 20 {
                return None;
            }
        }
        Some(out)
    }

    /// A number, if it is known before the plan runs.
    pub(super) fn number(&self, text: &str) -> Option<u64> {
        let value = self.constant(text)?;
        value.trim().parse().ok()
    }

    /// The variable in which the plan keeps the weights of its branches: `43-57`.
    pub(super) fn distribution(&self, alternatives: usize) -> Option<Vec<u32>> {
        let named = self.constants.iter();
        let mut named = named.filter(|(name, _)| name.to_lowercase().contains("distribution"));
        named.find_map(|(_, value)| {
            let parts: Option<Vec<u32>> = value.split('-').map(|part| part.parse().ok()).collect();
            parts.filter(|parts| {
                let sum = parts
                    .iter()
                    .try_fold(0u32, |sum, one| sum.checked_add(*one));
                parts.len() == alternatives && sum.is_some_and(|sum| sum > 0)
            })
        })
    }

    /// A text of the plan as a template of the workload language.
    pub(super) fn template(&mut self, text: &str, at: &Element, notes: &mut Notes) -> String {
        self.template_within(text, at, notes, NESTED)
    }

    fn template_within(
        &mut self,
        text: &str,
        at: &Element,
        notes: &mut Notes,
        nested: usize,
    ) -> String {
        let Some(nested) = nested.checked_sub(1) else {
            return reference::literal(text);
        };
        let mut out = String::new();
        for piece in pieces(text) {
            match piece {
                Piece::Text(text) => out.push_str(&reference::literal(&text)),
                Piece::Variable(name) => out.push_str(&variable(&name)),
                Piece::Function {
                    name,
                    arguments,
                    source,
                } => {
                    let argument =
                        |number: usize| arguments.get(number).map_or("", String::as_str).to_owned();
                    let value = match name.as_str() {
                        "UUID" => "${uuid()}".to_owned(),
                        "P" | "property" => {
                            let default = argument(if name == "P" { 1 } else { 2 });
                            let name = reference::variable(&argument(0));
                            if let Some(value) = self.constant(&default) {
                                self.constants.entry(name.clone()).or_insert(value);
                            }
                            format!("${{{name}}}")
                        }
                        "V" => variable(&argument(0)),
                        "eval" | "setProperty" => {
                            let inner = argument(usize::from(name == "setProperty"));
                            self.template_within(&inner, at, notes, nested)
                        }
                        "evalVar" => variable(&argument(0)),
                        "BeanShell" if source.contains("File.separator") => "/".to_owned(),
                        _ => self.function(&name, &arguments, &source, at, notes),
                    };
                    out.push_str(&value);
                }
            }
        }
        out
    }

    fn function(
        &mut self,
        name: &str,
        arguments: &[String],
        source: &str,
        at: &Element,
        notes: &mut Notes,
    ) -> String {
        let source_excerpt: String = source.chars().take(120).collect();
        let mut note = |became: &str| {
            let what = format!("{}: `{source_excerpt}` {became}", at.label());
            notes.add(at.line, FUNCTIONS, what);
        };
        let argument = |number: usize| arguments.get(number).map_or("", String::as_str);
        match name {
            "time" | "timeShift" => {
                let shift = match name {
                    "timeShift" if !argument(1).is_empty() => None,
                    "timeShift" => shift(argument(2)),
                    _ => Some(String::new()),
                };
                if let Some((value, became)) = shift.and_then(|shift| time(argument(0), &shift)) {
                    if !became.is_empty() {
                        note(became);
                    }
                    return value;
                }
            }
            "RandomString"
                if argument(1).chars().any(char::is_alphabetic) || arguments.len() < 2 =>
            {
                note("is a random UUID in the draft");
                return "${uuid()}".to_owned();
            }
            _ => {}
        }
        if let Some(known) = self.stand_ins.get(source) {
            return format!("${{{known}}}");
        }
        let value = match name {
            "Random" => argument(0).to_owned(),
            "threadNum" | "counter" | "iterationNum" => "1".to_owned(),
            "RandomString" => {
                let letters: Vec<char> = argument(1).chars().collect();
                let length = argument(0).parse::<usize>().unwrap_or(1).min(1000);
                letters.iter().cycle().take(length).collect()
            }
            _ => String::new(),
        };
        let value = self.constant(&value).unwrap_or_default();
        let stem: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let stem = stem.to_lowercase();
        let number = self.stand_ins.len() + 1;
        let variable = format!("{stem}_{number}");
        note(&match value.as_str() {
            "" => format!("is the variable `{variable}`, which needs a value"),
            value => format!("is the variable `{variable}`, always `{value}`"),
        });
        self.constants.insert(variable.clone(), value);
        self.stand_ins.insert(source.to_owned(), variable.clone());
        format!("${{{variable}}}")
    }
}

/// A reference to a variable. JMeter does not expand a reference inside a name.
fn variable(name: &str) -> String {
    let name = name.split("${").next().unwrap_or(name);
    let name = name.trim_end_matches(|letter: char| letter == '_' || letter.is_whitespace());
    format!("${{{}}}", reference::variable(name))
}

/// The workload language's time for one of JMeter's formats, and the difference if there is one.
fn time(format: &str, shift: &str) -> Option<(String, &'static str)> {
    let call = match shift {
        "" => "${time()}".to_owned(),
        shift => format!("${{time({shift})}}"),
    };
    let format: String = format.chars().filter(|letter| *letter != '\'').collect();
    let format = format.trim();
    match format {
        "" | "/1000" => Some((
            "${uuid()}".to_owned(),
            "is a random UUID in the draft, unique as the milliseconds are",
        )),
        _ if format.starts_with("yyyy-MM-ddThh:mm:ss") && shift.is_empty() => {
            Some(("${time_12h()}".to_owned(), ""))
        }
        _ if format.starts_with("yyyy-MM-ddTHH:mm:ss") || format.starts_with("yyyy-MM-ddThh:") => {
            Some((call, ""))
        }
        "yyyy-MM-dd" => Some((call, "has the time of day in the draft")),
        _ => None,
    }
}

/// `P1D`, `-PT3H`, `+PT5m` as a shift of the workload language.
fn shift(text: &str) -> Option<String> {
    let text = text.trim().to_uppercase();
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ('-', rest),
        None => ('+', text.strip_prefix('+').unwrap_or(&text)),
    };
    let mut seconds: u64 = 0;
    let mut digits = String::new();
    let mut clock = false;
    for letter in rest.strip_prefix('P')?.chars() {
        let unit = match (letter, clock) {
            ('0'..='9', _) => {
                digits.push(letter);
                continue;
            }
            ('T', false) => {
                clock = true;
                continue;
            }
            ('D', false) => 86_400,
            ('W', false) => 7 * 86_400,
            ('H', true) => 3600,
            ('M', true) => 60,
            ('S', true) => 1,
            _ => return None,
        };
        let number: u64 = std::mem::take(&mut digits).parse().ok()?;
        seconds = seconds.checked_add(number.checked_mul(unit)?)?;
    }
    let fits = digits.is_empty() && (1..=366 * 86_400).contains(&seconds);
    fits.then(|| format!("{sign}{seconds}s"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(defined: &[(&str, &str)]) -> Values {
        let mut values = Values::default();
        for (name, value) in defined {
            values.define_one(name, value);
        }
        values.settle();
        values
    }

    #[test]
    fn values_are_known_through_properties_and_other_variables() {
        let values = values(&[
            ("users", "${__P(VUSERS, 8)}"),
            ("both", "${users}-${late}"),
            ("late", "x"),
            ("round", "${round}"),
            ("folder", "${__BeanShell(File.separator,)}a"),
            ("DISTRIBUTION", "${__P(DISTRIBUTION,43-57)}"),
        ]);
        assert_eq!(values.number("${users}"), Some(8));
        assert_eq!(values.constants["both"], "8-x");
        assert_eq!(values.constants["folder"], "/a");
        assert_eq!(values.constant("${round}"), None);
        assert_eq!(values.distribution(2), Some(vec![43, 57]));
        assert_eq!(values.distribution(3), None);
    }

    #[test]
    fn functions_have_counterparts_or_notes() {
        let mut values = Values::default();
        let element = Element::default();
        let mut notes = Notes::default();
        let mut check = |text: &str, expected: &str| {
            assert_eq!(values.template(text, &element, &mut notes), expected);
        };
        check("a${b}${__UUID()}", "a${b}${uuid()}");
        check("${__time(yyyy-MM-dd'T'HH:mm:ss.SSS'Z')}", "${time()}");
        check("${__time(yyyy-MM-dd'T'hh:mm:ss'Z')}", "${time_12h()}");
        let shifted = "${__timeShift(yyyy-MM-dd'T'HH:mm:ssX,,-PT3H,,)}";
        check(shifted, "${time(-10800s)}");
        check("${__P(x-okapi-token)}", "${x-okapi-token}");
        check("${__Random(1,50,)}", "${random_1}");
        check("${__Random(1,50,)}", "${random_1}");
        check("${__RandomString(3,123,)}", "${randomstring_2}");
        check("${__RandomString(9,abc,)}", "${uuid()}");
        check("${__groovy(1 + 1)}", "${groovy_3}");
        check("${__V(name_${i})}", "${name}");
        check("a ${ b", "a ${dollar}{ b");
        assert_eq!(values.constants["randomstring_2"], "123");
        assert_eq!(notes.into_sorted().len(), 4);
        assert_eq!(shift("P1D"), Some("+86400s".into()));
        assert_eq!(shift("P1M"), None);
    }
}
