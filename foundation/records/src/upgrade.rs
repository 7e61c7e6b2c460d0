//! What a tenant's schema lacks of what is declared, and what is to be done with its indexes:
//! decided from what is there, apart from all statements.

use std::collections::{HashMap, HashSet};

use octavo_postgres::{IndexState, SCRATCH, checksum};

use crate::catalog::Catalog;
use crate::collection::Collection;
use crate::ddl;

/// The longest name that PostgreSQL keeps.
const NAME_BYTES_MAX: usize = 63;

/// The tables of a schema as they are.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    /// The columns of each table.
    pub columns: HashMap<String, HashSet<String>>,
    /// The sequences.
    pub sequences: HashSet<String>,
}

/// What a declared collection lacks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Lack {
    /// All of it.
    Table,
    /// A foreign key's column.
    Column {
        /// Its name.
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
        /// The statements that make it and let it follow what is stored.
        sql: String,
    },
}

impl Tables {
    /// Whether there is none of ours yet.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// What a collection lacks here.
    pub fn lacking(&self, schema: &str, collection: &Collection) -> Vec<Lack> {
        let table = &collection.table;
        let Some(columns) = self.columns.get(table) else {
            return vec![Lack::Table];
        };
        let mut lacks = Vec::new();
        for reference in &collection.references {
            let column = reference.column();
            if !columns.contains(&column) {
                let definition = ddl::foreign_key(schema, collection, reference);
                let sql = format!("ALTER TABLE {schema}.{table} ADD COLUMN {definition}");
                lacks.push(Lack::Column { column, sql });
            }
        }
        let missing = collection
            .columns
            .iter()
            .filter(|one| !columns.contains(&one.name));
        let (names, definitions): (Vec<_>, Vec<_>) = missing
            .map(|one| (one.name.clone(), format!("ADD COLUMN {}", one.definition())))
            .unzip();
        if !names.is_empty() {
            // In one statement, for each would write the table anew.
            let sql = format!(
                "ALTER TABLE {schema}.{table} SET (fillfactor = {}), {}",
                ddl::FILL_PERCENT,
                definitions.join(", ")
            );
            lacks.push(Lack::Layout {
                columns: names,
                sql,
            });
        }
        if let Some(restart) = ddl::restart_hrids(schema, collection)
            && !self.sequences.contains(&format!("{table}_hrid_seq"))
        {
            let sql = format!("CREATE SEQUENCE {schema}.{table}_hrid_seq; {restart}");
            lacks.push(Lack::Sequence { sql });
        }
        lacks
    }
}

/// An index that should be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DeclaredIndex {
    /// Its name.
    pub name: String,
    /// The table it is on.
    pub table: String,
    /// Its `CREATE INDEX`.
    pub sql: String,
}

impl DeclaredIndex {
    /// The index that a statement of ours makes, `CREATE [UNIQUE] INDEX name ON schema.table …`.
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

    /// Under which id it is noted as done.
    pub fn step(&self) -> String {
        step(&self.name)
    }

    /// The statement that makes it beside readers and writers, under this name.
    pub fn concurrently(&self, name: &str) -> String {
        self.rewritten(&format!("CONCURRENTLY {name}"), None)
    }

    /// The statement that makes it on the scratch table.
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

    /// The name under which it is made while another definition still has its name.
    pub fn temporary_name(&self) -> String {
        let mut end = self.name.len().min(NAME_BYTES_MAX - 4);
        while !self.name.is_char_boundary(end) {
            end -= 1;
        }
        format!("{}_new", &self.name[..end])
    }

    /// Whether it is noted as done with this very text, and there.
    pub fn is_settled(&self, noted: &HashMap<String, String>, there: Option<&IndexState>) -> bool {
        there.is_some_and(|index| index.valid)
            && noted.get(&self.step()) == Some(&checksum(&self.sql))
    }
}

/// The id under which an index is noted.
pub(crate) fn step(name: &str) -> String {
    format!("index {name}")
}

/// The name in the id of an index's step.
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

/// What makes two indexes the same: everything of `pg_get_indexdef` but name and table.
pub(crate) fn essence(definition: &str) -> (bool, &str) {
    let unique = definition.starts_with("CREATE UNIQUE");
    let method = definition
        .split_once(" USING ")
        .map_or("", |(_, rest)| rest);
    (unique, method)
}

/// What is to be done about one wanted index, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Task {
    /// Remove what a broken-off build left under its name.
    DropBroken,
    /// Remove what lies under its temporary name.
    DropTemporary,
    /// Make it under its own name.
    Build,
    /// Make it under its temporary name.
    BuildTemporary,
    /// Remove the one of another definition.
    DropOld,
    /// Give the one under the temporary name its own.
    Rename,
    /// Note it as done.
    Record,
}

/// What lies under an index's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum There {
    /// Nothing.
    Nothing,
    /// What a broken-off build left.
    Broken,
    /// A usable index as wanted.
    Same,
    /// A usable index of another definition.
    Other,
}

/// What is to be done, given what lies under the index's own name and its temporary one.
pub(crate) fn tasks(own: There, temporary: There) -> Vec<Task> {
    let mut tasks = Vec::new();
    let made = own != There::Same && temporary == There::Same;
    if temporary != There::Nothing && !made {
        tasks.push(Task::DropTemporary);
    }
    if own == There::Broken {
        tasks.push(Task::DropBroken);
    }
    match (own, made) {
        (There::Same, _) => {}
        (There::Other, true) => tasks.extend([Task::DropOld, Task::Rename]),
        (There::Nothing | There::Broken, true) => tasks.push(Task::Rename),
        (There::Other, false) => {
            tasks.extend([Task::BuildTemporary, Task::DropOld, Task::Rename]);
        }
        (There::Nothing | There::Broken, false) => tasks.push(Task::Build),
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
        use Task::{Build, BuildTemporary, DropBroken, DropOld, DropTemporary, Record, Rename};
        use There::{Broken, Nothing, Other, Same};
        for (own, temporary, expected) in [
            (Nothing, Nothing, vec![Build, Record]),
            (Same, Nothing, vec![Record]),
            (Broken, Nothing, vec![DropBroken, Build, Record]),
            (
                Other,
                Nothing,
                vec![BuildTemporary, DropOld, Rename, Record],
            ),
            // Killed while it was made under the temporary name.
            (
                Other,
                Broken,
                vec![DropTemporary, BuildTemporary, DropOld, Rename, Record],
            ),
            // Killed before and after the old one was dropped.
            (Other, Same, vec![DropOld, Rename, Record]),
            (Nothing, Same, vec![Rename, Record]),
            (Broken, Same, vec![DropBroken, Rename, Record]),
            // The next release wants the old definition back.
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
        assert_eq!(tables.lacking("tenant_diku", &items), [Lack::Table]);
        let columns = ["id", "jsonb"].map(str::to_owned).into();
        tables.columns.insert("item".to_owned(), columns);
        let lacks = tables.lacking("tenant_diku", &items);
        assert!(
            matches!(&lacks[..], [Lack::Column { column, .. }, Lack::Sequence { .. }]
                if column == "holdingsrecordid"),
            "{lacks:?}"
        );
        let columns = ["id", "jsonb", "holdingsrecordid"].map(str::to_owned);
        tables.columns.insert("item".to_owned(), columns.into());
        tables.sequences.insert("item_hrid_seq".to_owned());
        assert_eq!(tables.lacking("tenant_diku", &items), []);
    }
}
