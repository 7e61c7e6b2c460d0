//! Which tables a source file mentions, and which of them it writes: found in its text, without
//! compiling it.
//!
//! Mentions are tables in statements (`{schema}.item`, `tables.table("item")` in a placeholder),
//! those that a function of the records crate writes through their collection, and names like
//! `loan_type`, which no property of FOLIO's has.

use std::collections::{BTreeMap, BTreeSet};

/// A table that a source mentions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    pub table: String,
    pub writes: bool,
    pub line: usize,
}

/// The SQL before a table that a statement writes.
const WRITING: [&str; 5] = [
    "INSERT INTO",
    "UPDATE",
    "DELETE FROM",
    "LOCK TABLE",
    "TRUNCATE",
];

/// The text before a table's name, where the name could be any other word.
const NAMING: [&str; 10] = [
    "table(",
    "collection(",
    "equals(",
    "catalog.get(",
    "keys_of(tables,",
    "key_of(tables,",
    "schema,",
    "schema(),",
    "&str =",
    "whole(",
];

/// The prefixes of functions that write records of a collection.
const WRITERS: [&str; 5] = ["create", "insert", "replace", "delete", "upsert"];

/// The builder of joins from an item, and the tables that its steps join.
const JOINS: &str = "ItemJoins::";
const JOINED: [(&str, &[&str]); 8] = [
    (".item(", &["item"]),
    (".holdings()", &["holdings_record"]),
    (".title()", &["holdings_record", "instance"]),
    (".title_or(", &["holdings_record", "instance"]),
    (".place()", &["location"]),
    (".units()", &["loclibrary", "loccampus", "locinstitution"]),
    (".material()", &["material_type"]),
    (".loan_type()", &["loan_type"]),
];

/// The tables in the SQL of a migration.
pub fn of_sql(text: &str, tables: &BTreeSet<String>) -> Vec<Mention> {
    qualified(text, 1, tables)
}

/// The tables in a Rust source, without its tests.
pub fn of_rust(text: &str, tables: &BTreeSet<String>) -> Vec<Mention> {
    let text = code(text);
    let names = constants(&text);
    let mut found = Vec::new();
    for (line, part) in functions(&text) {
        let function = Function {
            text: part,
            line,
            tables,
            names: &names,
        };
        found.extend(qualified(part, line, tables));
        found.extend(function.literals());
        found.extend(function.joins());
        found.extend(function.placeholders());
        found.extend(function.collections());
    }
    found
}

/// `{schema}.item`, and the text before it.
fn qualified(text: &str, line: usize, tables: &BTreeSet<String>) -> Vec<Mention> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("}.") {
        let Some(begin) = text[..at].rfind('{') else {
            continue;
        };
        let (inner, after) = (&text[begin + 1..at], &text[at + 2..]);
        let inner = inner.trim_end_matches('}');
        let name = &after[..word(after)];
        // `{stem}.item.get` is a permission.
        let goes_on = after[name.len()..].starts_with('.');
        if (inner.is_empty() || inner.contains("schema")) && !goes_on && tables.contains(name) {
            found.push(Mention {
                table: name.to_owned(),
                writes: is_writing(&text[..begin]),
                line: line + lines(&text[..begin]),
            });
        }
    }
    found
}

struct Function<'a> {
    text: &'a str,
    line: usize,
    tables: &'a BTreeSet<String>,
    /// The constants of the file that are table names.
    names: &'a BTreeMap<String, String>,
}

