//! Writes a workload as TOML for people to edit: short strings single-quoted, long ones over
//! several lines, headers that requests share written once.

use std::fmt::Write as _;

use crate::model::{Call, Expect, Extract, Think, ValueSource, Workload};

/// Header lines that some requests share.
type Headers = Vec<(String, String)>;

/// The workload's text; `head` becomes comment lines at its beginning.
pub(crate) fn toml(workload: &Workload, head: &str) -> String {
    let mut out = String::new();
    for line in head.lines() {
        let line = format!(
            "# {}",
            line.replace(|letter: char| letter.is_control(), " ")
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
    let common = shared(workload.transactions.iter().flat_map(|one| &one.calls));
    field(&mut out, "format", "1");
    field(&mut out, "name", &text(&workload.name));
    field(&mut out, "title", &text(&workload.title));
    field(&mut out, "description", &text(&workload.description));
    if workload.continues_after_error {
        field(&mut out, "on_error", &text("continue"));
    }
    if !workload.variables.is_empty() {
        out.push_str("\n[variables]\n");
        for (name, value) in &workload.variables {
            field(&mut out, &key(name), &text(value));
        }
    }
    headers(&mut out, "headers", &common);
    if let Some(login) = &workload.login {
        out.push_str("\n[login]\n");
        call(&mut out, login, &common);
    }
    for feeder in &workload.feeders {
        out.push_str("\n[[feeder]]\n");
        if !feeder.file.is_empty() {
            comment(&mut out, &format!("in the plan: {}", feeder.file));
        }
        field(&mut out, "name", &text(&feeder.name));
        field(&mut out, "columns", &list(&feeder.columns));
        if feeder.shared {
            field(&mut out, "rows", &text("shared"));
        }
    }
    for branch in &workload.branches {
        out.push_str("\n[[branch]]\n");
        field(&mut out, "name", &text(&branch.name));
        field(&mut out, "weight", &branch.weight.to_string());
        if !branch.draws.is_empty() {
            field(&mut out, "draws", &list(&branch.draws));
        }
        field(&mut out, "steps", &list(&branch.steps));
    }
    for transaction in &workload.transactions {
        out.push_str("\n[[transaction]]\n");
        field(&mut out, "name", &text(&transaction.name));
        if !transaction.summed {
            field(&mut out, "summed", "false");
        }
        let all = shared(&transaction.calls);
        headers(&mut out, "transaction.headers", &without(&all, &common));
        for one in &transaction.calls {
            out.push_str("\n[[transaction.request]]\n");
            call(&mut out, one, &all);
        }
    }
    out
}

/// The headers that all of these have in common.
fn shared<'c>(calls: impl IntoIterator<Item = &'c Call>) -> Headers {
    let mut calls = calls.into_iter();
    let Some(first) = calls.next() else {
        return Headers::new();
    };
    let mut shared = first.headers.clone();
    for one in calls {
        shared.retain(|header| one.headers.contains(header));
    }
    shared
}

fn without(headers: &Headers, given: &Headers) -> Headers {
    let rest = headers.iter().filter(|header| !given.contains(header));
    rest.cloned().collect()
}

fn headers(out: &mut String, table: &str, headers: &Headers) {
    if headers.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n[{table}]");
    for (name, value) in headers {
        field(out, &key(name), &text(value));
    }
}

fn call(out: &mut String, call: &Call, given: &Headers) {
    field(out, "label", &text(&call.label));
    field(
        out,
        "send",
        &text(&format!("{} {}", call.method, call.target)),
    );
    let own = without(&call.headers, given);
    if !own.is_empty() {
        let pairs = own.iter();
        let pairs = pairs.map(|(name, value)| format!("{} = {}", key(name), one_line(value)));
        field(out, "headers", &format!("{{ {} }}", joined(pairs)));
    }
    if let Some(body) = &call.body {
        field(out, "body", &text(body));
    }
    if call.think != Think::default() {
        field(out, "think", &think(call.think));
    }
    if !call.expect.is_empty() {
        let all: Vec<_> = call.expect.iter().map(expect).collect();
        field(out, "expect", &tables(&all));
    }
    if !call.extract.is_empty() {
        let all: Vec<_> = call.extract.iter().map(extract).collect();
        field(out, "extract", &tables(&all));
    }
}

fn think(think: Think) -> String {
    let part = |name: &str, value: u64| {
        let value = value.min(u64::from(u32::MAX));
        (value > 0).then(|| format!("{name} = {value}"))
    };
    let parts = [
        part("constant_ms", think.constant_ms),
        part("uniform_ms", think.uniform_ms),
    ];
    format!("{{ {} }}", joined(parts.into_iter().flatten()))
}

fn expect(expect: &Expect) -> String {
    let path = |path: &str| format!("json = {}", one_line(path));
    let inside = match expect {
        Expect::Present(json) => path(json),
        Expect::Absent(json) => format!("{}, is = \"absent\"", path(json)),
        Expect::WholeNumber(json) => format!("{}, is = \"whole-number\"", path(json)),
        Expect::Status(status) => format!("status = {status}"),
        Expect::Contains(part) => format!("body_contains = {}", one_line(part)),
        Expect::Lacks(part) => format!("body_lacks = {}", one_line(part)),
    };
    format!("{{ {inside} }}")
}

fn extract(extract: &Extract) -> String {
    let mut inside = format!("variable = {}, ", one_line(&extract.variable));
    inside += &match &extract.from {
        ValueSource::Json(path) => format!("json = {}", one_line(path)),
        ValueSource::Header(name) => format!("header = {}", one_line(name)),
    };
    if extract.random {
        inside += ", match = \"random\"";
    }
    if !extract.default.is_empty() {
        inside += &format!(", default = {}", one_line(&extract.default));
    }
    format!("{{ {inside} }}")
}

fn tables(tables: &[String]) -> String {
    match tables {
        [one] => format!("[{one}]"),
        more => {
            let lines = more.iter().map(|one| format!("    {one},\n"));
            format!("[\n{}]", lines.collect::<String>())
        }
    }
}

fn list(texts: &[String]) -> String {
    format!("[{}]", joined(texts.iter().map(|one| one_line(one))))
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

fn field(out: &mut String, name: &str, value: &str) {
    let _ = writeln!(out, "{name} = {value}");
}

fn comment(out: &mut String, text: &str) {
    let text = text.replace(|letter: char| letter.is_control(), " ");
    let _ = writeln!(out, "# {text}");
}

fn key(name: &str) -> String {
    let bare = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    match !name.is_empty() && name.chars().all(bare) {
        true => name.to_owned(),
        false => basic(name),
    }
}

/// A TOML string, over several lines if it has several.
fn text(value: &str) -> String {
    let legible = |letter: char| !letter.is_control() || letter == '\n' || letter == '\t';
    let several = value.contains('\n') && value.chars().all(legible);
    // A trailing apostrophe would merge with the closing ones.
    match several && !value.contains("'''") && !value.ends_with('\'') {
        true => format!("'''\n{value}'''"),
        false => one_line(value),
    }
}

fn one_line(value: &str) -> String {
    let legible = |letter: char| !letter.is_control() && letter != '\'';
    match value.chars().all(legible) {
        true if value.contains('"') || value.contains('\\') => format!("'{value}'"),
        true => format!("\"{value}\""),
        false => basic(value),
    }
}

fn basic(value: &str) -> String {
    let mut out = String::with_capacity(value.len() + 2);
    out.push('"');
    for letter in value.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            letter if letter.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(letter));
            }
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_written_in_the_form_that_reads_best() {
        assert_eq!(text("plain"), "\"plain\"");
        assert_eq!(text("a\"b"), "'a\"b'");
        assert_eq!(text("it's"), "\"it's\"");
        assert_eq!(text("a\nb"), "'''\na\nb'''");
        assert_eq!(text("a\n'''b"), "\"a\\n'''b\"");
        assert_eq!(text("a\u{1}\u{7f}"), "\"a\\u0001\\u007F\"");
        assert_eq!(key("a b"), "\"a b\"");
    }
}
