//! The address of the tenant's front end: as set by `PUT /base-url`; else `FOLIO_HOST` of the
//! configuration, which earlier releases use; else FOLIO's default.

/// FOLIO's default.
const DEFAULT: &str = "http://localhost:3000";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoBaseUrl {
    /// Missing or blank.
    Missing,
    /// It ends with a slash.
    Slash,
}

impl NoBaseUrl {
    /// FOLIO's message.
    #[must_use]
    pub fn message(self) -> &'static str {
        match self {
            NoBaseUrl::Missing => "baseUrl is missing",
            NoBaseUrl::Slash => "baseUrl must not end with a slash",
        }
    }
}

/// Checks a client's base URL.
///
/// # Errors
/// What is wrong with it.
pub fn sent(url: Option<&str>) -> Result<&str, NoBaseUrl> {
    match url {
        Some(url) if url.ends_with('/') => Err(NoBaseUrl::Slash),
        Some(url) if !url.trim().is_empty() => Ok(url),
        _ => Err(NoBaseUrl::Missing),
    }
}

/// The stored base URL, or the default.
#[must_use]
pub fn stored(url: Option<&str>) -> &str {
    url.map(|url| url.trim_end_matches('/'))
        .filter(|url| !url.trim().is_empty())
        .unwrap_or(DEFAULT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_at_the_end_are_none_of_it() {
        assert_eq!(sent(None), Err(NoBaseUrl::Missing));
        assert_eq!(sent(Some(" ")), Err(NoBaseUrl::Missing));
        assert_eq!(sent(Some("https://a/")), Err(NoBaseUrl::Slash));
        assert_eq!(sent(Some("https://a")), Ok("https://a"));
        assert_eq!(stored(Some("https://a//")), "https://a");
        assert_eq!(stored(Some("/")), DEFAULT);
        assert_eq!(stored(None), DEFAULT);
    }
}
