//! Where an export is uploaded to. This server has no client of FTP or SFTP: a complete configuration is
//! answered with that, and the batch voucher is downloaded instead.

use crate::rules::document::{self, Document};

/// Why a complete configuration is of no use.
pub const UNSUPPORTED: &str = "this server does not upload by FTP or SFTP; download the batch \
                               voucher from /batch-voucher/batch-vouchers instead";

/// What a configuration leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Upload {
    /// Something is missing; FOLIO's message.
    Incomplete(&'static str),
    /// It is complete, and cannot be followed.
    Unsupported,
}

/// What a configuration leads to, with its credentials.
#[must_use]
pub fn target(configuration: &Document, credentials: Option<&Document>) -> Upload {
    if credentials.is_none() {
        return Upload::Incomplete("Credentials for FTP upload were not found");
    }
    let Some(uri) = document::text(configuration, "uploadURI").filter(|uri| !uri.is_empty()) else {
        return Upload::Incomplete("URI for FTP upload was not found");
    };
    let is_address = ["ftp://", "sftp://"]
        .iter()
        .any(|scheme| uri.to_ascii_lowercase().starts_with(scheme) && uri.len() > scheme.len());
    match is_address {
        true => Upload::Unsupported,
        false => Upload::Incomplete("URI should be valid ftp path"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        let object = |value: serde_json::Value| value.as_object().cloned().expect("an object");
        let secret = object(json!({"username": "u"}));
        for (configuration, credentials, outcome) in [
            (
                json!({}),
                None,
                Some("Credentials for FTP upload were not found"),
            ),
            (
                json!({}),
                Some(&secret),
                Some("URI for FTP upload was not found"),
            ),
            (
                json!({"uploadURI": "a.example"}),
                Some(&secret),
                Some("URI should be valid ftp path"),
            ),
            (json!({"uploadURI": "ftp://a.example"}), Some(&secret), None),
            (
                json!({"uploadURI": "SFTP://a.example"}),
                Some(&secret),
                None,
            ),
        ] {
            let expected = outcome.map_or(Upload::Unsupported, Upload::Incomplete);
            assert_eq!(target(&object(configuration), credentials), expected);
        }
    }
}
