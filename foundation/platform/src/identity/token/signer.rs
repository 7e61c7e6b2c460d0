//! Signs tokens with the newest key and verifies them with any valid one, without I/O.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use jiff::Timestamp;
use jsonwebtoken::{Algorithm, Header, Validation, decode_header};
use moka::sync::Cache;
use uuid::Uuid;

use super::keys::{Key, Keys, Ready};
use super::{Claims, TokenError, TokenKind};

/// Longer tokens are rejected without parsing. Modules' tokens list permissions and can be long.
const TOKEN_BYTES_MAX: usize = 32 * 1024;

/// Signs and verifies tokens.
pub struct Signer {
    keys: RwLock<Arc<Keys>>,
    validation: Validation,
    /// Tokens with a verified signature: most requests come with one of a few. Expiry is checked
    /// every time.
    verified: Cache<String, Verified>,
}

#[derive(Clone)]
struct Verified {
    claims: Arc<Claims>,
    epoch: u64,
}

/// The content of a module's token.
#[derive(Debug)]
pub struct ModuleToken<'a> {
    /// The tenant for which it is valid.
    pub tenant: &'a str,
    /// Which of the successive tenants with that id.
    pub incarnation: Option<Uuid>,
    /// The user whose request the module serves; none when it acts by itself.
    pub caller: Option<&'a Claims>,
    pub module: &'a str,
    /// Permissions in addition to the caller's, sets expanded.
    pub extra_permissions: Vec<String>,
    pub lifetime: Duration,
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signer")
    }
}

impl Signer {
    /// The size of the cache of verified tokens, in bytes.
    const VERIFIED_BYTES_MAX: u64 = 16 * 1024 * 1024;
    /// The overhead of each entry, in bytes.
    const VERIFIED_BYTES: usize = 512;
    /// How long a verified token stays cached.
    const VERIFIED_FOR: Duration = Duration::from_secs(600);
    pub const KEY_BYTES: usize = 32;

    /// A signer with one key.
    #[must_use]
    pub fn new(secret: &[u8]) -> Signer {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.required_spec_claims.clear();
        validation.leeway = 0;
        // Expiry is checked for cached tokens too, so it is checked apart; and an expired token may
        // still be logged out.
        validation.validate_exp = false;
        // The parsed claims take about as many bytes as the token.
        let weight = |token: &String, _: &Verified| {
            u32::try_from(token.len().saturating_mul(2) + Signer::VERIFIED_BYTES)
                .unwrap_or(u32::MAX)
        };
        Signer {
            keys: RwLock::new(Arc::new(Keys::new(0, &[Key::new(secret.to_vec())]))),
            validation,
            verified: Cache::builder()
                .weigher(weight)
                .max_capacity(Signer::VERIFIED_BYTES_MAX)
                .time_to_live(Signer::VERIFIED_FOR)
                .build(),
        }
    }

    /// Uses these keys from now on, newest first. An empty list changes nothing.
    pub fn replace(&self, keys: &[Key]) {
        let mut held = self.keys.write().unwrap_or_else(PoisonError::into_inner);
        let same = held.ids().eq(keys.iter().map(|key| key.id.as_str()));
        if !keys.is_empty() && !same {
            *held = Arc::new(Keys::new(held.epoch + 1, keys));
            drop(held);
            self.verified.invalidate_all();
        }
    }

