//! Tokens: what they say, how they are signed and verified in process, how long they last. Whether
//! a token's session was revoked is the business of [`crate::identity`].

mod keys;
mod settings;
mod signer;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use keys::{Key, KeyLoad, KeySource};
pub use settings::{LegacyTenants, Lifetimes, LoginSettings, SameSite};
pub use signer::{ModuleToken, Signer};

/// What a token is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TokenKind {
    /// A user's, which ends.
    Access,
    /// A user's, which does not end.
    #[default]
    LegacyAccess,
    /// A remote module's: the caller's permissions and some of its own.
    Module,
    /// Nobody's: only the permissions that stand in it.
    Dummy,
    /// The same, which ends.
    DummyExpiring,
    /// Good for new tokens, once, and for nothing else.
    Refresh,
}

impl TokenKind {
    /// Whether a token of this kind has to have an end.
    #[must_use]
    pub fn ends(self) -> bool {
        matches!(
            self,
            TokenKind::Access | TokenKind::DummyExpiring | TokenKind::Refresh
        )
    }
}

/// What a token says.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Claims {
    /// The user's name.
    pub sub: String,
    /// The user's id; none where nobody asked for what a module does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<Uuid>,
    /// The tenant it is valid for.
    pub tenant: String,
    /// What it is for. FOLIO's oldest tokens do not say it; they are legacy ones.
    #[serde(rename = "type", default)]
    pub kind: TokenKind,
    /// When it was signed, seconds since 1970.
    #[serde(default)]
    pub iat: i64,
    /// When it ends; legacy tokens do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exp: Option<i64>,
    /// The token's own id; of a refresh token, its secret.
    #[serde(default, skip_serializing_if = "Uuid::is_nil")]
    pub jti: Uuid,
    /// The session it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sid: Option<Uuid>,
    /// How often all of the user's sessions had been ended when it was signed.
    #[serde(rename = "gen", default, skip_serializing_if = "is_zero")]
    pub generation: i64,
    /// The module it was signed for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// Permissions on top of the user's, sets expanded by whoever signs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extra_permissions: Vec<String>,
    /// Which tenant of its id it is for: another one each time that one of this id is made. Tokens of
    /// earlier releases do not say it.
    #[serde(rename = "inc", default, skip_serializing_if = "Option::is_none")]
    pub incarnation: Option<Uuid>,
    /// FOLIO's mark of a dummy token.
    #[serde(default, skip_serializing_if = "is_false")]
    pub dummy: bool,
}

impl Claims {
    /// The session it belongs to: tokens that name none, as those of earlier releases, are one each.
    #[must_use]
    pub fn session(&self) -> Uuid {
        self.sid.unwrap_or(self.jti)
    }

    /// Whether it was signed for this tenant, and not for one of the same id that was purged. One that
    /// does not say which is this one's if it was signed since this one was made.
    #[must_use]
    pub fn is_of(&self, tenant: Incarnation) -> bool {
        match self.incarnation {
            Some(id) => id == tenant.id,
            None => self.iat >= tenant.since,
        }
    }
}

/// Which of the tenants that have an id one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Incarnation {
    /// Made with the tenant.
    pub id: Uuid,
    /// When it was made, seconds since 1970.
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

/// Why a token is not accepted. Clients are told the same of all: `Invalid token`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Not a token, or not one of a key that is known.
    #[error("Invalid token")]
    Invalid,
    /// It was valid once.
    #[error("Invalid token")]
    Expired,
    /// It names a key that is not known here; another process may just have made it.
    #[error("Invalid token")]
    UnknownKey,
}
