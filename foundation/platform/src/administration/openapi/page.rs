//! The page that displays the description: one file without external resources.

use std::sync::OnceLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::HeaderValue;
use ring::digest::{SHA256, digest};

use super::document::Written;

const HTML: &str = include_str!("page.html");

/// The page, and the content security policy that allows only its own script.
pub(super) fn page() -> &'static (Written, HeaderValue) {
    static PAGE: OnceLock<(Written, HeaderValue)> = OnceLock::new();
    PAGE.get_or_init(|| {
        let policy = format!(
            "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; \
             connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            STANDARD.encode(digest(&SHA256, between("script").as_bytes())),
            STANDARD.encode(digest(&SHA256, between("style").as_bytes())),
        );
        let policy =
            HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"));
        (Written::new(HTML.into()), policy)
    })
}

/// The content of the page's only element of this name.
fn between(element: &str) -> &'static str {
    let (open, close) = (format!("<{element}>"), format!("</{element}>"));
    let rest = HTML.split_once(&open).map_or("", |(_, rest)| rest);
    rest.split_once(&close).map_or("", |(inner, _)| inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_brings_all_it_needs() {
        assert!(between("script").len() > 1_000 && between("style").len() > 500);
        for strange in [
            "src=",
            "@import",
            "url(",
            "<link",
            "innerHTML",
            " style=\"",
            " onclick",
        ] {
            assert!(!HTML.contains(strange), "{strange}");
        }
        let (written, policy) = page();
        assert_eq!(written.bytes, HTML);
        assert!(
            policy
                .to_str()
                .expect("text")
                .contains("script-src 'sha256-")
        );
    }
}
