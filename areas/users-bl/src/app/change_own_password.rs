//! A user's new password in the place of the one they know.

use octavo_boxed::boxed;
use octavo_login::app::change_password::{Change, Changed, change_password, is_password};
use octavo_platform::Call;
use serde_json::Value;
use uuid::Uuid;

use super::validate_password::{asked, validator};
use super::{Failure, Refusal};
use crate::rules::password::{USED_BEFORE, broken_rule};

/// Checks a new password and sets it.
///
/// FOLIO compares the new password with earlier ones before it looks at the old one, and so tells
/// anyone who has logged in whether a guess was ever somebody's password. Here the old one comes
/// first, behind the rules that need no knowledge of the user's passwords.
///
/// # Errors
/// Refused when the new password may not be taken or the old one is wrong.
#[boxed]
pub async fn change_own_password(
    call: &Call,
    user: &Value,
    user_id: Uuid,
    passwords: (&str, &str),
) -> Result<(), Failure> {
    let (platform, tenant) = (&call.platform, &call.tenant);
    let (old, new) = passwords;
    let weak = |codes: Vec<String>| Err(Refusal::WeakPassword(codes).into());
    match validator(call) {
        None => {
            if let Some(code) = broken_rule(new, user["username"].as_str()) {
                return weak(vec![code.to_owned()]);
            }
        }
        Some(module) => {
            if !is_password(platform, tenant, user_id, old).await? {
                return Err(Refusal::WrongPassword.into());
            }
            let codes = asked(call, &module, user_id, new).await?;
            if !codes.is_empty() {
                return weak(codes);
            }
        }
    }
    let change = Change {
        user_id,
        old,
        new,
        other_than_before: validator(call).is_none(),
        spared: call.identity.as_ref().map(|caller| caller.claims.session()),
    };
    let stamp = call.stamp();
    match change_password(platform, tenant, change, &stamp).await? {
        Changed::Yes => Ok(()),
        Changed::UsedBefore => weak(vec![USED_BEFORE.to_owned()]),
        Changed::WrongPassword => Err(Refusal::WrongPassword.into()),
    }
}
