//! The statements of this area.

pub mod associations;
pub mod forms;
pub mod profiles;
pub mod relations;
pub mod tree;

/// SQL for the profile of a row's type and id.
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
