//! The staff client's types are those of the routes.

use std::fs;
use std::path::PathBuf;

use octavo_host::compose::modules;
use octavo_platform::openapi::Description;

const WRITE: &str = "OCTAVO_WRITE";

#[test]
fn the_clients_types_are_current() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../ui/src/api");
    let operations = fs::read_to_string(folder.join("operations.txt")).expect("the operations");
    let description = Description::of(modules()).expect("the declarations agree");
    let written = description
        .typescript(&operations)
        .expect("every operation is served");
    let file = folder.join("schema.ts");
    if std::env::var_os(WRITE).is_some() {
        fs::write(&file, &written).expect("the file can be written");
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == written,
        "ui/src/api/schema.ts is out of date: octavo openapi --types ui/src/api/schema.ts"
    );
}

#[test]
fn an_operation_that_is_not_served_is_named() {
    let description = Description::of(modules()).expect("the declarations agree");
    let error = description.typescript("# comment\nGET /nowhere\n");
    assert!(error.is_err_and(|error| error.contains("`GET /nowhere`")));
}

#[test]
fn what_the_client_uses_has_types() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../ui/src/api");
    let written = fs::read_to_string(folder.join("schema.ts")).expect("the types");
    let (_, map) = written
        .split_once("export interface Operations {")
        .expect("the map of operations");
    let untyped: Vec<&str> = map
        .lines()
        .filter(|line| line.contains(": unknown"))
        .collect();
    assert!(untyped.is_empty(), "{untyped:#?}");
}
