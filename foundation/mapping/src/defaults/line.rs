//! One line of the notation: a property, its subfields, and the processing of their values.

use serde_json::{Map, Value, json};

/// A parsed line.
pub(super) struct Line {
    target: String,
    codes: String,
    words: Vec<(String, Option<String>)>,
    done: Processing,
}

/// How the value is processed.
enum Processing {
    Nothing,
    Functions(String, Map<String, Value>),
    Constant(String),
}

impl Line {
    /// Parses `target codes word word(argument) : functions {name=value}` or `… = "value"`.
    pub fn parse(text: &str) -> Result<Line, String> {
        let mut words = Words(text);
        let mut expected = |what: &str| {
            words
                .next_word()?
                .ok_or_else(|| format!("{what} is expected in {text}"))
        };
        let target = expected("a target")?;
        let codes = expected("a list of subfields")?;
        let mut line = Line {
            target: if target == "." { String::new() } else { target },
            codes: if codes == "." { String::new() } else { codes },
            words: Vec::new(),
            done: Processing::Nothing,
        };
        while let Some(word) = words.next_word()? {
            match word.as_str() {
                ":" => {
                    let (functions, parameters) = match words.0.split_once('{') {
                        Some((functions, parameters)) => {
                            let end = parameters.rfind('}').ok_or("a brace is not closed")?;
                            (functions, self::parameters(&parameters[..end])?)
                        }
                        None => (words.0, Map::new()),
                    };
                    line.done = Processing::Functions(functions.trim().to_owned(), parameters);
                    break;
                }
                "=" => {
                    let value = words.next_word()?.ok_or("a value is expected")?;
                    line.done = Processing::Constant(value);
                }
                _ => {
                    let (name, argument) = match word.split_once('(') {
                        Some((name, argument)) => {
                            let argument = argument
                                .strip_suffix(')')
                                .ok_or("a parenthesis is not closed")?;
                            (name.to_owned(), Some(argument.to_owned()))
                        }
                        None => (word, None),
                    };
                    line.words.push((name, argument));
                }
            }
        }
        Ok(line)
    }

    /// The line as a row in FOLIO's notation.
    pub fn row(&self) -> Map<String, Value> {
        let mut row = Map::new();
        let mut delimiters: Vec<Value> = Vec::new();
        row.insert("target".to_owned(), self.target.as_str().into());
        row.insert("subfield".to_owned(), codes(&self.codes));
        for (name, argument) in &self.words {
            let argument = argument.as_deref().unwrap_or_default();
            let (key, value) = match name.as_str() {
                "whole" => ("applyRulesOnConcatenatedData", true.into()),
                "once" => ("ignoreSubsequentSubfields", true.into()),
                "single" => ("createSingleObject", true.into()),
                "leader" => continue,
                "required" => ("requiredSubfield", codes(argument)),
                "exclusive" => ("exclusiveSubfield", codes(argument)),
                "split" => (
                    "subFieldSplit",
                    json!({"type": "split_every", "value": argument}),
                ),
                "join" => {
                    let (delimiter, joined) = quoted(argument);
                    delimiters.push(json!({"value": delimiter, "subfields": codes(joined)}));
                    continue;
                }
                "else" => {
                    let (target, of) = argument.split_once(' ').unwrap_or((argument, ""));
                    let other = json!({
                        "target": target,
                        "subfield": codes(of),
                        "ignoreSubsequentSubfields": true,
                    });
                    ("alternativeMapping", other)
                }
                "replace" => {
                    row.insert("fieldReplacementBy3Digits".to_owned(), true.into());
                    let rules = argument
                        .split_whitespace()
                        .filter_map(|rule| rule.split_once('>'));
                    let rules =
                        rules.map(|(from, to)| json!({"sourceDigits": from, "targetField": to}));
                    ("fieldReplacementRule", rules.collect())
                }
                other => (other, Value::Null),
            };
            row.insert(key.to_owned(), value);
        }
        if !delimiters.is_empty() {
            row.insert("subFieldDelimiter".to_owned(), delimiters.into());
        }
        self.put_rules(&mut row);
        row
    }

    fn put_rules(&self, row: &mut Map<String, Value>) {
        let rule = match &self.done {
            Processing::Nothing => return,
            Processing::Constant(value) => json!({"conditions": [], "value": value}),
            Processing::Functions(functions, parameters) => {
                let mut condition = json!({"type": functions});
                if !parameters.is_empty() {
                    condition["parameter"] = parameters.clone().into();
                }
                if self.words.iter().any(|(name, _)| name == "leader") {
                    condition["LDR"] = true.into();
                }
                json!({"conditions": [condition]})
            }
        };
        row.insert("rules".to_owned(), json!([rule]));
    }
}

/// A quoted text, and the rest behind it.
fn quoted(text: &str) -> (&str, &str) {
    let mut parts = text.splitn(3, '"');
    let (_, inner, after) = (parts.next(), parts.next(), parts.next());
    (inner.unwrap_or_default(), after.unwrap_or_default())
}

fn codes(text: &str) -> Value {
    text.chars().map(|code| code.to_string()).collect()
}

/// Parameters as `name=value`: a number, a quoted text, or a list in brackets.
fn parameters(text: &str) -> Result<Map<String, Value>, String> {
    let mut parameters = Map::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=').ok_or("a parameter has a value")?;
        let mut values = serde_json::Deserializer::from_str(after).into_iter::<Value>();
        let value = match values.next() {
            Some(Ok(value)) => value,
            _ => return Err(format!("the value of {name} is not understood")),
        };
        parameters.insert(name.trim().to_owned(), value);
        rest = after[values.byte_offset()..].trim_start();
    }
    Ok(parameters)
}

/// Words separated by blanks; quotes and parentheses protect blanks.
pub(super) struct Words<'a>(pub &'a str);

impl Words<'_> {
    /// The next word, without the quotes if it is quoted as a whole.
    pub fn next_word(&mut self) -> Result<Option<String>, String> {
        self.0 = self.0.trim_start();
        if self.0.is_empty() {
            return Ok(None);
        }
        if let Some(rest) = self.0.strip_prefix('\'') {
            let (inner, after) = rest.split_once('\'').ok_or("a quote is not closed")?;
            self.0 = after;
            return Ok(Some(inner.to_owned()));
        }
        if let Some(rest) = self.0.strip_prefix('"') {
            let (inner, after) = rest.split_once('"').ok_or("a quote is not closed")?;
            self.0 = after;
            return Ok(Some(inner.to_owned()));
        }
        let mut depth = 0_usize;
        let mut in_quotes = false;
        let end = self.0.char_indices().find_map(|(at, character)| {
            match character {
                '"' => in_quotes = !in_quotes,
                '(' if !in_quotes => depth += 1,
                ')' if !in_quotes => depth = depth.saturating_sub(1),
                _ => {}
            }
            (character.is_whitespace() && depth == 0 && !in_quotes).then_some(at)
        });
        let (word, after) = self.0.split_at(end.unwrap_or(self.0.len()));
        self.0 = after;
        Ok(Some(word.to_owned()))
    }
}
