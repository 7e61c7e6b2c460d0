//! Where the tenant's front end is found: what was set by `PUT /base-url`; else the `FOLIO_HOST`
//! of the configuration, where releases before it keep it; else FOLIO's default.

/// What holds where nothing was ever set.
const DEFAULT: &str = "http://localhost:3000";

/// Why a text is no base URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoBaseUrl {
    /// It is not there, or blank.
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

/// Checks what a client wants to hold from now on.
///
/// # Errors
/// Says what is wrong with it.
pub fn sent(url: Option<&str>) -> Result<&str, NoBaseUrl> {
    match url {
        Some(url) if url.ends_with('/') => Err(NoBaseUrl::Slash),
        Some(url) if !url.trim().is_empty() => Ok(url),
        _ => Err(NoBaseUrl::Missing),
    }
}

/// What holds, from what is stored.
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
