//! Recognizes a login to FOLIO in plans and recordings, and makes the draft's login.

use crate::model::{Call, Expect, Extract, ValueSource};
use crate::note::Notes;
use crate::reference;

const LOGINS: &str = "logins";
const PATHS: [&str; 4] = [
    "/authn/login",
    "/authn/login-with-expiry",
    "/bl-users/login",
    "/bl-users/login-with-expiry",
];
/// The variable of the token when the plan names none.
const TOKEN: &str = "token";
const TOKEN_HEADER: &str = "x-okapi-token";
const TENANT_HEADER: &str = "x-okapi-tenant";

/// Whether a request logs in.
pub(crate) fn is_login(method: &str, target: &str) -> bool {
    let path = target.split('?').next().unwrap_or_default();
    method == "POST" && PATHS.iter().any(|login| path.ends_with(login))
}

/// Whether a header carries a token.
pub(crate) fn is_token_header(name: &str) -> bool {
    name.eq_ignore_ascii_case(TOKEN_HEADER)
}

/// Whether a header names the tenant.
pub(crate) fn is_tenant_header(name: &str) -> bool {
    name.eq_ignore_ascii_case(TENANT_HEADER)
}

/// The login of a draft whose plan has none.
pub(crate) fn own() -> Call {
    Call {
        label: "POST /authn/login".to_owned(),
        method: "POST".to_owned(),
        target: "/authn/login".to_owned(),
        headers: vec![
            ("Content-Type".to_owned(), "application/json".to_owned()),
            ("X-Okapi-Tenant".to_owned(), "${tenant}".to_owned()),
        ],
        ..Call::default()
    }
}

/// Makes a request the draft's login: the command line's user, the token extracted from the
/// response. Returns the variable of the token.
pub(crate) fn adopt(call: &mut Call, notes: &mut Notes) -> String {
    if let Some(at) = call.target.find("-with-expiry") {
        call.target.replace_range(at..at + "-with-expiry".len(), "");
        let what = "it asks for a token in a header, because the driver keeps no cookies";
        notes.add(call.line, LOGINS, what);
    }
    call.body = Some(r#"{"username":"${username}","password":"${password}"}"#.to_owned());
    call.headers.retain(|(name, _)| {
        let name = name.to_lowercase();
        !is_token_header(&name) && name != "content-type" && name != "authorization"
    });
    let kind = ("Content-Type".to_owned(), "application/json".to_owned());
    call.headers.push(kind);
    // Without a status condition a login that answers 200 is accepted too; other conditions are not
    // needed.
    call.expect.retain(|one| matches!(one, Expect::Status(_)));
    let taken = call.extract.iter().find_map(|one| match &one.from {
        ValueSource::Header(name) if is_token_header(name) => Some(one.variable.clone()),
        _ => None,
    });
    call.extract.retain(|one| match &one.from {
        ValueSource::Header(name) => !name.contains("cookie"),
        ValueSource::Json(path) => !path.to_lowercase().contains("token"),
    });
    taken.unwrap_or_else(|| {
        call.extract.push(Extract {
            variable: TOKEN.to_owned(),
            from: ValueSource::Header(TOKEN_HEADER.to_owned()),
            random: false,
            default: String::new(),
        });
        TOKEN.to_owned()
    })
}

/// Whether a value has the form of a token.
pub(crate) fn is_token(value: &str) -> bool {
    let value = value.trim();
    let value = value.strip_prefix("Bearer ").unwrap_or(value);
    let parts: Vec<&str> = value.split('.').collect();
    let is_part = |part: &&str| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_=".contains(&byte);
        part.len() >= 8 && part.bytes().all(fits)
    };
    value.starts_with("ey")
        && (parts.len() == 3 || parts.len() == 5)
        && parts.iter().all(|part| is_part(part) || part.is_empty())
}

/// Replaces tokens in headers by the login's.
pub(crate) fn hide_tokens(call: &mut Call, token: &str) {
    for (name, value) in &mut call.headers {
        let is_fixed = reference::names(value).is_empty();
        if is_fixed && (is_token_header(name) || is_token(value)) {
            *value = match value.starts_with("Bearer ") {
                true => format!("Bearer ${{{token}}}"),
                false => format!("${{{token}}}"),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logins_are_known_by_their_paths() {
        assert!(is_login("POST", "/okapi/authn/login-with-expiry"));
        assert!(is_login("POST", "/bl-users/login?expandPermissions=true"));
        assert!(!is_login("OPTIONS", "/authn/login"));
        assert!(!is_login("POST", "/authn/credentials"));
        assert!(is_token("eyJhbGciOiJI.eyJzdWIiOiJk.c2lnbmF0dXJl"));
        assert!(!is_token("text/html"));
    }

    #[test]
    fn a_login_takes_the_command_lines_user_and_a_header() {
        let mut call = own();
        call.target = "/authn/login-with-expiry".to_owned();
        call.body = Some("{\"username\":\"a\",\"password\":\"secret\"}".to_owned());
        let mut notes = Notes::default();
        assert_eq!(adopt(&mut call, &mut notes), "token");
        assert_eq!(call.target, "/authn/login");
        assert!(!call.body.as_deref().unwrap_or_default().contains("secret"));
        assert_eq!(notes.into_sorted().len(), 1);
    }
}
