//! Converts one HTTP sampler to a request: its line, headers in scope, body. Its server is not
//! converted, because a workload runs against `--url`.

use super::tree::{Element, Property};
use super::values::Values;
use crate::model::Call;
use crate::note::Notes;

pub(super) const REQUESTS: &str = "requests taken otherwise than they stand";
const HEADERS: &str = "headers not taken";
const METHODS: [&str; 7] = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"];

/// Headers that the driver sets itself, or that its client does not support.
const DROPPED: [&str; 9] = [
    "host",
    "connection",
    "content-length",
    "accept-encoding",
    "transfer-encoding",
    "keep-alive",
    "te",
    "upgrade",
    "cookie",
];

/// Whether an element is a request.
pub(super) fn is_http(kind: &str) -> bool {
    matches!(kind, "HTTPSamplerProxy" | "HTTPSampler" | "HTTPSampler2")
}

/// The server of a sampler, after defaults.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Origin(pub(super) String);

/// Converts a sampler; `defaults` go from the outermost to the innermost.
///
/// # Errors
/// Why a workload cannot express it.
pub(super) fn call(
    sampler: &Element,
    defaults: &[&Element],
    managers: &[&Element],
    values: &mut Values,
    notes: &mut Notes,
) -> Result<(Call, Origin), String> {
    let text = |name: &str| -> String {
        let own = sampler.text(name);
        let given = defaults.iter().rev().map(|one| one.text(name));
        let mut given = std::iter::once(own).chain(given);
        given
            .find(|text| !text.trim().is_empty())
            .unwrap_or_default()
            .to_owned()
    };
    let method = match text("HTTPSampler.method").trim() {
        "" => "GET".to_owned(),
        method => values
            .constant(method)
            .unwrap_or_else(|| method.to_owned())
            .to_uppercase(),
    };
    if !METHODS.contains(&method.as_str()) {
        return Err(format!("the method `{method}`"));
    }
    let (origin, path) = split_address(&text("HTTPSampler.path"));
    let origin = origin.unwrap_or_else(|| {
        let parts = ["HTTPSampler.domain", "HTTPSampler.port"].map(text);
        parts.join(":").trim_end_matches(':').to_owned()
    });
    let arguments = arguments(sampler, defaults);
    let is_raw = sampler.is_true("HTTPSampler.postBodyRaw");
    let takes_body = matches!(method.as_str(), "POST" | "PUT" | "PATCH") || is_raw;

    let mut target = path_of(&path, sampler, values, notes);
    let mut headers = headers(managers, values, notes);
    let mut body = None;
    if takes_body && is_raw {
        let parts = arguments.iter().map(|one| one.inner("Argument.value"));
        let raw: String = parts.collect();
        body = (!raw.is_empty()).then(|| raw_body(&raw, sampler, values, notes));
    } else if takes_body && !arguments.is_empty() && !target.contains('?') {
        body = Some(form(&arguments, sampler, values, notes));
        if !headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("content-type"))
        {
            let kind = "application/x-www-form-urlencoded".to_owned();
            headers.push(("Content-Type".to_owned(), kind));
        }
    } else if !arguments.is_empty() {
        for argument in &arguments {
            target.push(if target.contains('?') { '&' } else { '?' });
            target.push_str(&parameter(argument, sampler, values, notes));
        }
    }
    let files = sampler.property("HTTPsampler.Files");
    let files = files.iter().flat_map(|files| &files.items);
    if files
        .flat_map(|list| &list.items)
        .any(|file| !file.inner("File.path").is_empty())
    {
        return Err("it sends a file".to_owned());
    }
    let mut note = |what: &str| {
        notes.add(
            sampler.line,
            REQUESTS,
            format!("{}: {what}", sampler.label()),
        );
    };
    if sampler.is_true("HTTPSampler.DO_MULTIPART_POST") && body.is_some() && !is_raw {
        note("sent as a form, not in parts");
    }
    if sampler.is_true("HTTPSampler.image_parser") {
        note("what its page embeds is not fetched");
    }
    let label = match sampler.name.trim() {
        "" => format!("{method} {target}"),
        name => name.to_owned(),
    };
    let call = Call {
        label,
        method,
        target,
        headers,
        body,
        line: sampler.line,
        ..Call::default()
    };
    Ok((call, Origin(origin)))
}

/// A path that may be a whole address.
fn split_address(path: &str) -> (Option<String>, String) {
    let path = path.trim();
    for scheme in ["https://", "http://"] {
        if let Some(rest) = path.strip_prefix(scheme) {
            return match rest.find(['/', '?']) {
                Some(at) => (Some(rest[..at].to_owned()), rest[at..].to_owned()),
                None => (Some(rest.to_owned()), String::new()),
            };
        }
    }
    (None, path.to_owned())
}

/// The unencoded path and query.
fn path_of(path: &str, sampler: &Element, values: &mut Values, notes: &mut Notes) -> String {
    // A known value with a slash would be encoded as one segment, so it is inserted here.
    let path = match values.constant(path) {
        Some(known) => known,
        None => path.to_owned(),
    };
    let (path, query) = match path.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (path.as_str(), None),
    };
    let path = values.template(&decoded(path, false), sampler, notes);
    let path = path.replace(['\n', '\r', '\t'], "");
    let mut target = match path.starts_with('/') {
        true => path,
        false => format!("/{path}"),
    };
    if let Some(query) = query {
        let query = values.template(&decoded(query, true), sampler, notes);
        target.push('?');
        target.push_str(query.trim_end_matches(['\n', '\r']));
    }
    if target[1..].starts_with("${") && !target.contains('?') && !target[1..].contains('/') {
        let what = format!(
            "{}: the path is a variable, whose slashes are encoded",
            sampler.label()
        );
        notes.add(sampler.line, REQUESTS, what);
    }
    target
}

