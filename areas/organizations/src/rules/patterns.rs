//! The texts of organizations and contacts for which FOLIO declares a pattern.

use octavo_records::Violation;
use serde_json::Value;

const CODE: &str = "[\\S ]{1,}";
const WEB: &str = "^$|(([Hh][Tt][Tt][Pp]|[Ff][Tt][Pp])([Ss])?://.+$)";

/// Whether it has at least one character and no white space but blanks.
fn is_code(text: &str) -> bool {
    !text.is_empty() && !text.contains(['\t', '\n', '\u{b}', '\u{c}', '\r'])
}

/// Whether it is empty or an address with a scheme of the web or of file transfer.
fn is_web_address(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return text.is_empty();
    };
    let scheme = scheme.to_ascii_lowercase();
    matches!(scheme.as_str(), "http" | "https" | "ftp" | "ftps")
        && !rest.is_empty()
        && !rest.contains(['\n', '\r'])
}

fn violation(path: &str, pattern: &str, value: &str) -> Violation {
    Violation {
        message: format!("must match \"{pattern}\""),
        code: "jakarta.validation.constraints.Pattern.message",
        path: path.to_owned(),
        value: value.to_owned(),
    }
}

/// What violates a pattern in an organization.
#[must_use]
pub fn of_organization(organization: &Value) -> Vec<Violation> {
    let mut found = Vec::new();
    if let Some(code) = organization["code"].as_str()
        && !is_code(code)
    {
        found.push(violation("code", CODE, code));
    }
    if let Some(address) = organization["edi"]["ediFtp"]["serverAddress"].as_str()
        && !is_web_address(address)
    {
        found.push(violation("edi.ediFtp.serverAddress", WEB, address));
    }
    found.extend(of_urls(organization));
    found
}

/// What violates a pattern in the web addresses of an organization or a contact.
#[must_use]
pub fn of_urls(record: &Value) -> Vec<Violation> {
    let urls = record["urls"].as_array().into_iter().flatten().enumerate();
    let wrong = urls.filter_map(|(at, url)| {
        let value = url["value"].as_str()?;
        let path = format!("urls[{at}].value");
        (!is_web_address(value)).then(|| violation(&path, WEB, value))
    });
    wrong.collect()
}

/// What violates the pattern in a free-standing web address.
#[must_use]
pub fn of_url(url: &Value) -> Vec<Violation> {
    let value = url["value"].as_str();
    let wrong = value.filter(|value| !is_web_address(value));
    wrong
        .map(|value| violation("value", WEB, value))
        .into_iter()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn codes_are_one_line() {
        for (code, fits) in [("A B", true), (" ", true), ("", false), ("A\tB", false)] {
            assert_eq!(is_code(code), fits, "{code:?}");
        }
    }

    #[test]
    fn addresses_have_a_scheme() {
        for (address, fits) in [
            ("", true),
            ("http://x", true),
            ("HTTPS://x", true),
            ("ftps://x/y", true),
            ("sftp://x", false),
            ("http://", false),
            ("www.example.org", false),
        ] {
            assert_eq!(is_web_address(address), fits, "{address:?}");
        }
        let record = json!({"code": "", "urls": [{"value": "http://x"}, {"value": "x"}],
                            "edi": {"ediFtp": {"serverAddress": "y"}}});
        let paths: Vec<String> = of_organization(&record)
            .into_iter()
            .map(|one| one.path)
            .collect();
        assert_eq!(paths, ["code", "edi.ediFtp.serverAddress", "urls[1].value"]);
    }
}
