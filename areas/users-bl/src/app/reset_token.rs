//! The token in a link: nobody's, good for two routes, and it ends. Its subject names the right to
//! reset, which is looked up; the token alone sets no password.

use jiff::Timestamp;
use octavo_boxed::boxed;
use octavo_login::app::reset_password::ResetAction;
use octavo_platform::token::{Claims, TokenKind};
use octavo_platform::{ApiError, Call};
use uuid::Uuid;

/// What the subject of such a token begins with, as in FOLIO.
const SUBJECT: &str = "UNDEFINED_USER__RESET_PASSWORD_";
/// What it permits.
const PERMISSIONS: [&str; 2] = [
    "users-bl.password-reset-link.validate",
    "users-bl.password-reset-link.reset",
];

/// Signs a token for a right.
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

/// The right that the caller's token names.
#[must_use]
pub fn action_of(call: &Call) -> Option<Uuid> {
    let identity = call.identity.as_ref()?;
    if identity.claims.kind != TokenKind::DummyExpiring {
        // A user may have any name.
        return None;
    }
    let id = identity.claims.sub.strip_prefix(SUBJECT)?;
    Uuid::try_parse(id).ok()
}
