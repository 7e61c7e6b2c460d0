//! Compares a tenant's schema with the declarations, and decides what to do with its indexes. Pure:
//! works on what statements have read.

use std::collections::{HashMap, HashSet};

use octavo_postgres::{IndexState, SCRATCH, checksum};

use crate::catalog::Catalog;
use crate::collection::Collection;
use crate::ddl;

/// PostgreSQL's limit on names.
const NAME_BYTES_MAX: usize = 63;

/// The existing tables of a schema.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    /// The columns of each table.
    pub columns: HashMap<String, HashSet<String>>,
    pub sequences: HashSet<String>,
}

/// What a declared collection lacks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// The whole table.
    Table,
    /// A foreign key's column.
    Column {
        column: String,
        /// The statement that adds it.
        sql: String,
    },
    /// The generated columns that its indexes read, or the room on its pages.
    Layout {
        /// The columns' names.
        columns: Vec<String>,
        /// The statement that adds them.
        sql: String,
    },
    /// The sequence of its human-readable ids.
    Sequence {
        /// The statements that create it and set it after the stored ids.
        sql: String,
    },
}

impl Tables {
    /// Whether there is no table yet.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// What a collection lacks in this schema.
    pub fn missing(&self, schema: &str, collection: &Collection) -> Vec<Missing> {
        let table = &collection.table;
        let Some(columns) = self.columns.get(table) else {
            return vec![Missing::Table];
        };
        let mut missing = Vec::new();
        for reference in &collection.references {
            let column = reference.column();
            if !columns.contains(&column) {
                let definition = ddl::foreign_key(schema, collection, reference);
                let sql = format!("ALTER TABLE {schema}.{table} ADD COLUMN {definition}");
                missing.push(Missing::Column { column, sql });
            }
        }
        let absent = collection
            .columns
            .iter()
            .filter(|one| !columns.contains(&one.name));
        let (names, definitions): (Vec<_>, Vec<_>) = absent
            .map(|one| (one.name.clone(), format!("ADD COLUMN {}", one.definition())))
            .unzip();
        if !names.is_empty() {
            // In one statement, for each would write the table anew.
            let sql = format!(
                "ALTER TABLE {schema}.{table} SET (fillfactor = {}), {}",
                ddl::FILL_PERCENT,
                definitions.join(", ")
            );
            missing.push(Missing::Layout {
                columns: names,
                sql,
            });
        }
        if let Some(restart) = ddl::restart_hrids(schema, collection)
            && !self.sequences.contains(&format!("{table}_hrid_seq"))
        {
            let sql = format!("CREATE SEQUENCE {schema}.{table}_hrid_seq; {restart}");
            missing.push(Missing::Sequence { sql });
        }
        missing
    }
}

/// An index that has to exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DeclaredIndex {
    pub name: String,
    pub table: String,
    /// Its `CREATE INDEX`.
    pub sql: String,
}

impl DeclaredIndex {
    /// The index that one of our statements creates, `CREATE [UNIQUE] INDEX name ON schema.table
    /// …`.
    pub fn of(table: &str, sql: String) -> DeclaredIndex {
        let (_, rest) = sql.split_once("INDEX ").unwrap_or_default();
        let name = rest.split(" ON ").next().unwrap_or_default().to_owned();
        DeclaredIndex {
            name,
            table: table.to_owned(),
            sql,
        }
    }

    /// The same under another name.
    pub fn named(self, name: &str) -> DeclaredIndex {
        DeclaredIndex {
            sql: self.rewritten(name, None),
            name: name.to_owned(),
            table: self.table,
        }
    }

    /// The id under which it is recorded as built.
    pub fn step(&self) -> String {
        step(&self.name)
    }

    /// The statement that builds it under this name without blocking readers and writers.
    pub fn concurrently(&self, name: &str) -> String {
        self.rewritten(&format!("CONCURRENTLY {name}"), None)
    }

