//! Pictures of users: accepted files, sizes, and their encryption. Pictures are stored sealed with the
//! library's key and bound to their id: a copy of the database does not reveal them, and one cannot be
//! swapped for another.

use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom, SystemRandom};
use serde_json::Value;
use uuid::Uuid;

/// The file type is recognised by this many first bytes.
const HEAD_BYTES: usize = 12;
const BYTES_IN_MEGABYTE: f64 = 1_048_576.0;
/// Length of a key that is used unchanged; keys of other lengths are hashed to it.
const KEY_BYTES: usize = 32;

/// The part of the settings that is about pictures.
#[derive(Clone, PartialEq)]
pub struct PictureSettings {
    /// Whether users have pictures at all.
    pub enabled: bool,
    /// Whether an object storage is configured, which is not supported.
    pub object_storage: bool,
    /// The encryption key.
    pub key: Option<String>,
    /// The largest picture, in megabytes.
    pub megabytes_max: Option<f64>,
}

impl std::fmt::Debug for PictureSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PictureSettings")
            .field("enabled", &self.enabled)
            .finish_non_exhaustive()
    }
}

impl PictureSettings {
    /// Reads the value of the setting; a missing switch counts as disabled.
    #[must_use]
    pub fn of(value: &Value) -> PictureSettings {
        PictureSettings {
            enabled: value["enabled"] == true,
            object_storage: value["enabledObjectStorage"] == true,
            key: value["encryptionKey"].as_str().map(str::to_owned),
            megabytes_max: value["maxFileSize"].as_f64(),
        }
    }
}

/// Why a file is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileRefusal {
    /// Empty, or larger than the library allows.
    Size,
    /// Too short to be a picture.
    TooShort,
    /// Neither PNG nor JPEG.
    Kind,
}

/// Checks the file type by the first bytes, as mod-users does.
pub fn check_kind(file: &[u8]) -> Result<(), FileRefusal> {
    if file.is_empty() {
        return Err(FileRefusal::Size);
    }
    if file.len() < HEAD_BYTES {
        return Err(FileRefusal::TooShort);
    }
    // JPEG variants (JFIF, EXIF and others) share only these three bytes.
    let known = file.starts_with(&[0xFF, 0xD8, 0xFF]) || file.starts_with(b"\x89PNG");
    if known {
        Ok(())
    } else {
        Err(FileRefusal::Kind)
    }
}

/// Checks the size of a file.
pub fn check_size(file: &[u8], megabytes_max: Option<f64>) -> Result<(), FileRefusal> {
    let megabytes = file.len() as f64 / BYTES_IN_MEGABYTE;
    match megabytes_max {
        Some(most) if megabytes > most => Err(FileRefusal::Size),
        _ => Ok(()),
    }
}

/// Encrypts a picture: a fresh nonce, then the ciphertext. `None` when the system has no randomness.
#[must_use]
pub fn seal(file: &[u8], key: &str, id: Uuid) -> Option<Vec<u8>> {
    let mut nonce = [0; NONCE_LEN];
    SystemRandom::new().fill(&mut nonce).ok()?;
    let mut sealed = file.to_vec();
    let bound = Aad::from(id.into_bytes());
    let nonce_used = Nonce::assume_unique_for_key(nonce);
    cipher(key)?
        .seal_in_place_append_tag(nonce_used, bound, &mut sealed)
        .ok()?;
    let mut stored = nonce.to_vec();
    stored.append(&mut sealed);
    Some(stored)
}

/// Decrypts the result of [`seal`]. `None` when key or id differ, or the bytes were changed.
#[must_use]
pub fn open(stored: &[u8], key: &str, id: Uuid) -> Option<Vec<u8>> {
    let (nonce, sealed) = stored.split_at_checked(NONCE_LEN)?;
    let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
    let mut bytes = sealed.to_vec();
    let bound = Aad::from(id.into_bytes());
    let length = cipher(key)?
        .open_in_place(nonce, bound, &mut bytes)
        .ok()?
        .len();
    bytes.truncate(length);
    Some(bytes)
}

fn cipher(key: &str) -> Option<LessSafeKey> {
    let bytes = key.as_bytes();
    let key = match bytes.len() {
        KEY_BYTES => UnboundKey::new(&AES_256_GCM, bytes),
        _ => UnboundKey::new(&AES_256_GCM, digest(&SHA256, bytes).as_ref()),
    };
    key.ok().map(LessSafeKey::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn pictures_are_recognized_by_their_first_bytes() {
        let long = |head: &[u8]| [head, &[0; 12]].concat();
        assert_eq!(check_kind(&[]), Err(FileRefusal::Size));
        assert_eq!(check_kind(b"\x89PNG"), Err(FileRefusal::TooShort));
        assert_eq!(check_kind(&long(b"GIF89a")), Err(FileRefusal::Kind));
        assert_eq!(check_kind(&long(b"\x89PNG\r\n\x1a\n")), Ok(()));
        assert_eq!(check_kind(&long(&[0xFF, 0xD8, 0xFF, 0xE1])), Ok(()));
    }

    #[test]
    fn a_limit_may_be_a_part_of_a_megabyte() {
        let file = vec![0; 600 * 1_024];
        assert_eq!(check_size(&file, Some(0.5)), Err(FileRefusal::Size));
        assert_eq!(check_size(&file, Some(1.0)), Ok(()));
        assert_eq!(check_size(&file, None), Ok(()));
    }

    #[test]
    fn a_sealed_picture_opens_with_its_key_and_id_only() {
        let id = Uuid::from_u128(7);
        let sealed = seal(b"a picture", KEY, id).expect("it is sealed");
        assert!(!sealed.windows(7).any(|window| window == b"picture"));
        assert_eq!(open(&sealed, KEY, id).as_deref(), Some(&b"a picture"[..]));
        assert_eq!(open(&sealed, "another key", id), None);
        assert_eq!(open(&sealed, KEY, Uuid::from_u128(8)), None);
        let mut changed = sealed.clone();
        if let Some(last) = changed.last_mut() {
            *last ^= 1;
        }
        assert_eq!(open(&changed, KEY, id), None);
        assert_eq!(open(&sealed[..5], KEY, id), None);
        assert_ne!(seal(b"a picture", KEY, id), Some(sealed));
        let short = seal(b"x", "short key", id).expect("any key will do");
        assert_eq!(open(&short, "short key", id).as_deref(), Some(&b"x"[..]));
    }
}
