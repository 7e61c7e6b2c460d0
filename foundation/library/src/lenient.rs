//! Serde for closed sets in records in which FOLIO accepts any text: an unknown name is read as
//! `None`.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// An enum whose variants are names on the wire.
pub trait ClosedSet: Copy + 'static {
    fn named(name: &str) -> Option<Self>;

    fn name(self) -> &'static str;
}

/// Reads a name; an unknown one is `None`.
pub(crate) fn name<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: ClosedSet,
{
    let value = Value::deserialize(deserializer)?;
    Ok(value.as_str().and_then(T::named))
}
