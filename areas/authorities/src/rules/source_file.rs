//! Rules for source files: code, address, and allowed changes.

use serde_json::{Map, Value, json};

/// Maximal length of a code.
const CODE_CHARS_MAX: usize = 25;
/// Characters of a name and of an address.
const TEXT_CHARS_MAX: usize = 2_000;

/// A refusal: FOLIO's message and parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// The sentence.
    pub message: String,
    pub parameters: Vec<(String, String)>,
}

impl Wrong {
    fn of(message: impl Into<String>, key: &str, value: &str) -> Wrong {
        Wrong {
            message: message.into(),
            parameters: vec![(key.to_owned(), value.to_owned())],
        }
    }
}

/// Checks the code that natural ids begin with.
///
/// # Errors
/// When it has other characters than letters, or too many.
pub fn code(code: &str) -> Result<(), Wrong> {
    if code.is_empty() || !code.chars().all(char::is_alphabetic) {
        let message = "Authority Source File prefix should be non-empty sequence of letters";
        return Err(Wrong::of(message, "code", code));
    }
    if code.chars().count() > CODE_CHARS_MAX {
        let message = format!("size must be between 1 and {CODE_CHARS_MAX}");
        return Err(Wrong::of(message, "code", code));
    }
    Ok(())
}

/// Normalises an address: protocol, host and path, with a trailing slash and without `www.`. `None` for
/// an empty text, which removes the address.
pub fn base_url(text: &str) -> Result<Option<String>, Wrong> {
    if text.is_empty() {
        return Ok(None);
    }
    let wrong = |message: String| Err(Wrong::of(message, "baseUrl", text));
    let Some((protocol, rest)) = text.split_once("://") else {
        return wrong("URI is not absolute".to_owned());
    };
    let protocol = protocol.to_ascii_lowercase();
    if !["http", "https", "ftp", "file"].contains(&protocol.as_str()) {
        return wrong(format!("unknown protocol: {protocol}"));
    }
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (authority, path) = match rest.find('/') {
        Some(at) => rest.split_at(at),
        None => (rest, "/"),
    };
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = host.split(':').next().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    let odd = |one: char| one.is_whitespace() || one.is_control() || "<>\"{}|\\^`".contains(one);
    if host.is_empty() || text.chars().any(odd) || text.chars().count() > TEXT_CHARS_MAX {
        return wrong("Illegal character or no host in the URL".to_owned());
    }
    let slash = if path.ends_with('/') { "" } else { "/" };
    Ok(Some(format!("{protocol}://{host}{path}{slash}")))
}

/// The unique part of an address.
#[must_use]
pub fn without_protocol(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}

/// A new local file from what a client sent.
///
/// # Errors
/// When its code or address is invalid.
pub fn local(form: &Map<String, Value>) -> Result<Map<String, Value>, Wrong> {
    let letters = text(form, "code").unwrap_or_default();
    code(letters)?;
    let mut file = Map::new();
    for name in ["id", "name", "type"] {
        if let Some(value) = form.get(name).filter(|value| !value.is_null()) {
            file.insert(name.to_owned(), value.clone());
        }
    }
    file.insert("codes".to_owned(), json!([letters]));
    if let Some(url) = text(form, "baseUrl")
        && let Some(url) = base_url(url)?
    {
        file.insert("baseUrl".to_owned(), json!(url));
    }
    file.insert("source".to_owned(), json!("local"));
    let selectable = form
        .get("selectable")
        .and_then(Value::as_bool)
        .unwrap_or(true);
    file.insert("selectable".to_owned(), json!(selectable));
    let start = start_number(form)?.unwrap_or(1);
    file.insert("hridManagement".to_owned(), json!({"startNumber": start}));
    file.insert("_version".to_owned(), json!(0));
    Ok(file)
}

/// The start number of a local file, if given.
pub fn start_number(form: &Map<String, Value>) -> Result<Option<i64>, Wrong> {
    let Some(number) = form
        .get("hridManagement")
        .and_then(|one| one.get("startNumber"))
    else {
        return Ok(None);
    };
    match number.as_i64() {
        _ if number.is_null() => Ok(None),
        Some(number) if (0..=i64::from(i32::MAX)).contains(&number) => Ok(Some(number)),
        _ => {
            let message = "must be greater than or equal to 0";
            Err(Wrong::of(
                message,
                "hridManagement.startNumber",
                &number.to_string(),
            ))
        }
    }
}

/// Refuses forbidden changes: FOLIO's files keep their name, and files with authorities keep code and
/// numbers.
///
/// # Errors
/// Names the forbidden change.
pub fn may_patch(
    file: &Map<String, Value>,
    patch: &Map<String, Value>,
    is_used: bool,
) -> Result<(), Wrong> {
    let is_folio = is_folio(file);
    if !is_folio && !is_used {
        return Ok(());
    }
    let mut parameters = Vec::new();
    let mut fixed = |name: &str, value: Option<String>| {
        parameters.extend(value.map(|value| (name.to_owned(), value)));
    };
    let sent = |name: &str| text(patch, name).map(str::to_owned);
    if is_folio {
        fixed("name", sent("name"));
    }
    fixed("code", sent("code"));
    let start = patch
        .get("hridManagement")
        .and_then(|one| one.get("startNumber"));
    fixed(
        "hridManagement.startNumber",
        start.filter(|one| !one.is_null()).map(Value::to_string),
    );
    if parameters.is_empty() {
        return Ok(());
    }
    Err(Wrong {
        message: "Unable to patch. Authority source file source is FOLIO or it has authority \
                  references"
            .to_owned(),
        parameters,
    })
}

