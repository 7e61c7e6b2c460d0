//! Password history: which passwords a user may not reuse.

use octavo_boxed::boxed;
use octavo_library::UserId;
use octavo_platform::Platform;
use octavo_records::{StoreError, Tenant};

use super::password::{PASSWORD_BYTES_MAX, is_right};
use crate::store::credentials;

/// How many passwords of a user must differ, the current one among them, where the tenant has no
/// setting.
const PASSWORDS_DEFAULT: i64 = 10;
/// Upper bound of the setting: each comparison costs one hash.
const PASSWORDS_MAX: i64 = 50;

/// Whether a user has this password or had it recently.
#[boxed]
pub async fn was_used(
    platform: &Platform,
    tenant: &Tenant,
    user_id: UserId,
    password: &str,
) -> Result<bool, StoreError> {
    let database = &platform.store.database;
    let earlier = stored_history_length(platform, tenant).await?;
    let (current, mut hashes) = tokio::try_join!(
        credentials::hash_of(database, tenant, user_id),
        credentials::earlier_hashes(database, tenant, user_id, earlier),
    )?;
    hashes.extend(current);
    // Passwords of this length are never stored.
    if password.len() > PASSWORD_BYTES_MAX {
        return Ok(false);
    }
    for stored in hashes {
        // One at a time, so that other requests get their turn on the CPU pool.
        if is_right(platform, password.to_owned(), Some(stored)).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// How many earlier passwords are stored.
#[boxed]
pub async fn stored_history_length(
    platform: &Platform,
    tenant: &Tenant,
) -> Result<i64, StoreError> {
    let setting = credentials::history_setting(&platform.store.database, tenant).await?;
    Ok(passwords_of(setting.as_deref()) - 1)
}

/// The number in a setting; an invalid one counts as absent.
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
