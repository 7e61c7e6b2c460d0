//! Changes a user's own password.

use octavo_boxed::boxed;
use octavo_login::app::change_password::{Change, Changed, change_password, is_password};
use octavo_login::app::judge_password::{Depth, USED_BEFORE, judge_password};
use octavo_platform::Call;
use serde_json::Value;
use uuid::Uuid;

use super::validate_password::{asked, candidate, validator};
use super::{Failure, Refusal};

/// Checks a new password and sets it.
///
/// FOLIO compares the new password with earlier ones before it checks the old one, and so reveals to
/// anyone with an open session whether a guess was ever the user's password. Here the old one is checked
/// first, right after the rules that do not depend on the user's passwords.
///
/// # Errors
/// Refused when the new password violates a rule or the old one is wrong.
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
    let mut other_than_before = false;
    match validator(call) {
        None => {
            let wanted = candidate(user_id, user["username"].as_str(), new);
            let verdict = judge_password(call, wanted, Depth::Text).await?;
            if !verdict.codes.is_empty() {
                return weak(verdict.codes);
            }
            if verdict.leaves_asking {
                if !is_password(platform, tenant, user_id.into(), old).await? {
                    return Err(Refusal::WrongPassword.into());
                }
                let codes = judge_password(call, wanted, Depth::All).await?.codes;
                if !codes.is_empty() {
                    return weak(codes);
                }
            }
            other_than_before = verdict.leaves_history;
        }
        Some(module) => {
            if !is_password(platform, tenant, user_id.into(), old).await? {
                return Err(Refusal::WrongPassword.into());
            }
            let codes = asked(call, &module, user_id, new).await?;
            if !codes.is_empty() {
                return weak(codes);
            }
        }
    }
    let change = Change {
        user_id: user_id.into(),
        old,
        new,
        other_than_before,
        spared: call
            .identity
            .as_ref()
            .map(|caller| caller.claims.session().into()),
    };
    let stamp = call.stamp();
    match change_password(platform, tenant, change, &stamp).await? {
        Changed::Yes => Ok(()),
        Changed::UsedBefore => weak(vec![USED_BEFORE.to_owned()]),
        Changed::WrongPassword => Err(Refusal::WrongPassword.into()),
    }
}
