//! Hashes and verifies passwords on the CPU pool, not on the threads that serve requests.

use std::cell::RefCell;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::OnceLock;

use argon2::password_hash::PasswordHasher;
use argon2::password_hash::phc::{Output, PasswordHash};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use octavo_boxed::boxed;
use octavo_platform::Platform;
use octavo_records::StoreError;
use ring::pbkdf2;

pub use crate::store::credentials::StoredHash;

/// A password longer than this is refused unread: hashing it would cost more than it is worth.
pub const PASSWORD_BYTES_MAX: usize = 1_024;
/// FOLIO's hashes: PBKDF2 with HMAC-SHA1, this number of rounds, a key of 160 bits in hexadecimal
/// digits.
const FOLIO_ROUNDS: NonZeroU32 = NonZeroU32::new(1_000).expect("a thousand is not zero");
const FOLIO_KEY_BYTES: usize = 20;
/// A stored hash with a higher memory cost was not made here, and is not computed: it could exhaust
/// memory.
const MEMORY_KIB_MAX: u32 = 64 * 1024;
/// The same for its rounds.
const ROUNDS_MAX: u32 = 16;

/// What a check found.
#[derive(Clone, PartialEq, Eq)]
pub enum Check {
    /// Another password, or the user has none.
    Wrong,
    /// The right password.
    Right,
    /// The right password, whose hash was FOLIO's; with the new hash to store.
    RightBut(String),
}

/// Compares a password with a stored hash. It takes as long for a user without one.
///
/// # Errors
/// When too many checks wait already.
#[boxed]
pub async fn check(
    platform: &Platform,
    password: String,
    stored: Option<StoredHash>,
) -> Result<Check, StoreError> {
    check_for(platform, None, password, stored).await
}

/// The same for a client at an address. Without a stored hash nothing is computed: the request waits as
/// long as a check would take, so that attempts with unknown names do not use up the CPU pool.
///
/// # Errors
/// As [`check`].
#[boxed]
pub async fn check_for(
    platform: &Platform,
    address: Option<IpAddr>,
    password: String,
    stored: Option<StoredHash>,
) -> Result<Check, StoreError> {
    // Too long for any stored password; bounds the work of hashing.
    let stored = stored.filter(|_| password.len() <= PASSWORD_BYTES_MAX);
    let password: String = if password.len() <= PASSWORD_BYTES_MAX {
        password
    } else {
        String::new()
    };
    let checks = &platform.identities.password_checks;
    if stored.is_none() {
        let comparing = move || {
            compare(&password, None);
        };
        checks.pretend(address, comparing).await?;
        return Ok(Check::Wrong);
    }
    let comparing = move || compare(&password, stored.as_ref());
    checks.run_for(address, comparing).await
}

/// Whether a password matches a stored hash, for other operations of this area.
///
/// # Errors
/// When too many checks wait already.
#[boxed]
pub async fn is_right(
    platform: &Platform,
    password: String,
    stored: Option<StoredHash>,
) -> Result<bool, StoreError> {
    Ok(check(platform, password, stored).await? != Check::Wrong)
}

/// Hashes a password on the CPU pool.
///
/// # Errors
/// When it is too long, or too many wait.
#[boxed]
pub async fn hash_in_turn(platform: &Platform, password: String) -> Result<String, StoreError> {
    let hashed = platform
        .identities
        .password_checks
        .run(move || hash(&password))
        .await?;
    hashed.map_err(StoreError::Query)
}

/// Hashes a password with a fresh salt.
///
/// # Errors
/// When it is longer than is accepted.
pub fn hash(password: &str) -> Result<String, String> {
    if password.len() > PASSWORD_BYTES_MAX {
        return Err(format!("a password has at most {PASSWORD_BYTES_MAX} bytes"));
    }
    #[cfg(test)]
    COMPUTED.set(COMPUTED.get() + 1);
    Argon2::default()
        .hash_password(password.as_bytes())
        .map(|hash| hash.to_string())
        .map_err(|error| error.to_string())
}

/// Every branch computes argon2 once, so that all take the same time.
fn compare(password: &str, stored: Option<&StoredHash>) -> Check {
    match stored {
        Some(StoredHash { hash, .. }) if hash.starts_with("$argon2") => {
            if is_ours(password, hash) {
                Check::Right
            } else {
                Check::Wrong
            }
        }
        Some(StoredHash {
            hash: digits,
            salt: Some(salt),
        }) => match (is_folios(password, digits, salt), hash(password)) {
            (true, Ok(ours)) => Check::RightBut(ours),
            (true, Err(_)) => Check::Right,
            (false, _) => Check::Wrong,
        },
        _ => {
            is_ours(password, decoy());
            Check::Wrong
        }
    }
}

/// The hash to compare with for unknown users, so that they take the same time.
fn decoy() -> &'static str {
    static DECOY: OnceLock<String> = OnceLock::new();
    DECOY.get_or_init(|| hash("nobody has this password").unwrap_or_default())
}

fn is_ours(password: &str, hash: &str) -> bool {
    verify(password, hash).unwrap_or(false)
}

