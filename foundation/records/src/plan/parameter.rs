//! Values bound to a statement.

use bytes::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use uuid::Uuid;

/// One bound value; it is never part of the statement's text.
#[derive(Debug, Clone, PartialEq)]
pub enum Parameter {
    /// `text`
    Text(String),
    /// `uuid`
    Id(Uuid),
    /// `uuid[]`
    Ids(Vec<Uuid>),
    /// `text[]`
    Texts(Vec<String>),
    /// `bigint`
    Integer(i64),
}

impl Parameter {
    /// Its type in PostgreSQL, which is also that of the cast behind its placeholder.
    pub(super) fn kind(&self) -> Type {
        match self {
            Parameter::Text(_) => Type::TEXT,
            Parameter::Id(_) => Type::UUID,
            Parameter::Ids(_) => Type::UUID_ARRAY,
            Parameter::Texts(_) => Type::TEXT_ARRAY,
            Parameter::Integer(_) => Type::INT8,
        }
    }
}

impl ToSql for Parameter {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Parameter::Text(text) => text.to_sql(ty, out),
            Parameter::Id(id) => id.to_sql(ty, out),
            Parameter::Ids(ids) => ids.to_sql(ty, out),
            Parameter::Texts(texts) => texts.to_sql(ty, out),
            Parameter::Integer(number) => number.to_sql(ty, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        // Every placeholder has a cast to the type of its parameter.
        true
    }

    to_sql_checked!();
}
