//! The notation of the default rules: blocks of lines, converted into FOLIO's notation.

use serde_json::{Map, Value, json};

use super::line::{Line, Words};

/// The deepest nesting of templates.
const DEPTH_MAX: usize = 8;

/// A named group of lines with placeholders.
struct Template<'a> {
    name: &'a str,
    places: Vec<&'a str>,
    lines: Vec<&'a str>,
}

/// The rules by tag that are being collected.
struct Rules<'a> {
    templates: Vec<Template<'a>>,
    by_tag: Map<String, Value>,
}

/// The entry that lines are added to.
struct Open {
    tag: String,
    head: Map<String, Value>,
    /// Whether each line is an entry of its own.
    is_plain: bool,
    rows: Vec<Value>,
}

/// The rules in FOLIO's notation, or the line that cannot be parsed.
pub(super) fn rules(text: &str) -> Result<Value, String> {
    let mut rules = Rules {
        templates: Vec::new(),
        by_tag: Map::new(),
    };
    let mut lines = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .peekable();
    while let Some(head) = lines.next() {
        let mut body = Vec::new();
        while let Some(line) = lines.next_if(|line| line.starts_with(' ')) {
            body.push(line.trim());
        }
        rules
            .block(head, body)
            .map_err(|problem| format!("{head}: {problem}"))?;
    }
    Ok(Value::Object(rules.by_tag))
}

impl<'a> Rules<'a> {
    fn block(&mut self, head: &'a str, body: Vec<&'a str>) -> Result<(), String> {
        if let Some(template) = head.strip_prefix("define ") {
            let mut words = template.split_whitespace();
            self.templates.push(Template {
                name: words.next().ok_or("a name is expected")?,
                places: words.collect(),
                lines: body,
            });
            return Ok(());
        }
        let (head, used) = match head.split_once(": ") {
            Some((head, used)) => (head, Some(format!("use {used}"))),
            None => (head, None),
        };
        let mut words = head.split_whitespace();
        let tag = words.next().ok_or("a tag is expected")?.to_owned();
        let mut open = Open::new(tag, words)?;
        let lines = used.into_iter().chain(body.into_iter().map(str::to_owned));
        for line in lines {
            self.line(&mut open, &line, 0)?;
        }
        self.close(open);
        Ok(())
    }

    fn line(&mut self, open: &mut Open, line: &str, depth: usize) -> Result<(), String> {
        if depth > DEPTH_MAX {
            return Err("templates use each other too deep".to_owned());
        }
        if let Some(head) = line.strip_prefix("entry") {
            let next = Open::new(open.tag.clone(), head.split_whitespace())?;
            self.close(std::mem::replace(open, next));
            return Ok(());
        }
        if let Some(used) = line.strip_prefix("use ") {
            for line in self.filled(used)? {
                self.line(open, &line, depth + 1)?;
            }
            return Ok(());
        }
        let mut row = Line::parse(line)?.row();
        if open.is_plain {
            let mut head = open.head.clone();
            head.append(&mut row);
            open.rows.push(Value::Object(head));
        } else {
            open.rows.push(Value::Object(row));
        }
        Ok(())
    }

    /// The lines of a template with its placeholders replaced.
    fn filled(&self, used: &str) -> Result<Vec<String>, String> {
        let mut words = Words(used);
        let name = words
            .next_word()?
            .ok_or("the name of a template is expected")?;
        let template = self
            .templates
            .iter()
            .find(|template| template.name == name)
            .ok_or_else(|| format!("there is no template {name}"))?;
        let mut fillings = Vec::new();
        while let Some(filling) = words.next_word()? {
            fillings.push(filling);
        }
        if fillings.len() != template.places.len() {
            return Err(format!("{name} has {} places", template.places.len()));
        }
        let fill = |line: &&str| {
            let mut line = (*line).to_owned();
            for (place, filling) in template.places.iter().zip(&fillings) {
                line = line.replace(&format!("${place}"), filling);
            }
            line
        };
        Ok(template.lines.iter().map(fill).collect())
    }

    fn close(&mut self, open: Open) {
        if open.rows.is_empty() {
            return;
        }
        let entries = self.by_tag.entry(open.tag).or_insert_with(|| json!([]));
        let Value::Array(entries) = entries else {
            return;
        };
        if open.is_plain {
            entries.extend(open.rows);
        } else {
            let mut entry = open.head;
            entry.insert("entity".to_owned(), open.rows.into());
            entries.push(Value::Object(entry));
        }
    }
}

impl Open {
    /// An entry with the words behind its tag.
    fn new<'w>(tag: String, words: impl Iterator<Item = &'w str>) -> Result<Open, String> {
        let mut open = Open {
            tag,
            head: Map::new(),
            is_plain: false,
            rows: Vec::new(),
        };
        for word in words {
            let key = match word {
                "plain" => {
                    open.is_plain = true;
                    continue;
                }
                "each" => "entityPerRepeatedSubfield",
                "first" => "ignoreSubsequentFields",
                "backslash" => "keepTrailingBackslash",
                indicators if indicators.len() == 2 => {
                    let blank = |at: usize| indicators[at..=at].replace('#', " ");
                    let both = json!({"ind1": blank(0), "ind2": blank(1)});
                    open.head.insert("indicators".to_owned(), both);
                    continue;
                }
                other => return Err(format!("{other} is no word for a tag")),
            };
            open.head.insert(key.to_owned(), true.into());
        }
        Ok(open)
    }
}
