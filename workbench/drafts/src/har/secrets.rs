//! The secrets of a recording, which a draft must not contain: tokens, cookies, passwords. They are
//! collected first and then searched for in everything that is written.

use super::archive::{Entry, Pair};
use crate::login;
use crate::model::Call;

/// Shorter cookie values are flags, not secrets.
const COOKIE_LENGTH_LEAST: usize = 8;
const PASSWORD_LENGTH_LEAST: usize = 3;
/// Shorter values under the name of a token are page numbers and the like.
const TOKEN_LENGTH_LEAST: usize = 8;
/// Other words in a draft are shorter than this.
const LENGTH_OF_TOKENS: usize = 12;
/// The replacement of a secret without a variable.
const REMOVED: &str = "removed";

/// The secrets of a recording, each with its replacement.
pub(super) struct Secrets {
    found: Vec<(String, &'static str)>,
    tenant: Option<String>,
    username: Option<String>,
}

impl Secrets {
    /// Collects the secrets.
    pub(super) fn of(entries: &[Entry]) -> Self {
        let mut found: Vec<(String, &'static str)> = Vec::new();
        let (mut tenant, mut username) = (None, None);
        for entry in entries {
            let request = &entry.request;
            for pair in request.headers.iter().chain(&entry.response.headers) {
                header(pair, &mut found);
                if login::is_tenant_header(&pair.name) && tenant.is_none() {
                    tenant = Some(pair.value.clone());
                }
            }
            for cookie in request.cookies.iter().chain(&entry.response.cookies) {
                if cookie.value.len() >= COOKIE_LENGTH_LEAST {
                    found.push((cookie.value.clone(), REMOVED));
                }
            }
            let body = request.post_data.as_ref().and_then(|data| data.body());
            let body = body.unwrap_or_default();
            let is_login = {
                let path = request.url.split('?').next().unwrap_or_default();
                login::is_login(&request.method, path)
            };
            credentials(&body, &mut found);
            if let Some((_, query)) = request.url.split_once('?') {
                parameters(query.split('#').next().unwrap_or_default(), &mut found);
            }
            if is_login && username.is_none() {
                username = user(&body);
            }
            if let Some(json) = entry.json() {
                tokens(&json, &mut found);
            }
        }
        found.retain(|(secret, _)| secret.len() >= PASSWORD_LENGTH_LEAST);
        // Longer ones first, since one may be part of another. Every request repeats the same ones.
        found.sort_by(|(one, _), (other, _)| other.len().cmp(&one.len()).then(one.cmp(other)));
        found.dedup_by(|(one, _), (other, _)| one == other);
        Self {
            found,
            tenant,
            username,
        }
    }

    /// Replaces secrets by variables, and the tenant's name in a path by the tenant's variable.
    pub(super) fn hide(&self, call: &mut Call) {
        if let Some(tenant) = &self.tenant {
            let (path, query) = match call.target.split_once('?') {
                Some((path, query)) => (path.to_owned(), Some(query.to_owned())),
                None => (call.target.clone(), None),
            };
            let parts = path.split('/').map(|part| match part == tenant {
                true => "${tenant}",
                false => part,
            });
            let path = parts.collect::<Vec<_>>().join("/");
            call.target = match query {
                Some(query) => format!("{path}?{query}"),
                None => path,
            };
        }
        for text in call.texts_mut() {
            *text = self.hide_in_text(text);
            *text = without_tokens(text);
        }
        if let (Some(user), Some((path, query))) = (&self.username, call.target.split_once('?')) {
            call.target = format!("{path}?{}", replace_whole(query, user, "${username}"));
        }
    }

    /// The whole draft without anything that is long enough to be a secret anywhere.
    pub(super) fn hide_in_draft(&self, text: &str) -> String {
        self.hidden(text, LENGTH_OF_TOKENS)
    }

    /// The text with each secret replaced where it is a whole word.
    pub(super) fn hide_in_text(&self, text: &str) -> String {
        self.hidden(text, 0)
    }

    fn hidden(&self, text: &str, least: usize) -> String {
        let mut text = text.to_owned();
        for (secret, instead) in self.found.iter().filter(|(one, _)| one.len() >= least) {
            for written in [secret.clone(), escaped(secret)] {
                if text.contains(&written) {
                    text = replace_whole(&text, &written, instead);
                }
            }
        }
        text
    }
}

fn escaped(secret: &str) -> String {
    let quoted = serde_json::to_string(secret).unwrap_or_default();
    quoted.trim_matches('"').to_owned()
}

fn header(pair: &Pair, found: &mut Vec<(String, &'static str)>) {
    let name = pair.name.to_lowercase();
    let value = pair.value.trim();
    if name == "cookie" || name == "set-cookie" {
        // One line may have several cookies, and attributes.
        for part in value.split([';', '\n']) {
            let value = part.split_once('=').map_or("", |(_, value)| value.trim());
            let is_attribute = ["expires", "path", "domain", "max-age", "samesite"]
                .iter()
                .any(|one| part.trim().to_lowercase().starts_with(one));
            if !is_attribute && value.len() >= COOKIE_LENGTH_LEAST {
                found.push((value.to_owned(), REMOVED));
            }
        }
    } else if login::is_token_header(&name) || login::is_token(value) {
        let value = value.strip_prefix("Bearer ").unwrap_or(value);
        found.push((value.to_owned(), "${token}"));
    } else if name == "authorization" {
        let value = value.split_once(' ').map_or(value, |(_, value)| value);
        found.push((value.to_owned(), REMOVED));
    }
}

/// The user name of a login.
fn user(body: &str) -> Option<String> {
    let json: serde_json::Value = serde_json::from_str(body).ok()?;
    let name = json.get("username")?.as_str()?;
    (name.len() >= PASSWORD_LENGTH_LEAST).then(|| name.to_owned())
}

/// Passwords in bodies, of logins and others.
fn credentials(body: &str, found: &mut Vec<(String, &'static str)>) {
    if let Ok(json) = serde_json::from_str::<serde_json::Value>(body) {
        passwords(&json, found);
        tokens(&json, found);
        return;
    }
    parameters(body, found);
}

/// Secrets in `name=value&…`, as they stand and decoded.
fn parameters(text: &str, found: &mut Vec<(String, &'static str)>) {
    for pair in text.split('&') {
        let Some((name, value)) = pair.split_once('=') else {
            continue;
        };
        let instead = match name.to_lowercase() {
            name if is_password(&name) => "${password}",
            name if name.contains("token") && value.len() >= TOKEN_LENGTH_LEAST => REMOVED,
            _ => continue,
        };
        found.push((value.to_owned(), instead));
        found.push((crate::jmx::decoded(value, true), instead));
    }
}

fn is_password(name: &str) -> bool {
    let name = name.to_lowercase();
    ["password", "passwd", "secret", "apikey", "api_key"]
        .iter()
        .any(|one| name.contains(one))
}

fn passwords(json: &serde_json::Value, found: &mut Vec<(String, &'static str)>) {
    match json {
        serde_json::Value::Object(members) => {
            for (name, value) in members {
                match value.as_str() {
                    Some(text) if is_password(name) => {
                        found.push((text.to_owned(), "${password}"));
                    }
                    _ => passwords(value, found),
                }
            }
        }
        serde_json::Value::Array(items) => {
            items.iter().for_each(|item| passwords(item, found));
        }
        _ => {}
    }
}

/// Tokens in bodies.
fn tokens(json: &serde_json::Value, found: &mut Vec<(String, &'static str)>) {
    match json {
        serde_json::Value::Object(members) => {
            for (name, value) in members {
                match value.as_str() {
                    Some(text) if login::is_token(text) => {
                        found.push((text.to_owned(), "${token}"));
                    }
                    Some(text)
                        if name.to_lowercase().contains("token")
                            && text.len() >= TOKEN_LENGTH_LEAST =>
                    {
                        found.push((text.to_owned(), REMOVED));
                    }
                    _ => tokens(value, found),
                }
            }
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| tokens(item, found)),
        _ => {}
    }
}

/// Removes tokens in texts that are not known from elsewhere.
fn without_tokens(text: &str) -> String {
    if !text.contains("ey") {
        return text.to_owned();
    }
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "-_.=".contains(letter);
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(fits) {
        let end = rest[start..].find(|letter| !fits(letter));
        let end = end.map_or(rest.len(), |end| start + end);
        out.push_str(&rest[..start]);
        let word = &rest[start..end];
        match word.find("ey").filter(|at| login::is_token(&word[*at..])) {
            Some(at) => {
                out.push_str(&word[..at]);
                out.push_str("${token}");
            }
            None => out.push_str(word),
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// Replaces whole words that are not a variable's name.
fn replace_whole(text: &str, secret: &str, instead: &str) -> String {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(secret) {
        let end = at + secret.len();
        let before = rest[..at]
            .chars()
            .next_back()
            .or_else(|| out.chars().next_back());
        let after = rest[end..].chars().next();
        // Long ones are secret wherever they stand.
        let stands_alone =
            secret.len() >= 16 || (!before.is_some_and(is_word) && !after.is_some_and(is_word));
        let is_name = rest[..at].ends_with("${") && after == Some('}');
        // A key of the file, like `password =`, is not a password.
        let is_key = rest[end..].starts_with(" = ") || rest[end..].starts_with("\":");
        out.push_str(&rest[..at]);
        match stands_alone && !is_name && !is_key {
            true => out.push_str(instead),
            false => out.push_str(secret),
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_are_replaced() {
        let replaced = |text: &str| replace_whole(text, "admin", "${password}");
        assert_eq!(
            replaced("\"admin\" diku_admin"),
            "\"${password}\" diku_admin"
        );
        assert_eq!(
            replaced("${admin} admin = 1 \"admin\":2"),
            "${admin} admin = 1 \"admin\":2"
        );
        assert_eq!(replaced("adminadmin"), "adminadmin");
        let token = "eyJhbGciOiJI.eyJzdWIiOiJk.c2lnbmF0dXJl";
        assert_eq!(without_tokens(&format!("a?t={token}&b")), "a?t=${token}&b");
    }
}
