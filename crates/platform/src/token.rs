//! Access tokens: signed, verified in process, with FOLIO's claims.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use moka::sync::Cache;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Longer tokens are refused unread.
const TOKEN_BYTES_MAX: usize = 8 * 1024;

/// What a token says.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Claims {
    /// The user's name.
    pub sub: String,
    /// The user's id.
    pub user_id: Uuid,
    /// The tenant it is valid for.
    pub tenant: String,
    /// `access` or `legacy-access`.
    #[serde(rename = "type")]
    pub kind: String,
    /// When it was signed, seconds since 1970.
    pub iat: i64,
    /// When it ends; legacy tokens do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exp: Option<i64>,
    /// The token's own id.
    pub jti: Uuid,
}

/// Why a token is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Not a token, or not one that this key signed.
    #[error("Invalid token")]
    Invalid,
    /// It was valid once.
    #[error("Invalid token: access token has expired")]
    Expired,
}

/// Signs and verifies tokens with one key.
pub struct Signer {
    encoding: EncodingKey,
    decoding: DecodingKey,
    validation: Validation,
    /// Tokens whose signature was found good: most requests come with one of a few. Whether a
    /// token has ended is looked at every time.
    verified: Cache<String, Arc<Claims>>,
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signer")
    }
}

impl Signer {
    /// Tokens remembered at most.
    const VERIFIED_MAX: u64 = 10_000;
    /// And for how long.
    const VERIFIED_FOR: Duration = Duration::from_secs(600);
    /// Bytes of a key.
    pub const KEY_BYTES: usize = 32;

    /// A signer for a secret key.
    #[must_use]
    pub fn new(key: &[u8]) -> Signer {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.required_spec_claims.clear();
        validation.leeway = 0;
        Signer {
            encoding: EncodingKey::from_secret(key),
            decoding: DecodingKey::from_secret(key),
            validation,
            verified: Cache::builder()
                .max_capacity(Signer::VERIFIED_MAX)
                .time_to_live(Signer::VERIFIED_FOR)
                .build(),
        }
    }

    /// Signs.
    ///
    /// # Errors
    /// None that a well-formed claim can cause.
    pub fn sign(&self, claims: &Claims) -> Result<String, TokenError> {
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), claims, &self.encoding)
            .map_err(|_| TokenError::Invalid)
    }

    /// Verifies a token and reads it.
    ///
    /// # Errors
    /// When it is forged, malformed or past its end.
    pub fn verify(&self, token: &str) -> Result<Arc<Claims>, TokenError> {
        if token.len() > TOKEN_BYTES_MAX {
            return Err(TokenError::Invalid);
        }
        if let Some(claims) = self.verified.get(token) {
            let ended = claims
                .exp
                .is_some_and(|end| end <= Timestamp::now().as_second());
            return if ended {
                Err(TokenError::Expired)
            } else {
                Ok(claims)
            };
        }
        let claims = self.check(token)?;
        self.verified.insert(token.to_owned(), Arc::clone(&claims));
        Ok(claims)
    }

    fn check(&self, token: &str) -> Result<Arc<Claims>, TokenError> {
        jsonwebtoken::decode::<Claims>(token, &self.decoding, &self.validation)
            .map(|data| Arc::new(data.claims))
            .map_err(|error| match error.kind() {
                jsonwebtoken::errors::ErrorKind::ExpiredSignature => TokenError::Expired,
                _ => TokenError::Invalid,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(exp: Option<i64>) -> Claims {
        Claims {
            sub: "ada".to_owned(),
            user_id: Uuid::nil(),
            tenant: "diku".to_owned(),
            kind: "access".to_owned(),
            iat: 0,
            exp,
            jti: Uuid::nil(),
        }
    }

    #[test]
    fn accepts_its_own_tokens_only() {
        let (ours, theirs) = (Signer::new(&[1; 32]), Signer::new(&[2; 32]));
        let token = ours.sign(&claims(Some(4_000_000_000))).expect("signs");
        assert_eq!(
            ours.verify(&token)
                .map(|claims| claims.sub.clone())
                .as_deref(),
            Ok("ada")
        );
        assert_eq!(theirs.verify(&token).err(), Some(TokenError::Invalid));
        let ended = ours.sign(&claims(Some(1))).expect("signs");
        assert_eq!(ours.verify(&ended).err(), Some(TokenError::Expired));
        let endless = ours.sign(&claims(None)).expect("signs");
        assert!(ours.verify(&endless).is_ok());
        assert_eq!(ours.verify("").err(), Some(TokenError::Invalid));
        assert_eq!(
            ours.verify(&"x".repeat(1_000_000)).err(),
            Some(TokenError::Invalid)
        );
    }

    #[test]
    fn a_token_that_was_good_ends_in_time_all_the_same() {
        let signer = Signer::new(&[1; 32]);
        let end = Timestamp::now().as_second() + 1;
        let token = signer.sign(&claims(Some(end))).expect("signs");
        assert!(signer.verify(&token).is_ok());
        while Timestamp::now().as_second() < end {
            std::thread::yield_now();
        }
        assert_eq!(signer.verify(&token).err(), Some(TokenError::Expired));
    }

    #[test]
    fn an_unsigned_token_is_refused() {
        // {"alg":"none"} with the same claims and no signature.
        let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.";
        assert_eq!(
            Signer::new(&[1; 32]).verify(token).err(),
            Some(TokenError::Invalid)
        );
    }
}