/// Applies a client's changes and increments the version.
///
/// # Errors
/// When code, address or number is invalid.
pub fn patched(
    file: &Map<String, Value>,
    patch: &Map<String, Value>,
) -> Result<Map<String, Value>, Wrong> {
    let mut file = file.clone();
    for name in ["name", "type", "selectable"] {
        if let Some(value) = patch.get(name).filter(|value| !value.is_null()) {
            file.insert(name.to_owned(), value.clone());
        }
    }
    if let Some(letters) = text(patch, "code") {
        code(letters)?;
        file.insert("codes".to_owned(), json!([letters]));
    }
    if let Some(url) = text(patch, "baseUrl") {
        match base_url(url)? {
            Some(url) => file.insert("baseUrl".to_owned(), json!(url)),
            None => file.shift_remove("baseUrl"),
        };
    }
    if let Some(start) = start_number(patch)? {
        file.insert("hridManagement".to_owned(), json!({"startNumber": start}));
    }
    file.insert("_version".to_owned(), json!(version(&file) + 1));
    Ok(file)
}

/// Whether it is one of FOLIO's files.
#[must_use]
pub fn is_folio(file: &Map<String, Value>) -> bool {
    file.get("source").is_some_and(|source| source == "folio")
}

#[must_use]
pub fn version(document: &Map<String, Value>) -> i64 {
    document
        .get("_version")
        .and_then(Value::as_i64)
        .unwrap_or(0)
}

/// The codes of a file.
#[must_use]
pub fn codes(file: &Map<String, Value>) -> Vec<&str> {
    let codes = file.get("codes").and_then(Value::as_array);
    codes
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn text<'a>(document: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    document.get(name)?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().cloned().expect("an object")
    }

    #[test]
    fn addresses_are_kept_in_one_form() {
        for (sent, kept) in [
            ("http://www.example.org/names", "http://example.org/names/"),
            ("HTTPS://example.org", "https://example.org/"),
            ("http://example.org:8080/a/?b=c", "http://example.org/a/"),
        ] {
            assert_eq!(base_url(sent), Ok(Some(kept.to_owned())), "{sent}");
        }
        assert_eq!(base_url(""), Ok(None));
        for (sent, why) in [
            ("example.org/names", "URI is not absolute"),
            ("gopher://example.org/", "unknown protocol: gopher"),
            ("http:///names", "Illegal character or no host in the URL"),
            ("http://a b/", "Illegal character or no host in the URL"),
        ] {
            assert_eq!(
                base_url(sent).map_err(|wrong| wrong.message),
                Err(why.to_owned())
            );
        }
    }

    #[test]
    fn letters_are_letters() {
        for right in ["n", "aatfg", "ž"] {
            assert_eq!(code(right), Ok(()));
        }
        for wrong in ["", " ", "n1", "a b", "aaaaaaaaaaaaaaaaaaaaaaaaaa"] {
            assert!(code(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_new_file_is_local_and_numbers_from_one() {
        let file = local(&map(
            json!({"name": "Own", "code": "own", "source": "folio"}),
        ));
        assert_eq!(
            file.map(Value::Object),
            Ok(
                json!({"name": "Own", "codes": ["own"], "source": "local", "selectable": true,
                      "hridManagement": {"startNumber": 1}, "_version": 0})
            )
        );
        let wrong = map(json!({"code": "own", "hridManagement": {"startNumber": -1}}));
        assert!(local(&wrong).is_err());
    }

    #[test]
    fn what_is_used_or_folios_keeps_its_letters() {
        let folio = map(json!({"source": "folio", "_version": 3}));
        let own = map(json!({"source": "local"}));
        let all = map(json!({"name": "x", "code": "x", "hridManagement": {"startNumber": 4}}));
        let named = |outcome: Result<(), Wrong>| -> Vec<String> {
            let parameters = outcome.err().map(|wrong| wrong.parameters);
            parameters
                .into_iter()
                .flatten()
                .map(|(key, _)| key)
                .collect()
        };
        assert_eq!(
            named(may_patch(&folio, &all, false)),
            ["name", "code", "hridManagement.startNumber"]
        );
        assert_eq!(
            named(may_patch(&own, &all, true)),
            ["code", "hridManagement.startNumber"]
        );
        assert_eq!(may_patch(&own, &all, false), Ok(()));
        let harmless = map(json!({"selectable": true, "baseUrl": "http://x.org"}));
        assert_eq!(may_patch(&folio, &harmless, true), Ok(()));
        let patched = patched(&folio, &harmless).expect("it may be patched");
        assert_eq!(
            Value::Object(patched),
            json!({"source": "folio", "_version": 4, "selectable": true, "baseUrl": "http://x.org/"})
        );
    }
}
