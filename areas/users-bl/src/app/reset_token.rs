//! The token in a reset link: without a user, valid for two routes, and it expires. Its subject names
//! the reset action, which is looked up; the token alone does not allow setting a password.

use jiff::Timestamp;
use octavo_boxed::boxed;
use octavo_login::app::reset_password::ResetAction;
use octavo_platform::token::{Claims, TokenKind};
use octavo_platform::{ApiError, Call};
use uuid::Uuid;

/// The prefix of the token's subject, as in FOLIO.
const SUBJECT: &str = "UNDEFINED_USER__RESET_PASSWORD_";
/// Its permissions.
const PERMISSIONS: [&str; 2] = [
    "users-bl.password-reset-link.validate",
    "users-bl.password-reset-link.reset",
];

/// Signs a token for a reset action.
#[boxed]
pub async fn sign(call: &Call, action: &ResetAction) -> Result<String, ApiError> {
    let claims = Claims {
        sub: format!("{SUBJECT}{}", action.id),
        tenant: call.tenant.id().to_owned(),
        kind: TokenKind::DummyExpiring,
        iat: Timestamp::now().as_second(),
        exp: Some(action.ends.as_second()),
        jti: Uuid::new_v4(),
        extra_permissions: PERMISSIONS.map(str::to_owned).to_vec(),
        dummy: true,
        ..Claims::default()
    };
    Ok(call.platform.identities.sign(&call.tenant, claims).await?)
}

/// The reset action that the caller's token names.
#[must_use]
pub fn action_of(call: &Call) -> Option<Uuid> {
    let identity = call.identity.as_ref()?;
    if identity.claims.kind != TokenKind::DummyExpiring {
        // A normal user's name could look like this: tokens with a user are excluded.
        return None;
    }
    let id = identity.claims.sub.strip_prefix(SUBJECT)?;
    Uuid::try_parse(id).ok()
}
