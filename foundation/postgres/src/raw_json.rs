//! JSON as bytes, to and from `jsonb` and `json` columns, without being parsed here.

use std::error::Error;
use std::fmt;

use bytes::{BufMut, BytesMut};
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

/// The only version of jsonb's wire format: this byte, then the document as text.
const JSONB_VERSION: u8 = 1;

/// JSON text borrowed from a row, or to be sent. PostgreSQL validates what is sent; an invalid
/// document is [`crate::DatabaseError::InvalidValue`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RawJson<'a>(pub &'a [u8]);

impl fmt::Debug for RawJson<'_> {
    /// Shows only the size: documents hold patron data, and drivers log their parameters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawJson({} bytes)", self.0.len())
    }
}

impl<'a> FromSql<'a> for RawJson<'a> {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        if *ty != Type::JSONB {
            return Ok(Self(raw));
        }
        match raw.split_first() {
            Some((&JSONB_VERSION, text)) => Ok(Self(text)),
            _ => Err("jsonb of a version other than 1".into()),
        }
    }

    fn accepts(ty: &Type) -> bool {
        matches!(*ty, Type::JSON | Type::JSONB)
    }
}

impl ToSql for RawJson<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        if *ty == Type::JSONB {
            out.put_u8(JSONB_VERSION);
        }
        out.put_slice(self.0);
        Ok(IsNull::No)
    }

    fn accepts(ty: &Type) -> bool {
        matches!(*ty, Type::JSON | Type::JSONB)
    }

    to_sql_checked!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jsonb_loses_its_version_byte() {
        assert_eq!(
            RawJson::from_sql(&Type::JSONB, b"\x01{}").unwrap(),
            RawJson(b"{}")
        );
        assert_eq!(
            RawJson::from_sql(&Type::JSON, b"{}").unwrap(),
            RawJson(b"{}")
        );
        assert!(RawJson::from_sql(&Type::JSONB, b"\x02{}").is_err());
        assert!(RawJson::from_sql(&Type::JSONB, b"").is_err());
    }

    #[test]
    fn debug_hides_the_document() {
        assert_eq!(format!("{:?}", RawJson(b"{\"a\":1}")), "RawJson(7 bytes)");
    }
}
