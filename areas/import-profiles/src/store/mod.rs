//! The statements of this area.

pub mod associations;
pub mod forms;
pub mod profiles;
pub mod relations;
pub mod tree;

/// The profile that a type and an id in a row name, as SQL.
pub(crate) fn content(schema: &str, kind: &str, id: &str) -> String {
    let one = |name: &str, table: &str| {
        format!("WHEN '{name}' THEN (SELECT jsonb FROM {schema}.{table} WHERE id = {id})")
    };
    let cases: Vec<String> = crate::kind::ProfileKind::ALL
        .iter()
        .map(|kind| one(kind.name(), kind.table()))
        .collect();
    format!("CASE {kind} {} END", cases.join(" "))
}
