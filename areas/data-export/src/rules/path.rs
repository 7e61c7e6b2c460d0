//! The paths of mapping profiles: the subset of JSONPath that FOLIO's own fields use.
//!
//! `$.holdings[*].notes[?(@.holdingsNoteTypeId=='…' && !(@.staffOnly))].note`

use serde_json::Value;

/// Maximal length of a path.
pub const CHARS_MAX: usize = 1_000;
/// Maximal nesting of parentheses and negations.
const DEPTH_MAX: usize = 16;

/// The record type of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    Instance,
    /// Each of its holdings.
    Holdings,
    /// Each item of these.
    Item,
}

/// A compiled path.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    owner: Owner,
    steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq)]
enum Step {
    Name(String),
    All,
    Where(Condition),
}

#[derive(Debug, Clone, PartialEq)]
enum Condition {
    Any(Vec<Condition>),
    All(Vec<Condition>),
    Not(Box<Condition>),
    Present(Vec<String>),
    Equals(Vec<String>, Value),
}

impl Path {
    /// Reads a path.
    ///
    /// # Errors
    /// The place of the error.
    pub fn parse(text: &str) -> Result<Path, String> {
        if text.chars().count() > CHARS_MAX {
            return Err(format!("a path has at most {CHARS_MAX} characters"));
        }
        let mut parser = Parser { text, at: 0 };
        parser.expect("$")?;
        let mut steps = Vec::new();
        while parser.at < text.len() {
            steps.push(parser.step()?);
        }
        Path::of(steps).ok_or_else(|| {
            "a path begins with $.instance, $.holdings[*] or $.holdings[*].items[*]".to_owned()
        })
    }

    fn of(steps: Vec<Step>) -> Option<Path> {
        let is = |at: usize, name: &str| steps.get(at) == Some(&Step::Name(name.to_owned()));
        let all = |at: usize| steps.get(at) == Some(&Step::All);
        let (owner, skip) = if is(0, "instance") {
            (Owner::Instance, 1)
        } else if is(0, "holdings") && all(1) && is(2, "items") && all(3) {
            (Owner::Item, 4)
        } else if is(0, "holdings") && all(1) {
            (Owner::Holdings, 2)
        } else {
            return None;
        };
        Some(Path {
            owner,
            steps: steps.into_iter().skip(skip).collect(),
        })
    }

    /// The record type.
    #[must_use]
    pub fn owner(&self) -> Owner {
        self.owner
    }

    /// The texts at the path; `None` for an element without one, so that values of the same element have
    /// the same index.
    #[must_use]
    pub fn texts<'v>(&self, owner: &'v Value) -> Vec<Option<&'v str>> {
        let leaves = self
            .reached(owner)
            .into_iter()
            .flat_map(|value| match value {
                Some(Value::Array(_)) => elements(value),
                other => vec![other],
            });
        let texts: Vec<_> = leaves.map(|value| value.and_then(Value::as_str)).collect();
        if texts.iter().all(Option::is_none) {
            return Vec::new();
        }
        texts
    }

    /// The values at the path, of any type.
    #[must_use]
    pub fn elements<'v>(&self, owner: &'v Value) -> Vec<&'v Value> {
        let reached = self.reached(owner).into_iter();
        reached.flat_map(elements).flatten().collect()
    }

    fn reached<'v>(&self, owner: &'v Value) -> Vec<Option<&'v Value>> {
        let mut reached = vec![Some(owner)];
        for step in &self.steps {
            reached = match step {
                Step::Name(name) => reached
                    .into_iter()
                    .map(|value| value.and_then(|value| value.get(name)))
                    .collect(),
                Step::All => reached.into_iter().flat_map(elements).collect(),
                Step::Where(condition) => reached
                    .into_iter()
                    .flat_map(elements)
                    .filter(|value| value.is_some_and(|value| condition.holds(value)))
                    .collect(),
            };
        }
        reached
    }
}

/// The elements of an array; of anything else itself, as a condition on one record is about it.
fn elements(value: Option<&Value>) -> Vec<Option<&Value>> {
    match value {
        Some(Value::Array(elements)) => elements.iter().map(Some).collect(),
        Some(other) => vec![Some(other)],
        None => Vec::new(),
    }
}