    /// The statement that creates it on the scratch table.
    pub fn on_scratch(&self) -> String {
        self.rewritten("octavo_scratch_idx", Some(SCRATCH))
    }

    fn rewritten(&self, name: &str, place: Option<&str>) -> String {
        let (create, rest) = self.sql.split_once("INDEX ").unwrap_or_default();
        let (_, rest) = rest.split_once(" ON ").unwrap_or_default();
        let (own_place, rest) = rest.split_once(' ').unwrap_or_default();
        let place = place.unwrap_or(own_place);
        format!("{create}INDEX {name} ON {place} {rest}")
    }

    /// The name under which it is built while another definition still has its own name.
    pub fn temporary_name(&self) -> String {
        let mut end = self.name.len().min(NAME_BYTES_MAX - 4);
        while !self.name.is_char_boundary(end) {
            end -= 1;
        }
        format!("{}_new", &self.name[..end])
    }

    /// Whether it is an inverted index, which takes the longest to build.
    pub fn is_gin(&self) -> bool {
        self.sql.contains(" USING gin ")
    }

    /// Whether it exists and is recorded as built with this very text.
    pub fn is_settled(&self, noted: &HashMap<String, String>, there: Option<&IndexState>) -> bool {
        there.is_some_and(|index| index.valid)
            && noted.get(&self.step()) == Some(&checksum(&self.sql))
    }
}

/// The id under which an index is recorded.
pub(crate) fn step(name: &str) -> String {
    format!("index {name}")
}

/// The name in the id of an index's record.
pub(crate) fn name_in(step: &str) -> Option<&str> {
    step.strip_prefix("index ")
}

/// All indexes that a catalog declares.
pub(crate) fn declared(schema: &str, catalog: &Catalog) -> Vec<DeclaredIndex> {
    let mut wanted = Vec::new();
    for collection in catalog.iter() {
        for sql in ddl::indexes(schema, collection) {
            wanted.push(DeclaredIndex::of(&collection.table, sql));
        }
    }
    wanted
}

/// What makes two indexes equal: everything in `pg_get_indexdef` but name and table.
pub(crate) fn essence(definition: &str) -> (bool, &str) {
    let unique = definition.starts_with("CREATE UNIQUE");
    let method = definition
        .split_once(" USING ")
        .map_or("", |(_, rest)| rest);
    (unique, method)
}

/// What to do for one wanted index, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Task {
    /// Drop the invalid index under its name.
    DropBroken,
    /// Drop the index under its temporary name.
    DropTemporary,
    /// Build it under its own name.
    Build,
    /// Build it under its temporary name.
    BuildTemporary,
    /// Drop the one with another definition.
    DropOld,
    /// Rename the temporary one to its own name.
    Rename,
    /// Record it as built.
    Record,
}

/// What exists under an index's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExistingIndex {
    Nothing,
    /// The invalid index of an aborted build.
    Broken,
    /// A usable index as wanted.
    Same,
    /// A usable index of another definition.
    Other,
}

