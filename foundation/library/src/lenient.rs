//! Serde for closed sets in records that FOLIO lets clients fill with any text: what is no name of the
//! set is read as none.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// An enum whose variants are names on the wire.
pub trait ClosedSet: Copy + 'static {
    /// What has this name.
    fn named(name: &str) -> Option<Self>;

    /// The name on the wire.
    fn name(self) -> &'static str;
}

/// Reads a name; what is no name of the set is none.
pub(crate) fn name<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: ClosedSet,
{
    let value = Value::deserialize(deserializer)?;
    Ok(value.as_str().and_then(T::named))
}