impl Function<'_> {
    fn mention(&self, table: &str, writes: bool, at: usize) -> Mention {
        Mention {
            table: table.to_owned(),
            writes,
            line: self.line + lines(&self.text[..at]),
        }
    }

    fn literals(&self) -> Vec<Mention> {
        let mut found = Vec::new();
        for (at, name) in literals(self.text) {
            let before = self.text[..at].trim_end();
            let named = NAMING.iter().any(|one| before.ends_with(one));
            let is_column = before.ends_with(".get(") || before.ends_with(">(");
            let speaks = name.contains('_') && !is_column;
            if (named || speaks) && self.tables.contains(name) {
                found.push(self.mention(name, false, at));
            }
        }
        found
    }

    /// Tables in a builder of joins.
    fn joins(&self) -> Vec<Mention> {
        let steps = JOINED.iter().filter(|_| self.text.contains(JOINS));
        let found = steps.flat_map(|(step, tables)| {
            let places = self.text.match_indices(step);
            places.flat_map(|(at, _)| {
                tables
                    .iter()
                    .map(move |table| self.mention(table, false, at))
            })
        });
        found
            .filter(|one| self.tables.contains(&one.table))
            .collect()
    }

    /// Tables in a placeholder behind `INSERT INTO` and the like.
    fn placeholders(&self) -> Vec<Mention> {
        let mut found = Vec::new();
        for macro_name in ["format!(", "format_args!("] {
            for (at, _) in self.text.match_indices(macro_name) {
                let arguments = arguments(&self.text[at + macro_name.len() - 1..]);
                let Some((statement, values)) = arguments.split_first() else {
                    continue;
                };
                for value in written(statement, values) {
                    let value = self.bound(value).unwrap_or(value);
                    let names = self.names_in(value);
                    found.extend(names.map(|name| self.mention(name, true, at)));
                }
            }
        }
        found
    }

    /// Tables whose collections are arguments of a function that writes.
    fn collections(&self) -> Vec<Mention> {
        let mut found = Vec::new();
        let bound: Vec<(String, &str)> = bindings(self.text).collect();
        for (at, arguments) in self.writers() {
            let Some(tenant) = arguments.iter().position(|one| one.contains("tenant")) else {
                continue;
            };
            for (place, argument) in arguments.iter().enumerate() {
                let argument = argument.trim_start_matches('&');
                let known = bound.iter().find(|(name, _)| name == argument);
                let value = known.map_or(argument, |(_, value)| value);
                let is_collection = value.contains("collection(") || value.contains("catalog.get(");
                let is_name = place == tenant + 1 && argument.starts_with('"');
                if is_collection || is_name {
                    let names = self.names_in(value);
                    found.extend(names.map(|name| self.mention(name, true, at)));
                }
            }
        }
        found
    }

    /// The calls of writing functions, with their arguments.
    fn writers(&self) -> impl Iterator<Item = (usize, Vec<&str>)> {
        self.text.match_indices('(').filter_map(|(at, _)| {
            let name = self.text[..at].rsplit(|letter| !is_word(letter)).next()?;
            let writes = WRITERS.iter().any(|one| name.starts_with(one));
            writes.then(|| (at, arguments(&self.text[at..])))
        })
    }

    /// The expression that a variable was bound to.
    fn bound(&self, name: &str) -> Option<&str> {
        if name.is_empty() || word(name) != name.len() {
            return None;
        }
        let mut bound = bindings(self.text).filter(|(one, _)| one == name);
        bound.next().map(|(_, value)| value)
    }

    /// The tables that an expression names, directly or by constants.
    fn names_in<'a>(&'a self, expression: &'a str) -> impl Iterator<Item = &'a str> {
        let literal = literals(expression).map(|(_, name)| name);
        let constant = expression
            .split(|letter| !is_word(letter))
            .filter_map(|name| self.names.get(name).map(String::as_str));
        literal
            .chain(constant)
            .filter(|name| self.tables.contains(*name))
    }
}