/// The tasks, given what exists under the index's own name and its temporary one.
pub(crate) fn tasks(own: ExistingIndex, temporary: ExistingIndex) -> Vec<Task> {
    let mut tasks = Vec::new();
    let made = own != ExistingIndex::Same && temporary == ExistingIndex::Same;
    if temporary != ExistingIndex::Nothing && !made {
        tasks.push(Task::DropTemporary);
    }
    if own == ExistingIndex::Broken {
        tasks.push(Task::DropBroken);
    }
    match (own, made) {
        (ExistingIndex::Same, _) => {}
        (ExistingIndex::Other, true) => tasks.extend([Task::DropOld, Task::Rename]),
        (ExistingIndex::Nothing | ExistingIndex::Broken, true) => tasks.push(Task::Rename),
        (ExistingIndex::Other, false) => {
            tasks.extend([Task::BuildTemporary, Task::DropOld, Task::Rename]);
        }
        (ExistingIndex::Nothing | ExistingIndex::Broken, false) => tasks.push(Task::Build),
    }
    tasks.push(Task::Record);
    tasks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Index;

    fn wanted() -> DeclaredIndex {
        let sql = "CREATE UNIQUE INDEX item_barcode_idx_unique ON tenant_diku.item ((lower(x))) \
                   WHERE jsonb->>'a' = ' ON INDEX '";
        DeclaredIndex::of("item", sql.to_owned())
    }

    #[test]
    fn a_statement_is_turned_into_one_beside_writers_or_on_a_copy() {
        assert_eq!(wanted().name, "item_barcode_idx_unique");
        assert_eq!(
            wanted().concurrently("item_barcode_idx_unique_new"),
            "CREATE UNIQUE INDEX CONCURRENTLY item_barcode_idx_unique_new ON tenant_diku.item \
             ((lower(x))) WHERE jsonb->>'a' = ' ON INDEX '"
        );
        assert_eq!(
            wanted().on_scratch(),
            "CREATE UNIQUE INDEX octavo_scratch_idx ON pg_temp.octavo_scratch ((lower(x))) \
             WHERE jsonb->>'a' = ' ON INDEX '"
        );
    }

    #[test]
    fn a_temporary_name_is_never_cut_by_the_database() {
        let mut wanted = wanted();
        wanted.name = "é".repeat(31) + "x";
        assert!(wanted.temporary_name().len() <= NAME_BYTES_MAX);
        assert!(wanted.temporary_name().ends_with("_new"));
    }

    #[test]
    fn every_state_that_a_killed_process_leaves_leads_to_the_wanted_index() {
        use ExistingIndex::{Broken, Nothing, Other, Same};
        use Task::{Build, BuildTemporary, DropBroken, DropOld, DropTemporary, Record, Rename};
        for (own, temporary, expected) in [
            (Nothing, Nothing, vec![Build, Record]),
            (Same, Nothing, vec![Record]),
            (Broken, Nothing, vec![DropBroken, Build, Record]),
            (
                Other,
                Nothing,
                vec![BuildTemporary, DropOld, Rename, Record],
            ),
            // Killed while it was built under the temporary name.
            (
                Other,
                Broken,
                vec![DropTemporary, BuildTemporary, DropOld, Rename, Record],
            ),
            // Killed before and after the old one was dropped.
            (Other, Same, vec![DropOld, Rename, Record]),
            (Nothing, Same, vec![Rename, Record]),
            (Broken, Same, vec![DropBroken, Rename, Record]),
            // The next release has the old definition again.
            (Same, Broken, vec![DropTemporary, Record]),
            (Same, Same, vec![DropTemporary, Record]),
            (Nothing, Other, vec![DropTemporary, Build, Record]),
        ] {
            assert_eq!(tasks(own, temporary), expected, "{own:?} {temporary:?}");
        }
    }

    #[test]
    fn tables_columns_and_sequences_that_are_missing_are_found() {
        let items = Collection::new("item", "items", "id uuid\nholdingsRecordId uuid\n")
            .reference("holdingsRecordId", "holdings_record")
            .index(Index::plain("barcode"))
            .hrid("item_hrid");
        let mut tables = Tables::default();
        assert_eq!(tables.missing("tenant_diku", &items), [Missing::Table]);
        let columns = ["id", "jsonb"].map(str::to_owned).into();
        tables.columns.insert("item".to_owned(), columns);
        let missing = tables.missing("tenant_diku", &items);
        assert!(
            matches!(&missing[..], [Missing::Column { column, .. }, Missing::Sequence { .. }]
                if column == "holdingsrecordid"),
            "{missing:?}"
        );
        let columns = ["id", "jsonb", "holdingsrecordid"].map(str::to_owned);
        tables.columns.insert("item".to_owned(), columns.into());
        tables.sequences.insert("item_hrid_seq".to_owned());
        assert_eq!(tables.missing("tenant_diku", &items), []);
    }
}