    fn keys(&self) -> Arc<Keys> {
        Arc::clone(&self.keys.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Signs a token.
    pub fn sign(&self, claims: &Claims) -> Result<String, TokenError> {
        let keys = self.keys();
        let key = keys.newest().ok_or(TokenError::Invalid)?;
        let mut header = Header::new(Algorithm::HS256);
        header.kid = Some(key.id.clone());
        jsonwebtoken::encode(&header, claims, &key.encoding).map_err(|_| TokenError::Invalid)
    }

    /// Signs a token for a remote module. It is invalid once all sessions of the caller are
    /// revoked, but not when only the caller's session is, as the module's work may outlast that.
    pub fn sign_module(&self, token: ModuleToken<'_>) -> Result<String, TokenError> {
        let now = Timestamp::now().as_second();
        let lifetime = i64::try_from(token.lifetime.as_secs()).unwrap_or(i64::MAX);
        self.sign(&Claims {
            sub: token
                .caller
                .map_or(token.module, |caller| caller.sub.as_str())
                .to_owned(),
            user_id: token.caller.and_then(|caller| caller.user_id),
            tenant: token.tenant.to_owned(),
            kind: TokenKind::Module,
            iat: now,
            exp: Some(now.saturating_add(lifetime)),
            jti: Uuid::new_v4(),
            sid: None,
            generation: token.caller.map_or(0, |caller| caller.generation),
            module: Some(token.module.to_owned()),
            extra_permissions: token.extra_permissions,
            incarnation: token.incarnation,
            dummy: false,
        })
    }

    /// Verifies a caller's token and returns its claims.
    ///
    /// # Errors
    /// When it is forged, malformed, expired, or of a kind that calls are not made with.
    pub fn verify(&self, token: &str) -> Result<Arc<Claims>, TokenError> {
        if token.len() > TOKEN_BYTES_MAX {
            return Err(TokenError::Invalid);
        }
        let keys = self.keys();
        let claims = match self.verified.get(token) {
            Some(verified) if verified.epoch == keys.epoch => verified.claims,
            _ => {
                let claims = Arc::new(self.check(&keys, token)?);
                let verified = Verified {
                    claims: Arc::clone(&claims),
                    epoch: keys.epoch,
                };
                self.verified.insert(token.to_owned(), verified);
                claims
            }
        };
        if claims.kind == TokenKind::Refresh {
            return Err(TokenError::Invalid);
        }
        if has_ended(&claims) {
            return Err(TokenError::Expired);
        }
        Ok(claims)
    }

    /// Verifies a refresh token and returns its claims.
    ///
    /// # Errors
    /// When it is forged, malformed, expired, or a token of another kind.
    pub fn verify_refresh(&self, token: &str) -> Result<Claims, TokenError> {
        let claims = self.verify_ended_refresh(token)?;
        if has_ended(&claims) {
            return Err(TokenError::Expired);
        }
        Ok(claims)
    }

    /// The same for one that may have expired, whose session can still be logged out.
    ///
    /// # Errors
    /// As [`Signer::verify_refresh`], but not for expiry.
    pub fn verify_ended_refresh(&self, token: &str) -> Result<Claims, TokenError> {
        if token.len() > TOKEN_BYTES_MAX {
            return Err(TokenError::Invalid);
        }
        let claims = self.check(&self.keys(), token)?;
        match claims.kind {
            TokenKind::Refresh => Ok(claims),
            _ => Err(TokenError::Invalid),
        }
    }

    /// Checks signature and form, but not expiry.
    fn check(&self, keys: &Keys, token: &str) -> Result<Claims, TokenError> {
        let header = decode_header(token).map_err(|_| TokenError::Invalid)?;
        if header.alg != Algorithm::HS256 {
            return Err(TokenError::Invalid);
        }
        let mut claims = match &header.kid {
            Some(id) => self.decode(keys.of(id).ok_or(TokenError::UnknownKey)?, token),
            // Earlier releases named no key, so all are tried.
            None => keys
                .all()
                .map(|key| self.decode(key, token))
                .find(Result::is_ok)
                .unwrap_or(Err(TokenError::Invalid)),
        }?;
        if claims.dummy && claims.kind == TokenKind::LegacyAccess {
            claims.kind = TokenKind::Dummy;
        }
        if claims.kind.ends() && claims.exp.is_none() {
            return Err(TokenError::Invalid);
        }
        Ok(claims)
    }

    fn decode(&self, key: &Ready, token: &str) -> Result<Claims, TokenError> {
        jsonwebtoken::decode::<Claims>(token, &key.decoding, &self.validation)
            .map(|data| data.claims)
            .map_err(|_| TokenError::Invalid)
    }
}

fn has_ended(claims: &Claims) -> bool {
    claims
        .exp
        .is_some_and(|end| end <= Timestamp::now().as_second())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAR: i64 = 4_000_000_000;

    fn claims(kind: TokenKind, exp: Option<i64>) -> Claims {
        Claims {
            sub: "ada".to_owned(),
            user_id: Some(Uuid::nil()),
            tenant: "diku".to_owned(),
            kind,
            exp,
            ..Claims::default()
        }
    }

    fn signed(signer: &Signer, kind: TokenKind, exp: Option<i64>) -> String {
        signer.sign(&claims(kind, exp)).expect("signs")
    }

    #[test]
    fn accepts_its_own_tokens_only() {
        let (ours, theirs) = (Signer::new(&[1; 32]), Signer::new(&[2; 32]));
        let token = signed(&ours, TokenKind::Access, Some(FAR));
        let sub = |signer: &Signer| signer.verify(&token).map(|claims| claims.sub.clone());
        assert_eq!(sub(&ours).as_deref(), Ok("ada"));
        assert_eq!(sub(&theirs), Err(TokenError::UnknownKey));
        let ended = signed(&ours, TokenKind::Access, Some(1));
        assert_eq!(ours.verify(&ended).err(), Some(TokenError::Expired));
        assert!(
            ours.verify(&signed(&ours, TokenKind::LegacyAccess, None))
                .is_ok()
        );
        for text in ["", ".", "..", "a.b.c", &"x".repeat(1_000_000)] {
            assert_eq!(ours.verify(text).err(), Some(TokenError::Invalid));
        }
    }

    #[test]
    fn a_token_that_was_good_ends_in_time_all_the_same() {
        let signer = Signer::new(&[1; 32]);
        let end = Timestamp::now().as_second() + 1;
        let token = signed(&signer, TokenKind::Access, Some(end));
        assert!(signer.verify(&token).is_ok());
        while Timestamp::now().as_second() < end {
            std::thread::yield_now();
        }
        assert_eq!(signer.verify(&token).err(), Some(TokenError::Expired));
    }

    #[test]
    fn each_kind_is_good_for_its_own_purpose() {
        let signer = Signer::new(&[1; 32]);
        let refresh = signed(&signer, TokenKind::Refresh, Some(FAR));
        assert_eq!(signer.verify(&refresh).err(), Some(TokenError::Invalid));
        // Not even when it is cached.
        assert_eq!(signer.verify(&refresh).err(), Some(TokenError::Invalid));
        assert!(signer.verify_refresh(&refresh).is_ok());
        let ended = signed(&signer, TokenKind::Refresh, Some(1));
        assert_eq!(
            signer.verify_refresh(&ended).err(),
            Some(TokenError::Expired)
        );
        assert!(signer.verify_ended_refresh(&ended).is_ok());
        for kind in [
            TokenKind::Access,
            TokenKind::LegacyAccess,
            TokenKind::Module,
            TokenKind::Dummy,
        ] {
            let token = signed(&signer, kind, Some(FAR));
            assert!(signer.verify(&token).is_ok(), "{kind:?}");
            assert!(signer.verify_refresh(&token).is_err(), "{kind:?}");
        }
        let endless = signed(&signer, TokenKind::Access, None);
        assert_eq!(signer.verify(&endless).err(), Some(TokenError::Invalid));
    }

    #[test]
    fn other_algorithms_and_unsigned_tokens_are_refused() {
        let secret = [1; 32];
        let signer = Signer::new(&secret);
        // {"alg":"none"} with some claims and no signature.
        let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.";
        assert_eq!(signer.verify(token).err(), Some(TokenError::Invalid));
        let key = jsonwebtoken::EncodingKey::from_secret(&secret);
        for algorithm in [Algorithm::HS384, Algorithm::HS512] {
            let claims = claims(TokenKind::Access, Some(FAR));
            let token =
                jsonwebtoken::encode(&Header::new(algorithm), &claims, &key).expect("signs");
            assert_eq!(signer.verify(&token).err(), Some(TokenError::Invalid));
        }
        // {"alg":"RS256"} before a valid token's claims and signature.
        let good = signed(&signer, TokenKind::Access, Some(FAR));
        let (_, rest) = good.split_once('.').expect("three parts");
        let confused = format!("eyJhbGciOiJSUzI1NiJ9.{rest}");
        assert_eq!(signer.verify(&confused).err(), Some(TokenError::Invalid));
    }

    #[test]
    fn keys_follow_each_other_and_a_removed_one_is_worth_nothing() {
        let (old, new) = (Key::new(vec![1; 32]), Key::new(vec![2; 32]));
        let signer = Signer::new(&old.secret);
        let before = signed(&signer, TokenKind::LegacyAccess, None);
        // Tokens of earlier releases name no key.
        let nameless = jsonwebtoken::encode(
            &Header::new(Algorithm::HS256),
            &claims(TokenKind::LegacyAccess, None),
            &jsonwebtoken::EncodingKey::from_secret(&old.secret),
        )
        .expect("signs");
        assert!(signer.verify(&before).is_ok());
        signer.replace(&[new.clone(), old.clone()]);
        let after = signed(&signer, TokenKind::LegacyAccess, None);
        for token in [&before, &after, &nameless] {
            assert!(signer.verify(token).is_ok());
        }
        let elsewhere = Signer::new(&old.secret);
        assert_eq!(elsewhere.verify(&after).err(), Some(TokenError::UnknownKey));
        signer.replace(&[new]);
        assert!(signer.verify(&before).is_err() && signer.verify(&nameless).is_err());
        assert!(signer.verify(&after).is_ok());
        signer.replace(&[]);
        assert!(signer.verify(&after).is_ok(), "never without a key");
        assert!(!format!("{old:?}").contains("1, 1"));
    }

    #[test]
    fn what_folio_signs_without_a_type_is_read() {
        let secret = [1; 32];
        let signer = Signer::new(&secret);
        let key = jsonwebtoken::EncodingKey::from_secret(&secret);
        for (claims, kind) in [
            (
                serde_json::json!({"sub": "ada", "tenant": "diku"}),
                TokenKind::LegacyAccess,
            ),
            (
                serde_json::json!({"sub": "_", "tenant": "diku", "dummy": true, "user_id": null}),
                TokenKind::Dummy,
            ),
        ] {
            let token =
                jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &key).expect("signs");
            assert_eq!(signer.verify(&token).map(|claims| claims.kind), Ok(kind));
        }
    }

    #[test]
    fn a_modules_token_is_its_callers_with_more_permissions() {
        let signer = Signer::new(&[1; 32]);
        let caller = Claims {
            generation: 3,
            sid: Some(Uuid::max()),
            ..claims(TokenKind::Access, Some(FAR))
        };
        for caller in [Some(&caller), None] {
            let token = signer
                .sign_module(ModuleToken {
                    tenant: "diku",
                    incarnation: None,
                    caller,
                    module: "mod-x-1.0.0",
                    extra_permissions: vec!["a.get".to_owned()],
                    lifetime: Duration::from_secs(60),
                })
                .expect("signs");
            let read = signer.verify(&token).expect("good");
            assert_eq!(read.kind, TokenKind::Module);
            assert_eq!(read.extra_permissions, ["a.get"]);
            assert_eq!(read.user_id, caller.and_then(|caller| caller.user_id));
            assert_eq!(
                read.generation,
                caller.map_or(0, |caller| caller.generation)
            );
            assert_eq!(read.sub, caller.map_or("mod-x-1.0.0", |caller| &caller.sub));
        }
    }
}