/// The values of the placeholders that a statement writes.
fn written<'a>(statement: &'a str, values: &[&'a str]) -> Vec<&'a str> {
    let named = |name: &str| {
        let mut named = values.iter().filter_map(|value| value.split_once(" = "));
        named
            .find(|(one, _)| *one == name)
            .map(|(_, value)| value.trim())
    };
    let (mut written, mut next, mut from) = (Vec::new(), 0, 0);
    while let Some(at) = statement[from..].find('{').map(|at| from + at) {
        if statement[at + 1..].starts_with('{') {
            from = at + 2;
            continue;
        }
        let Some(length) = statement[at..].find('}') else {
            break;
        };
        let inner = &statement[at + 1..at + length];
        let value = match inner {
            "" => {
                next += 1;
                values.get(next - 1).copied()
            }
            name => named(name).or(Some(name)),
        };
        from = at + length + 1;
        let is_schema = statement[from..].starts_with('.');
        if is_writing(&statement[..at]) && !is_schema {
            written.extend(value);
        }
    }
    written
}

/// The variables of a function with their expressions; those of a tuple pattern singly.
fn bindings(text: &str) -> impl Iterator<Item = (String, &str)> {
    text.match_indices("let ").flat_map(|(at, _)| {
        let rest = &text[at + 4..];
        let end = rest.find(';').unwrap_or(rest.len());
        let Some((pattern, value)) = rest[..end].split_once(" = ") else {
            return Vec::new();
        };
        let value = value.split(" else {").next().unwrap_or(value).trim();
        let pattern = pattern.trim_start_matches("mut ").trim();
        let one = pattern.strip_prefix("Some(").unwrap_or(pattern);
        match (pattern.strip_prefix('('), value.starts_with('(')) {
            (Some(names), true) => {
                let names = names.trim_end_matches(')').split(',').map(str::trim);
                let names = names.map(str::to_owned);
                names.zip(arguments(value)).collect()
            }
            _ => vec![(one[..word(one)].to_owned(), value)],
        }
    })
}

/// The arguments of a call; the text begins with its parenthesis.
fn arguments(text: &str) -> Vec<&str> {
    let (mut depth, mut begin, mut quoted) = (0, 1, false);
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if quoted => at += 1,
            b'"' => quoted = !quoted,
            b'\'' if !quoted && bytes.get(at + 2) == Some(&b'\'') => at += 2,
            _ if quoted => {}
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 1 => {
                found.push(text[begin..at].trim());
                begin = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
        at += 1;
    }
    let last = text[begin..at.min(text.len()).max(begin)].trim();
    found.extend((!last.is_empty()).then_some(last));
    found
}

/// The text without tests and comment lines; line numbers stay the same.
fn code(text: &str) -> String {
    let lines = text
        .lines()
        .take_while(|line| !line.starts_with("#[cfg(test)]"));
    let lines = lines.map(|line| match line.trim_start().starts_with("//") {
        true => "",
        false => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The functions of a file with their first lines; the text before the first one counts as one.
fn functions(text: &str) -> Vec<(usize, &str)> {
    let (mut begins, mut at) = (vec![0], 0);
    for line in text.split_inclusive('\n') {
        let mut head = line.trim_start();
        for prefix in ["pub(crate) ", "pub(super) ", "pub ", "const ", "async "] {
            head = head.strip_prefix(prefix).unwrap_or(head);
        }
        if head.starts_with("fn ") {
            begins.push(at);
        }
        at += line.len();
    }
    let ends = begins.iter().skip(1).copied().chain([text.len()]);
    let parts = begins.iter().zip(ends);
    parts
        .map(|(begin, end)| (1 + lines(&text[..*begin]), &text[*begin..end]))
        .collect()
}

/// `const TABLE: &str = "item"`.
fn constants(text: &str) -> BTreeMap<String, String> {
    let declared = text.split("const ").skip(1).filter_map(|rest| {
        let (name, rest) = rest.split_once(": &str =")?;
        let (_, value) = literals(rest.split(';').next()?).next()?;
        Some((name.to_owned(), value.to_owned()))
    });
    declared.collect()
}

/// The string literals that are one lower-case word.
fn literals(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices('"').filter_map(|(at, _)| {
        let rest = &text[at + 1..];
        let name = &rest[..word(rest)];
        let lower = name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        let whole = !name.is_empty() && lower && rest[name.len()..].starts_with('"');
        whole.then_some((at, name))
    })
}

fn is_writing(before: &str) -> bool {
    let before = before.trim_end_matches(|letter: char| letter.is_whitespace() || letter == '\\');
    WRITING.iter().any(|one| before.ends_with(one))
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// The length of the word at the beginning of a text.
fn word(text: &str) -> usize {
    text.find(|letter| !is_word(letter)).unwrap_or(text.len())
}

fn lines(text: &str) -> usize {
    text.matches('\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, bool)> {
        let tables = ["item", "loan", "users", "loan_type"].map(str::to_owned);
        let mentions = of_rust(text, &BTreeSet::from(tables));
        let mut found: Vec<_> = mentions
            .into_iter()
            .map(|one| (one.table, one.writes))
            .collect();
        found.sort();
        found.dedup();
        found
    }

    fn read(table: &str) -> (String, bool) {
        (table.to_owned(), false)
    }

    fn write(table: &str) -> (String, bool) {
        (table.to_owned(), true)
    }

    #[test]
    fn statements_name_tables_by_their_schema() {
        let text = r#"fn a() { f("SELECT 1 FROM {schema}.item JOIN {}.users WITH x AS (UPDATE \
            {schema}.loan SET") }"#;
        assert_eq!(found(text), [read("item"), write("loan"), read("users")]);
        assert_eq!(found(r#"fn a() { f("{stem}.item.get") }"#), []);
    }

    #[test]
    fn placeholders_stand_for_the_tables_that_fill_them() {
        let text = r#"const TABLE: &str = "loan";
            fn a() { let users = tables.table("users");
            format!("DELETE FROM {} USING {} WHERE {users}", tables.table(TABLE), tables.table("item")) }"#;
        let all = [read("item"), read("loan"), write("loan"), read("users")];
        assert_eq!(found(text), all);
        let text = r#"fn a() { let users = tables.table("users"); format!("UPDATE {users} SET") }"#;
        assert_eq!(found(text), [read("users"), write("users")]);
    }

    #[test]
    fn collections_are_written_by_functions_that_get_them() {
        let text = r#"fn a() { let (items, loans) = (desk.collection("item")?, desk.collection("loan")?);
            fetch(tenant, items, id); replace(transaction, tenant, loans, id).await }"#;
        assert_eq!(found(text), [read("item"), read("loan"), write("loan")]);
        assert_eq!(found(r#"fn a() { shown.insert("item", 1) }"#), []);
    }

    #[test]
    fn joins_of_items_name_the_tables_behind_them() {
        let text = r#"fn a() { ItemJoins::outer(tables).item("$1").loan_type(); }"#;
        assert_eq!(found(text), [read("item"), read("loan_type")]);
        assert_eq!(found(r#"fn a() { shown.item("$1") }"#), []);
    }

    #[test]
    fn words_that_no_property_has_are_tables() {
        let text = r#"const LISTS: [&str; 2] = ["loan_type", "item"];"#;
        assert_eq!(found(text), [read("loan_type")]);
    }
}
