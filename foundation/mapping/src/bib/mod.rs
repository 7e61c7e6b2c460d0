//! Facts of bibliographic records that mapping rules do not cover: whether they make an instance at
//! all, their original control number, and the holdings and items that they describe.

mod control_number;
mod fields;
mod holdings;
mod items;

#[cfg(test)]
mod tests;

use octavo_marc::{Leader, Record};
use serde_json::{Map, Value};
use std::sync::LazyLock;
use thiserror::Error;

use crate::{Mapped, RecordKind, References, defaults};

pub use control_number::{
    identify, keep_control_number, keep_number, normalize_oclc, take_control_number,
};
pub use holdings::{HoldingsDefaults, holdings_from_marc};
pub use items::{ItemDefaults, items_from_marc};

/// Why a record makes no instance.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MappingError {
    /// The leader's type of record is authority, holdings, classification or community.
    #[error("a record of type {0:?} (leader position 6) is not bibliographic")]
    NotBibliographic(char),
    /// An instance needs a title, and the record has no field 245.
    #[error("the record has no title: field 245 is missing")]
    TitleMissing,
    /// Field 245 has no text in any of the subfields that form the title.
    #[error("the record has no title: field 245 is empty")]
    TitleEmpty,
}

/// The result of the default rules for a bibliographic record.
#[derive(Clone, Debug)]
pub struct Instance {
    pub discovery_suppress: bool,
    /// Whether the leader marks the record as deleted.
    pub deleted: bool,
    entity: Map<String, Value>,
}

impl Instance {
    /// The instance as a JSON object.
    #[must_use]
    pub fn to_json(&self) -> Value {
        Value::Object(self.entity.clone())
    }
}

/// Checks that a record with this leader can be mapped to an instance.
///
/// # Errors
/// When the type of record is another.
pub fn check_leader(leader: &Leader) -> Result<(), MappingError> {
    match leader.record_type() {
        other @ ('q' | 'u'..='z') => Err(MappingError::NotBibliographic(other)),
        _ => Ok(()),
    }
}

/// Checks that the mapped record can be an instance: it needs a title.
///
/// # Errors
/// When there is no title.
pub fn check_title(record: &Record, mapped: &Mapped) -> Result<(), MappingError> {
    let title = mapped.entity.get("title").and_then(Value::as_str);
    match title.map(str::trim) {
        Some(title) if !title.is_empty() => Ok(()),
        _ if record.data("245").next().is_some() => Err(MappingError::TitleEmpty),
        _ => Err(MappingError::TitleMissing),
    }
}

/// The instance that this bibliographic record describes by the default rules and the reference
/// data of a new tenant. The caller assigns id and HRID; a control number in 001 becomes an
/// identifier only through [`keep_control_number`].
///
/// # Errors
/// Why the record makes no instance.
pub fn instance_from_marc(record: &Record) -> Result<Instance, MappingError> {
    static SHIPPED: LazyLock<References> = LazyLock::new(References::shipped);
    check_leader(&record.leader)?;
    let mut mapped = defaults::compiled(RecordKind::Bib).map(record, &SHIPPED);
    check_title(record, &mapped)?;
    mapped.entity.shift_remove("hrid");
    let is = |name: &str| mapped.entity.get(name) == Some(&Value::Bool(true));
    Ok(Instance {
        discovery_suppress: is("discoverySuppress"),
        deleted: is("deleted"),
        entity: mapped.entity,
    })
}