/// `None` when it is not an argon2 hash of ours.
fn verify(password: &str, hash: &str) -> Option<bool> {
    thread_local! {
        // argon2's working memory is kept per thread: allocating it for each check is slow.
        static MEMORY: RefCell<Vec<Block>> = const { RefCell::new(Vec::new()) };
    }
    let parsed = PasswordHash::new(hash).ok()?;
    let algorithm = Algorithm::new(parsed.algorithm.as_str()).ok()?;
    let version = Version::try_from(parsed.version.unwrap_or(19)).ok()?;
    let params = Params::try_from(&parsed).ok()?;
    if params.m_cost() > MEMORY_KIB_MAX || params.t_cost() > ROUNDS_MAX {
        return None;
    }
    let expected = parsed.hash.as_ref()?;
    let salt = parsed.salt.as_ref()?;
    let blocks = params.block_count();
    let mut computed = vec![0; expected.as_bytes().len()];
    #[cfg(test)]
    COMPUTED.set(COMPUTED.get() + 1);
    MEMORY.with_borrow_mut(|memory| {
        if memory.len() < blocks {
            memory.resize(blocks, Block::default());
        }
        Argon2::new(algorithm, version, params)
            .hash_password_into_with_memory(
                password.as_bytes(),
                salt,
                &mut computed,
                &mut memory[..blocks],
            )
            .ok()
    })?;
    // Compared in constant time.
    Some(Output::new(&computed).ok()? == *expected)
}

fn is_folios(password: &str, digits: &str, salt: &str) -> bool {
    let (Some(expected), Some(salt)) = (bytes_of(digits), bytes_of(salt)) else {
        return false;
    };
    let algorithm = pbkdf2::PBKDF2_HMAC_SHA1;
    expected.len() == FOLIO_KEY_BYTES
        && pbkdf2::verify(
            algorithm,
            FOLIO_ROUNDS,
            &salt,
            password.as_bytes(),
            &expected,
        )
        .is_ok()
}

/// Decodes hexadecimal digits.
fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    if !digits.len().is_multiple_of(2) || digits.len() > 1_024 || !digits.is_ascii() {
        return None;
    }
    (0..digits.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).ok())
        .collect()
}

#[cfg(test)]
thread_local! {
    /// How often this thread has computed argon2.
    static COMPUTED: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(hash: &str, salt: Option<&str>) -> StoredHash {
        StoredHash {
            hash: hash.to_owned(),
            salt: salt.map(str::to_owned),
        }
    }

    /// Every failed log-in costs the same. Counts computations, since measured times would be
    /// unreliable.
    #[test]
    fn an_unknown_name_costs_what_a_known_one_costs() {
        // The first look-up of an unknown name computes the decoy hash.
        let _ = decoy();
        let ours = stored(&hash("secret").expect("a hash"), None);
        let salt = "00112233445566778899AABBCCDDEEFF00112233";
        let folios = stored("A3877E37B1F1B8E92287F3E92BB5D61D834A04CF", Some(salt));
        let none = stored("", None);
        for (password, stored) in [
            ("secret", Some(&ours)),
            ("wrong", Some(&ours)),
            ("wrong", Some(&folios)),
            ("zé secret", Some(&folios)),
            ("wrong", Some(&none)),
            ("wrong", None),
            ("", None),
        ] {
            COMPUTED.set(0);
            let _ = compare(password, stored);
            assert_eq!(COMPUTED.get(), 1, "{password} {}", stored.is_some());
        }
    }

    #[test]
    fn our_hashes_are_verified() {
        let ours = stored(&hash("secret").expect("a hash"), None);
        assert!(compare("secret", Some(&ours)) == Check::Right);
        assert!(compare("Secret", Some(&ours)) == Check::Wrong);
        assert!(compare("", None) == Check::Wrong);
        assert!(compare("nobody has this password", None) == Check::Wrong);
    }

    #[test]
    fn folios_hashes_are_verified_and_made_ours() {
        // PBKDF2-HMAC-SHA1, 1,000 rounds, 20 bytes, computed with another implementation.
        let salt = "00112233445566778899AABBCCDDEEFF00112233";
        let folios = stored("A3877E37B1F1B8E92287F3E92BB5D61D834A04CF", Some(salt));
        let Check::RightBut(ours) = compare("zé secret", Some(&folios)) else {
            panic!("the right password")
        };
        assert!(compare("zé secret", Some(&stored(&ours, None))) == Check::Right);
        assert!(compare("other", Some(&folios)) == Check::Wrong);
        let lower = stored(&folios.hash.to_lowercase(), Some(&salt.to_lowercase()));
        assert!(matches!(
            compare("zé secret", Some(&lower)),
            Check::RightBut(_)
        ));
    }

    #[test]
    fn what_is_no_hash_is_nobodys() {
        for (hash, salt) in [
            ("", None),
            ("", Some("")),
            ("00", Some("00")),
            ("xyz", Some("00")),
            ("é0", Some("é0")),
            ("$argon2id$", None),
            (
                "$argon2id$v=19$m=4294967295,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNo",
                None,
            ),
            (
                "$argon2id$v=19$m=64,t=4294967295,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNo",
                None,
            ),
        ] {
            assert!(
                compare("", Some(&stored(hash, salt))) == Check::Wrong,
                "{hash}"
            );
        }
    }

    #[test]
    fn long_passwords_are_refused() {
        assert!(hash(&"x".repeat(PASSWORD_BYTES_MAX)).is_ok());
        assert!(hash(&"x".repeat(PASSWORD_BYTES_MAX + 1)).is_err());
    }
}
