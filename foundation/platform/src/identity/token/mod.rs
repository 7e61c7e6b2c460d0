//! Tokens: their claims, signing, verification and lifetime. [`crate::identity`] knows whether a
//! token's session was revoked.

mod keys;
mod settings;
mod signer;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use keys::{Key, KeyLoad, KeySource};
pub use settings::{LegacyTenants, Lifetimes, LoginSettings, SameSite};
pub use signer::{ModuleToken, Signer};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TokenKind {
    /// A user's token, which expires.
    Access,
    /// A user's token, which does not expire.
    #[default]
    LegacyAccess,
    /// A remote module's token: the caller's permissions and some of its own.
    Module,
    /// A token without a user: only the permissions in the token count.
    Dummy,
    /// The same, but it expires.
    DummyExpiring,
    /// Can be exchanged for new tokens, once.
    Refresh,
}

impl TokenKind {
    /// Whether a token of this kind has to expire.
    #[must_use]
    pub fn ends(self) -> bool {
        matches!(
            self,
            TokenKind::Access | TokenKind::DummyExpiring | TokenKind::Refresh
        )
    }
}

/// The claims of a token.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Claims {
    /// The user's name.
    pub sub: String,
    /// The user's id; none where a module acts by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<Uuid>,
    /// The tenant for which it is valid.
    pub tenant: String,
    /// The kind. FOLIO's oldest tokens lack it; they are legacy ones.
    #[serde(rename = "type", default)]
    pub kind: TokenKind,
    /// When it was signed, seconds since 1970.
    #[serde(default)]
    pub iat: i64,
    /// When it expires; legacy tokens do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exp: Option<i64>,
    /// The token's own id; for a refresh token, its secret.
    #[serde(default, skip_serializing_if = "Uuid::is_nil")]
    pub jti: Uuid,
    /// The session that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sid: Option<Uuid>,
    /// How often all of the user's sessions had been revoked when it was signed.
    #[serde(rename = "gen", default, skip_serializing_if = "is_zero")]
    pub generation: i64,
    /// The module that it was signed for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// Permissions in addition to the user's; the signer has expanded sets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extra_permissions: Vec<String>,
    /// Which of the successive tenants with this id it is for. Tokens of earlier releases lack it.
    #[serde(rename = "inc", default, skip_serializing_if = "Option::is_none")]
    pub incarnation: Option<Uuid>,
    /// FOLIO's mark of a dummy token.
    #[serde(default, skip_serializing_if = "is_false")]
    pub dummy: bool,
}

impl Claims {
    /// The session that it belongs to; a token without one, of an earlier release, is a session of
    /// its own.
    #[must_use]
    pub fn session(&self) -> Uuid {
        self.sid.unwrap_or(self.jti)
    }

    /// Whether it was signed for this tenant, not for a deleted one with the same id. A token
    /// without incarnation counts if it was signed since this tenant was created.
    #[must_use]
    pub fn is_of(&self, tenant: Incarnation) -> bool {
        match self.incarnation {
            Some(id) => id == tenant.id,
            None => self.iat >= tenant.since,
        }
    }
}

/// Which of the successive tenants with an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Incarnation {
    /// Generated when the tenant is created.
    pub id: Uuid,
    /// When the tenant was created, seconds since 1970.
    pub since: i64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &i64) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(flag: &bool) -> bool {
    !*flag
}

/// Why a token is not accepted. Clients get the same message for all: `Invalid token`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Malformed, or not signed with a known key.
    #[error("Invalid token")]
    Invalid,
    #[error("Invalid token")]
    Expired,
    /// Its key is unknown to this process; another process may just have created it.
    #[error("Invalid token")]
    UnknownKey,
}
