//! The mapping as a table, for the documentation.

use std::fmt::Write;

use serde_json::{Map, Value};

use crate::{RecordKind, defaults};

type Object = Map<String, Value>;

/// The default mapping of a kind of record as a Markdown table: tag with indicators, subfields,
/// property, and how its value is made.
#[must_use]
pub fn table(kind: RecordKind) -> String {
    let mut lines = String::from("| tag | subfields | property | how |\n|---|---|---|---|\n");
    let Some(rules) = defaults::rules(kind).as_object() else {
        return lines;
    };
    for (tag, entries) in rules {
        let mut of_tag: Vec<Line> = Vec::new();
        let of_any = if entries
            .as_array()
            .is_some_and(|all| all.iter().any(has_indicators))
        {
            "else"
        } else {
            ""
        };
        for entry in entries.as_array().into_iter().flatten() {
            let Some(entry) = entry.as_object() else {
                continue;
            };
            let fields = match entry.get("indicators") {
                Some(both) => format!("{}{}", indicator(both, "ind1"), indicator(both, "ind2")),
                None => of_any.to_owned(),
            };
            let rows = match entry.get("entity").and_then(Value::as_array) {
                Some(rows) => rows.iter().filter_map(Value::as_object).collect(),
                None => vec![entry],
            };
            for row in rows {
                let content = content(entry, row);
                match of_tag.iter_mut().find(|line| line.content == content) {
                    Some(line) => line.fields.push(fields.clone()),
                    None => of_tag.push(Line {
                        fields: vec![fields.clone()],
                        content,
                    }),
                }
            }
        }
        for Line { fields, content } in of_tag {
            let fields = fields.join(", ");
            // Writing to a String cannot fail.
            let _ = writeln!(
                lines,
                "| {} | {content} |",
                format!("{tag} {fields}").trim_end()
            );
        }
    }
    lines
}

fn has_indicators(entry: &Value) -> bool {
    entry.get("indicators").is_some()
}

fn indicator<'a>(both: &'a Value, which: &str) -> &'a str {
    match both[which].as_str() {
        Some(" ") | None => "#",
        Some(other) => other,
    }
}

/// One line, and the indicators of the fields that it is for; `else` are all that no other entry
/// matches.
struct Line {
    fields: Vec<String>,
    content: String,
}

fn content(entry: &Object, row: &Object) -> String {
    let target = match row["target"].as_str() {
        Some("") | None => "—".to_owned(),
        Some(target) => format!("`{target}`"),
    };
    let codes = match codes(&row["subfield"]) {
        none if none.is_empty() => String::new(),
        codes => format!("`{codes}`"),
    };
    let how = how(entry, row).replace('|', "\\|");
    format!("{codes} | {target} | {how}")
}

fn codes(list: &Value) -> String {
    let codes = list
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    codes.collect()
}

/// How a value is made, in words.
fn how(entry: &Object, row: &Object) -> String {
    let is = |object: &Object, key: &str| object.get(key) == Some(&Value::Bool(true));
    let mut parts: Vec<String> = Vec::new();
    if is(entry, "ignoreSubsequentFields") {
        parts.push("of the first field".to_owned());
    }
    if is(entry, "entityPerRepeatedSubfield") {
        parts.push("for each subfield".to_owned());
    }
    if is(row, "ignoreSubsequentSubfields") {
        parts.push("each subfield once".to_owned());
    }
    for (key, words) in [
        ("requiredSubfield", "only with"),
        ("exclusiveSubfield", "only without"),
    ] {
        if let Some(list) = row.get(key) {
            parts.push(format!("{words} `${}`", codes(list)));
        }
    }
    if let Some(split) = row.get("subFieldSplit") {
        let size = split["value"].as_str().unwrap_or_default();
        parts.push(format!("cut into pieces of {size}"));
    }
    for group in row
        .get("subFieldDelimiter")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let delimiter = group["value"].as_str().unwrap_or_default();
        let joined = codes(&group["subfields"]);
        parts.push(if joined.is_empty() {
            format!("`{delimiter}` between groups")
        } else {
            format!("`{delimiter}` between `{joined}`")
        });
    }
    for rule in row
        .get("fieldReplacementRule")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let text = |key: &str| rule[key].as_str().unwrap_or_default();
        parts.push(format!(
            "{} counts as {}",
            text("sourceDigits"),
            text("targetField")
        ));
    }
    for rule in row
        .get("rules")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        parts.extend(
            rule["conditions"]
                .as_array()
                .into_iter()
                .flatten()
                .map(condition),
        );
        if let Some(value) = rule["value"].as_str() {
            parts.push(format!("always `{value}`"));
        }
    }
    if let Some(other) = row.get("alternativeMapping") {
        let target = other["target"].as_str().unwrap_or_default();
        parts.push(format!(
            "else `{target}` from `{}`",
            codes(&other["subfield"])
        ));
    }
    parts.join("; ")
}