impl Condition {
    fn holds(&self, value: &Value) -> bool {
        let at = |path: &[String]| {
            path.iter()
                .try_fold(value, |value, name| value.get(name))
                .filter(|found| !found.is_null())
        };
        match self {
            Condition::Any(parts) => parts.iter().any(|part| part.holds(value)),
            Condition::All(parts) => parts.iter().all(|part| part.holds(value)),
            Condition::Not(part) => !part.holds(value),
            Condition::Present(path) => at(path).is_some(),
            Condition::Equals(path, Value::Null) => at(path).is_none(),
            Condition::Equals(path, wanted) => at(path) == Some(wanted),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn takes(&mut self, token: &str) -> bool {
        let there = self.rest().starts_with(token);
        if there {
            self.at += token.len();
        }
        there
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.takes(token) {
            return Ok(());
        }
        let place = self.text[..self.at].chars().count() + 1;
        Err(format!("{token} is expected at character {place}"))
    }

    fn name(&mut self) -> Result<String, String> {
        let end = self
            .rest()
            .find(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
        let length = end.unwrap_or(self.rest().len());
        if length == 0 {
            self.expect("a name")?;
        }
        let name = self.rest()[..length].to_owned();
        self.at += length;
        Ok(name)
    }

    fn step(&mut self) -> Result<Step, String> {
        if self.takes("[*]") {
            return Ok(Step::All);
        }
        if self.takes("[?(") {
            let condition = self.any(0)?;
            self.expect(")]")?;
            return Ok(Step::Where(condition));
        }
        self.expect(".")?;
        Ok(Step::Name(self.name()?))
    }

    fn any(&mut self, depth: usize) -> Result<Condition, String> {
        let mut parts = vec![self.all(depth)?];
        while self.takes("||") {
            parts.push(self.all(depth)?);
        }
        Ok(single(parts, Condition::Any))
    }

    fn all(&mut self, depth: usize) -> Result<Condition, String> {
        let mut parts = vec![self.one(depth)?];
        while self.takes("&&") {
            parts.push(self.one(depth)?);
        }
        Ok(single(parts, Condition::All))
    }

    fn one(&mut self, depth: usize) -> Result<Condition, String> {
        if depth > DEPTH_MAX {
            return Err(format!("conditions nest at most {DEPTH_MAX} deep"));
        }
        self.skip_blanks();
        let condition = if self.takes("!") {
            Condition::Not(Box::new(self.one(depth + 1)?))
        } else if self.takes("(") {
            let inner = self.any(depth + 1)?;
            self.expect(")")?;
            inner
        } else {
            self.comparison()?
        };
        self.skip_blanks();
        Ok(condition)
    }

    fn comparison(&mut self) -> Result<Condition, String> {
        self.expect("@")?;
        let mut path = Vec::new();
        while self.takes(".") {
            path.push(self.name()?);
        }
        self.skip_blanks();
        let differs = self.takes("!=");
        if !differs && !self.takes("==") {
            return Ok(Condition::Present(path));
        }
        self.skip_blanks();
        let equal = Condition::Equals(path, self.literal()?);
        Ok(match differs {
            true => Condition::Not(Box::new(equal)),
            false => equal,
        })
    }

    fn literal(&mut self) -> Result<Value, String> {
        for (word, value) in [
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
            ("null", Value::Null),
        ] {
            if self.takes(word) {
                return Ok(value);
            }
        }
        let quote = if self.rest().starts_with('"') {
            "\""
        } else {
            "'"
        };
        self.expect(quote)?;
        let Some(end) = self.rest().find(quote) else {
            return Err("a quoted value has no end".to_owned());
        };
        let text = self.rest()[..end].to_owned();
        self.at += end + 1;
        Ok(Value::String(text))
    }
}

fn single(mut parts: Vec<Condition>, all: fn(Vec<Condition>) -> Condition) -> Condition {
    match parts.len() {
        1 => parts.remove(0),
        _ => all(parts),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(path: &str, found: &[Option<&str>]) {
        let instance = json!({
            "hrid": "in1", "languages": ["eng", "ger"], "modeOfIssuanceId": "m1", "count": 3,
            "notes": [{"note": "a", "staffOnly": false, "type": "t1"}, {"note": "b", "staffOnly": true},
                      {"note": "c", "type": "t1"}],
            "publication": [{"place": "Oslo"}, {"publisher": "P"}],
        });
        assert_eq!(Path::parse(path).unwrap().texts(&instance), found, "{path}");
    }

    #[test]
    fn paths_are_followed() {
        check("$.instance.hrid", &[Some("in1")]);
        check("$.instance.languages", &[Some("eng"), Some("ger")]);
        check("$.instance.languages[*]", &[Some("eng"), Some("ger")]);
        check("$.instance.publication[*].place", &[Some("Oslo"), None]);
        check("$.instance.missing[*].place", &[]);
        check("$.instance.count", &[]);
        check(
            "$.instance.notes[?(@.staffOnly == false)].note",
            &[Some("a")],
        );
        check(
            "$.instance.notes[?(!(@.staffOnly) || @.staffOnly == false)].note",
            &[Some("a"), Some("c")],
        );
        check(
            "$.instance.notes[?(@.type=='t1' && (!(@.staffOnly) || @.staffOnly == false))].note",
            &[Some("a"), Some("c")],
        );
        check(
            "$.instance.notes[?((@.staffOnly) && @.staffOnly == true)].note",
            &[Some("b")],
        );
        check(
            "$.instance.notes[?(!(@.type) || @.type == null)].note",
            &[Some("b")],
        );
        check("$.instance.notes[?(@.type != \"t1\")].note", &[Some("b")]);
        check(
            "$.instance[?(@.modeOfIssuanceId=='m1')].modeOfIssuanceId",
            &[Some("m1")],
        );
        check(
            "$.instance[?(@.modeOfIssuanceId=='m2')].modeOfIssuanceId",
            &[],
        );
    }

    #[test]
    fn a_path_says_whose_property_it_names() {
        let owner = |path: &str| Path::parse(path).unwrap().owner();
        assert_eq!(owner("$.instance.id"), Owner::Instance);
        assert_eq!(owner("$.holdings[*].id"), Owner::Holdings);
        assert_eq!(owner("$.holdings[*].items[*].yearCaption[*]"), Owner::Item);
    }

    #[test]
    fn what_is_no_path_is_refused() {
        let deep = format!("$.instance.a[?({}@.x)]", "!".repeat(40));
        let long = format!("$.instance.{}", "x".repeat(2_000));
        for wrong in [
            "",
            "instance",
            "$",
            "$.users.id",
            "$.holdings.id",
            "$.instance.",
            "$.instance[0]",
            "$.instance.a[?(@.x=='y)]",
            "$.instance.a[?(@.x",
            "$.instance.a[?()]",
            &deep,
            &long,
            "$.instance.é[?(@",
        ] {
            assert!(Path::parse(wrong).is_err(), "{wrong}");
        }
    }
}