/// Percent-decodes; characters that are special in the query stay encoded.
pub(crate) fn decoded(text: &str, is_query: bool) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = match bytes[at] {
            b'%' => text
                .get(at + 1..at + 3)
                .and_then(|hex| u8::from_str_radix(hex, 16).ok()),
            _ => None,
        };
        match escaped {
            Some(byte) if !b"&?#%/".contains(&byte) && byte >= b' ' => {
                out.push(byte);
                at += 3;
            }
            None if is_query && bytes[at] == b'+' => {
                out.push(b' ');
                at += 1;
            }
            _ => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

fn arguments<'e>(sampler: &'e Element, defaults: &[&'e Element]) -> Vec<&'e Property> {
    let own = std::iter::once(sampler);
    let all = defaults.iter().copied().chain(own);
    let lists = all.filter_map(|one| one.property("HTTPsampler.Arguments"));
    let lists = lists.flat_map(|arguments| &arguments.items);
    lists.flat_map(|list| &list.items).collect()
}

/// A query parameter, unencoded.
fn parameter(
    argument: &Property,
    sampler: &Element,
    values: &mut Values,
    notes: &mut Notes,
) -> String {
    let value = argument.inner("Argument.value");
    let value = match argument.inner("HTTPArgument.always_encode").trim() {
        "true" => value.to_owned(),
        _ => decoded(value, true),
    };
    let value = values.template(&value, sampler, notes);
    if value.replace("${", "").contains('&') {
        let what = format!("{}: `&` in a parameter is not supported", sampler.label());
        notes.add(sampler.line, REQUESTS, what);
    }
    let value = value.replace(['\n', '\r', '\t'], " ");
    let name = values.template(argument.inner("Argument.name"), sampler, notes);
    match (
        name.as_str(),
        argument.inner("HTTPArgument.use_equals").trim(),
    ) {
        ("", _) => value,
        (name, "false") if value.is_empty() => name.to_owned(),
        (name, _) => format!("{name}={value}"),
    }
}

fn raw_body(raw: &str, sampler: &Element, values: &mut Values, notes: &mut Notes) -> String {
    let body = values.template(raw, sampler, notes);
    let trimmed = body.trim();
    if trimmed.starts_with("${") && trimmed.ends_with('}') && trimmed.matches("${").count() == 1 {
        let what = format!(
            "{}: the body is one variable, which is escaped as inside a JSON string",
            sampler.label()
        );
        notes.add(sampler.line, REQUESTS, what);
    }
    match trimmed.starts_with(['{', '[', '<']) {
        true => body.replace("\r\n", "\n").replace('\r', "\n"),
        false => body,
    }
}

/// `a=b&c=d` with the known parts encoded.
fn form(
    arguments: &[&Property],
    sampler: &Element,
    values: &mut Values,
    notes: &mut Notes,
) -> String {
    let mut parts = Vec::new();
    for argument in arguments {
        let name = values.template(argument.inner("Argument.name"), sampler, notes);
        let value = argument.inner("Argument.value");
        let value = match values.constant(value) {
            Some(known) => crate::reference::literal(&known),
            None => {
                let what = format!("{}: a variable in its form is not encoded", sampler.label());
                notes.add(sampler.line, REQUESTS, what);
                values.template(value, sampler, notes)
            }
        };
        let value = value
            .replace('%', "%25")
            .replace('&', "%26")
            .replace('+', "%2B");
        parts.push(format!("{name}={}", value.replace(' ', "+")));
    }
    parts.join("&")
}

/// Headers in scope; the innermost manager wins.
fn headers(managers: &[&Element], values: &mut Values, notes: &mut Notes) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for manager in managers {
        let lists = manager.property("HeaderManager.headers");
        for header in lists.iter().flat_map(|list| &list.items) {
            let name = header.inner("Header.name").trim().trim_end_matches(':');
            if name.is_empty() {
                continue;
            }
            let mut note = |what: &str| {
                let what = format!("{}: `{name}` {what}", manager.label());
                notes.add(manager.line, HEADERS, what);
            };
            let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!#".contains(&byte);
            if !name.bytes().all(is_token) {
                note("is no fixed name");
                continue;
            }
            if DROPPED.contains(&name.to_lowercase().as_str()) {
                note("is the driver's business");
                continue;
            }
            let value = values.template(header.inner("Header.value"), manager, notes);
            let value = value.replace(|letter: char| letter.is_control(), "");
            found.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
            found.push((name.to_owned(), value));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_encoded_texts_are_taken_apart() {
        assert_eq!(
            split_address("https://h:1/a?b"),
            (Some("h:1".into()), "/a?b".into())
        );
        assert_eq!(split_address("a/b"), (None, "a/b".into()));
        assert_eq!(decoded("a%22%20b%26c%2Fd%zz%", false), "a\" b%26c%2Fd%zz%");
        assert_eq!(decoded("a+b%C3%A9", true), "a bé");
        assert_eq!(decoded("a%C3x", false), "a%C3x");
    }
}