fn condition(condition: &Value) -> String {
    let functions = condition["type"].as_str().unwrap_or_default();
    let functions: Vec<String> = functions
        .split(',')
        .map(|name| format!("`{}`", name.trim()))
        .collect();
    let mut words = functions.join(", ");
    if condition.get("LDR").is_some() {
        words.push_str(" of the leader");
    }
    for (name, value) in condition["parameter"].as_object().into_iter().flatten() {
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Array(list) => {
                let texts: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
                texts.join(", ")
            }
            other => other.to_string(),
        };
        let _ = write!(words, " {name} “{value}”");
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/marc-mapping.md");

    const BEFORE: &str = "\
# From MARC to the catalogue

The default mapping rules of a tenant: which MARC fields and subfields become which property, by which
functions. `GET /mapping-rules/marc-bib`, `…/marc-holdings` and `…/marc-authority` return them as FOLIO's
JSON; `PUT` changes the rules for bibliographic and holdings records.

The tables are generated by `OCTAVO_WRITE=1 cargo test -p octavo-mapping table`; a test compares them with
the rules. The two characters after a tag are its indicators: `#` is a blank, `*` any; `else` applies to
fields that match no other entry of the tag. Functions are applied from left to right.

These properties are set without a rule: `source` is `MARC`; an instance without a content type gets the
type `unspecified`; electronic addresses without `uri`, contributors without name and similar incomplete
entries are omitted; `authorityId` must be a UUID; an authority's `sourceFileId` and `naturalId` are derived
from the prefix of its number in 010 `$a`, else in 001. If a reference record is missing, FOLIO's id
`fe19bae4-da28-472b-be90-d442e2428ead` is stored, and the problems of the record name what is missing.
";

    fn page() -> String {
        let mut page = BEFORE.to_owned();
        for (kind, title) in [
            (RecordKind::Bib, "Bibliographic records to instances"),
            (RecordKind::Holdings, "Holdings"),
            (RecordKind::Authority, "Authorities"),
        ] {
            page.push_str(&format!("\n## {title}\n\n{}", table(kind)));
        }
        page
    }

    #[test]
    fn the_table_in_the_documentation_is_true() {
        let page = page();
        if std::env::var_os("OCTAVO_WRITE").is_some() {
            std::fs::write(PATH, page).unwrap();
            return;
        }
        let written = std::fs::read_to_string(PATH).unwrap_or_default();
        assert!(
            written == page,
            "docs/marc-mapping.md is out of date: OCTAVO_WRITE=1 cargo test -p octavo-mapping table"
        );
    }

    #[test]
    fn a_line_shows_where_from_where_to_and_how() {
        for (kind, line) in [
            (
                RecordKind::Bib,
                "| 245 | `anpb` | `indexTitle` | `remove_prefix_by_indicator`, `capitalize` |\n",
            ),
            (
                RecordKind::Bib,
                "| 720 1*, #*, 2* | `a` | `contributors.name` | `trim_punctuation` |\n",
            ),
            (
                RecordKind::Bib,
                "| 880 | `6` | — | 100 counts as 700; 110 counts as 710; 111 counts as 711; 245 counts as 246 |\n",
            ),
            (
                RecordKind::Holdings,
                "| 001 |  | `holdingsTypeId` | `set_holdings_type_id` of the leader |\n",
            ),
            (
                RecordKind::Authority,
                "| 110 | `abcdfklmnopqrst` | `corporateNameTitle` | only with `$t` |\n",
            ),
        ] {
            assert!(table(kind).contains(line), "{line}");
        }
    }
}
