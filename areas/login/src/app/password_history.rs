//! Which passwords a user may not take again.

use octavo_boxed::boxed;
use octavo_platform::Platform;
use octavo_records::{StoreError, Tenant};
use uuid::Uuid;

use super::password::{PASSWORD_BYTES_MAX, is_right};
use crate::store::credentials;

/// How many passwords of a user must differ, the current one among them, where the library has set
/// nothing.
const PASSWORDS_DEFAULT: i64 = 10;
/// More are not compared, whatever is set: each costs a hashing.
const PASSWORDS_MAX: i64 = 50;

/// Whether a user has this password or had it of late.
#[boxed]
pub async fn was_used(
    platform: &Platform,
    tenant: &Tenant,
    user_id: Uuid,
    password: &str,
) -> Result<bool, StoreError> {
    let database = &platform.store.database;
    let earlier = earlier_kept(platform, tenant).await?;
    let (current, mut hashes) = tokio::try_join!(
        credentials::hash_of(database, tenant, user_id),
        credentials::earlier_hashes(database, tenant, user_id, earlier),
    )?;
    hashes.extend(current);
    // What cannot be hashed was never anybody's.
    if password.len() > PASSWORD_BYTES_MAX {
        return Ok(false);
    }
    for stored in hashes {
        // One by one, so that others have their turn between them.
        if is_right(platform, password.to_owned(), Some(stored)).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// How many passwords before the current one are kept.
#[boxed]
pub async fn earlier_kept(platform: &Platform, tenant: &Tenant) -> Result<i64, StoreError> {
    let setting = credentials::history_setting(&platform.store.database, tenant).await?;
    Ok(passwords_of(setting.as_deref()) - 1)
}

/// The number that a setting means; one that is not a number counts as none.
fn passwords_of(setting: Option<&str>) -> i64 {
    setting
        .and_then(|text| text.trim().parse::<i64>().ok())
        .unwrap_or(PASSWORDS_DEFAULT)
        .clamp(1, PASSWORDS_MAX)
}

#[cfg(test)]
mod tests {
    use super::passwords_of;

    #[test]
    fn settings_are_numbers_within_bounds() {
        for (setting, number) in [
            (None, 10),
            (Some("5"), 5),
            (Some(" 3 "), 3),
            (Some("0"), 1),
            (Some("-4"), 1),
            (Some("100000"), 50),
            (Some("ten"), 10),
            (Some(""), 10),
        ] {
            assert_eq!(passwords_of(setting), number, "{setting:?}");
        }
    }
}
