//! Patrons' pins: set, removed and verified. Only hashes are stored.

use std::num::NonZeroU32;
use std::sync::OnceLock;

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use octavo_boxed::boxed;
use octavo_library::UserId;
use octavo_records::StoreError;
use ring::pbkdf2;

use super::UserContext;
use crate::store::pins;

/// A longer pin is wrong without hashing: hashing it would cost too much.
pub const PIN_BYTES_MAX: usize = 1_024;
/// How mod-users hashes pins: PBKDF2 with HMAC-SHA-512, the user's id as salt, written as 16 hexadecimal
/// digits.
const FOLIO_ROUNDS: NonZeroU32 = NonZeroU32::new(150_000).expect("it is not zero");
const FOLIO_BYTES: usize = 8;

/// Sets or replaces a user's pin.
#[boxed]
pub async fn set(context: &UserContext<'_>, user: UserId, pin: String) -> Result<(), StoreError> {
    let hash = hashed(context, pin).await?;
    pins::set(&context.store.database, context.tenant, user, &hash).await
}

/// Removes a user's pin, if there is one.
#[boxed]
pub async fn remove(context: &UserContext<'_>, user: UserId) -> Result<(), StoreError> {
    pins::remove(&context.store.database, context.tenant, user).await
}

/// Whether it is the user's pin. It takes as long for users without a pin, so that response times do not
/// show who has one. A hash taken over from a FOLIO installation is replaced by one of ours after a
/// successful check.
#[boxed]
pub async fn verify(
    context: &UserContext<'_>,
    user: UserId,
    pin: String,
) -> Result<bool, StoreError> {
    let database = &context.store.database;
    let hash = pins::hash_of(database, context.tenant, user).await?;
    let stored = hash.clone();
    let given = pin.clone();
    let work = move || matches(&given, stored.as_deref(), user);
    let right = context
        .platform
        .identities
        .password_checks
        .run(work)
        .await?;
    if let (true, Some(old)) = (right, hash.filter(|hash| folios(hash).is_some())) {
        let new = hashed(context, pin).await?;
        pins::exchange(database, context.tenant, user, &old, &new).await?;
    }
    Ok(right)
}

async fn hashed(context: &UserContext<'_>, pin: String) -> Result<String, StoreError> {
    let work = move || {
        Argon2::default()
            .hash_password(pin.as_bytes())
            .map(|hash| hash.to_string())
    };
    // On the CPU pool, a few at a time: many verifications at once must not delay other requests.
    let hash = context
        .platform
        .identities
        .password_checks
        .run(work)
        .await?;
    hash.map_err(|error| StoreError::fault(error))
}

fn matches(pin: &str, hash: Option<&str>, user: UserId) -> bool {
    if pin.len() > PIN_BYTES_MAX {
        return false;
    }
    if let Some(stored) = hash.and_then(folios) {
        let salt = user.to_string();
        let algorithm = pbkdf2::PBKDF2_HMAC_SHA512;
        return pbkdf2::verify(
            algorithm,
            FOLIO_ROUNDS,
            salt.as_bytes(),
            pin.as_bytes(),
            &stored,
        )
        .is_ok();
    }
    let compared = hash.unwrap_or_else(|| decoy());
    let parsed = PasswordHash::new(compared).ok();
    let same = parsed.is_some_and(|parsed| {
        Argon2::default()
            .verify_password(pin.as_bytes(), &parsed)
            .is_ok()
    });
    hash.is_some() && same
}

/// The bytes of what mod-users stores; `None` for a hash of ours.
fn folios(hash: &str) -> Option<[u8; FOLIO_BYTES]> {
    let digits = hash.as_bytes();
    if digits.len() != FOLIO_BYTES * 2 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let mut bytes = [0; FOLIO_BYTES];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(bytes)
}

/// The hash that pins of users without one are compared with, so that they cost the same.
fn decoy() -> &'static str {
    static DECOY: OnceLock<String> = OnceLock::new();
    DECOY.get_or_init(|| {
        Argon2::default()
            .hash_password(b"nobody has this pin")
            .map(|hash| hash.to_string())
            .unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const USER: UserId = UserId::from_u128(0x1111_1111_1111_4111_8111_1111_1111_1111);

    #[test]
    fn pins_of_ours_are_distinguished_from_those_of_folio() {
        let ours = Argon2::default()
            .hash_password(b"1234")
            .map(|hash| hash.to_string())
            .expect("a pin can be hashed");
        assert!(ours.starts_with("$argon2id$") && folios(&ours).is_none());
        assert!(matches("1234", Some(&ours), USER) && !matches("1235", Some(&ours), USER));
        assert!(!matches("1234", None, USER));
        assert!(!matches("nobody has this pin", None, USER));
        assert!(!matches(&"1".repeat(PIN_BYTES_MAX + 1), Some(&ours), USER));
        assert_eq!(
            folios("0A0b0C0D0E0F1011"),
            Some([10, 11, 12, 13, 14, 15, 16, 17])
        );
        assert_eq!(folios("0A0b0C0D0E0F101G"), None);
    }
}
