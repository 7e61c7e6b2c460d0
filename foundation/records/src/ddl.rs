//! The SQL that creates a tenant's tables, indexes and sequences from declared collections.

use crate::collection::{Audit, Collection, Reference};
use crate::columns::{StoredColumn, in_columns};
use crate::expression::{index_name, keys, quote, rows, text_at};
use crate::index::{Index, IndexKind};

/// Extensions and immutable functions in `public`, which all tenants share.
pub const SHARED: &str = "
CREATE EXTENSION IF NOT EXISTS unaccent SCHEMA public;
CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;
-- The extension's function is only STABLE, which keeps it out of indexes and, inside a wrapper,
-- from being inlined: a write that touches ten indexes would pay for fifty SQL calls. Declared
-- anew as IMMUTABLE it is one C call; where that takes rights we do not have, the wrapper has to do.
DO $$
BEGIN
  EXECUTE $sql$
    CREATE OR REPLACE FUNCTION public.octavo_unaccent(regdictionary, text) RETURNS text
      LANGUAGE c IMMUTABLE PARALLEL SAFE STRICT AS '$libdir/unaccent', 'unaccent_dict' $sql$;
  EXECUTE $sql$
    CREATE OR REPLACE FUNCTION public.f_unaccent(text) RETURNS text
      LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
      AS $body$ SELECT public.octavo_unaccent('public.unaccent', $1) $body$ $sql$;
EXCEPTION WHEN insufficient_privilege THEN
  EXECUTE $sql$
    CREATE OR REPLACE FUNCTION public.f_unaccent(text) RETURNS text
      LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
      AS $body$ SELECT public.unaccent('public.unaccent', $1) $body$ $sql$;
END $$;
CREATE OR REPLACE FUNCTION public.octavo_words(text) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ SELECT to_tsvector('pg_catalog.simple', translate(public.f_unaccent($1), '&', ',')) $$;
CREATE OR REPLACE FUNCTION public.octavo_phrase(text) RETURNS tsquery
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ SELECT phraseto_tsquery('pg_catalog.simple', translate(public.f_unaccent($1), '&', ',')) $$;
CREATE OR REPLACE FUNCTION public.octavo_prefix(text) RETURNS tsquery
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ SELECT to_tsquery('pg_catalog.simple', translate(public.f_unaccent($1), '&', ',')) $$;
CREATE OR REPLACE FUNCTION public.octavo_concat(VARIADIC text[]) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT array_to_string($1, ' ') $$;
CREATE OR REPLACE FUNCTION public.octavo_join(elements jsonb, property text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ SELECT string_agg(element ->> property, ' ' ORDER BY at)
        FROM jsonb_array_elements(CASE WHEN jsonb_typeof(elements) = 'array'
          THEN elements ELSE '[]'::jsonb END) WITH ORDINALITY AS _(element, at) $$;
";

/// Functions added after [`SHARED`].
pub const SHARED_TEXTS_AND_NUMBERS: &str = include_str!("shared/texts_and_numbers.sql");

/// A cheaper implementation of the same texts.
pub const SHARED_CONCAT: &str = include_str!("shared/concat.sql");

/// The channel of notifications that a statement has changed a collection whose reads are cached; the
/// payload is `schema.table`.
pub const CHANGE_CHANNEL: &str = "octavo_collection";

/// The function that notifies processes of a changed collection.
pub const SHARED_CHANGE_NOTICES: &str = include_str!("shared/change_notices.sql");

/// The tenant's table of domain events, written in the transaction of the change.
#[must_use]
pub fn outbox(schema: &str) -> String {
    format!(
        "CREATE TABLE {schema}.outbox (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id uuid NOT NULL DEFAULT gen_random_uuid(),
  event_ts timestamptz NOT NULL DEFAULT now(),
  topic text NOT NULL,
  key uuid NOT NULL,
  type text NOT NULL,
  old jsonb,
  new jsonb
);
CREATE INDEX outbox_event_ts_idx ON {schema}.outbox USING brin (event_ts);"
    )
}

/// A view of the tenant's events in the form in which FOLIO's modules publish them, for programs
/// that relay them.
#[must_use]
pub fn outbox_events(schema: &str, tenant: &str) -> String {
    let part = |name: &str| {
        format!(
            "CASE WHEN {name} IS NULL THEN '{{}}' ELSE jsonb_build_object('{name}', {name}) END"
        )
    };
    format!(
        "CREATE VIEW {schema}.outbox_event AS
SELECT position, topic, key, jsonb_build_object(
    'eventId', event_id,
    'eventTs', (extract(epoch FROM event_ts) * 1000)::bigint,
    'type', type,
    'tenant', '{tenant}'
  ) || {} || {} AS value
FROM {schema}.outbox;",
        part("old"),
        part("new")
    )
}

/// Lets an event keep what has changed in place of the whole record before: `was` has the properties
/// that were otherwise, `came` the names of those that are new. The view puts the record together.
#[must_use]
pub fn outbox_differences(schema: &str, tenant: &str) -> String {
    let view = outbox_events(schema, tenant)
        .replace("CREATE VIEW", "CREATE OR REPLACE VIEW")
        .replace(
            &format!("FROM {schema}.outbox;"),
            &format!(
                "FROM (SELECT position, event_id, event_ts, topic, key, type, new,
    CASE WHEN was IS NULL THEN old ELSE (new - coalesce(came, '{{}}')) || was END AS old
  FROM {schema}.outbox) AS event;"
            ),
        );
    format!("ALTER TABLE {schema}.outbox ADD COLUMN was jsonb, ADD COLUMN came text[];\n{view}")
}

/// Lets an event keep the transaction that wrote it, by which a reader finds what was committed since it
/// last looked, and headers for those who publish it. Events from before have the transaction of this
/// step: to a reader they came together.
#[must_use]
pub fn outbox_transactions(schema: &str) -> String {
    // The function is stable and not volatile, so the column is added without rewriting the table.
    format!(
        "ALTER TABLE {schema}.outbox
  ADD COLUMN xact xid8 NOT NULL DEFAULT pg_current_xact_id(),
  ADD COLUMN headers jsonb;"
    )
}

/// How far areas have read the outbox for work of their own, each under a name ([`crate::store::reader`]).
#[must_use]
pub fn outbox_readers(schema: &str) -> String {
    format!(
        "CREATE TABLE {schema}.octavo_reader (
  name text PRIMARY KEY,
  read text NOT NULL,
  upto text,
  reached bigint,
  cluster text NOT NULL,
  looked_at timestamptz NOT NULL DEFAULT now()
);"
    )
}

/// The index by which events are found by their transaction. Made only where somebody reads them so:
/// every write of an event pays for it.
#[must_use]
pub fn outbox_xact_index(schema: &str) -> String {
    format!(
        "CREATE INDEX CONCURRENTLY {OUTBOX_XACT_INDEX} ON {schema}.outbox (xact) INCLUDE (position)"
    )
}

/// The name of [`outbox_xact_index`].
pub const OUTBOX_XACT_INDEX: &str = "outbox_xact_idx";

/// The audit table of a collection, with the indexes by which it is read: by instant, and by
/// record.
#[must_use]
pub fn audit(schema: &str, collection: &Collection) -> Option<String> {
    let Audit { table, field, .. } = collection.audit.as_ref()?;
    let record = quote(field);
    Some(format!(
        "CREATE TABLE {schema}.{table} (id uuid PRIMARY KEY, jsonb jsonb NOT NULL);
CREATE INDEX {table}_createddate_idx ON {schema}.{table} ((jsonb->>'createdDate'));
CREATE INDEX {table}_record_id_idx ON {schema}.{table} ((jsonb->{record}->>'id'));"
    ))
}

/// The tenant's tables about indexes: those applied to it, those whose build failed, and the
/// searches that lack one.
#[must_use]
pub fn index_keeping(schema: &str) -> String {
    format!(
        "CREATE TABLE {schema}.octavo_index (
  name text PRIMARY KEY,
  collection text NOT NULL,
  declaration jsonb NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  built_at timestamptz
);
CREATE TABLE {schema}.octavo_index_problem (
  name text PRIMARY KEY,
  collection text NOT NULL,
  reason text NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE {schema}.octavo_index_advice (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  collection text NOT NULL,
  shape text NOT NULL,
  indexes jsonb NOT NULL,
  times bigint NOT NULL,
  rows bigint NOT NULL,
  total_ms double precision NOT NULL,
  max_ms double precision NOT NULL,
  first_seen timestamptz NOT NULL,
  last_seen timestamptz NOT NULL,
  UNIQUE (collection, shape)
);"
    )
}

/// The tenant's table of the indexes that a load has dropped until its end.
#[must_use]
pub fn deferred_indexes(schema: &str) -> String {
    format!(
        "CREATE TABLE {schema}.octavo_deferred_index (
  name text PRIMARY KEY,
  collection text NOT NULL,
  definition text NOT NULL,
  dropped_at timestamptz NOT NULL DEFAULT now()
);"
    )
}

/// The table of a collection with its foreign-key columns, without secondary indexes.
#[must_use]
pub fn table(schema: &str, collection: &Collection) -> String {
    let mut columns = vec![
        "id uuid PRIMARY KEY".to_owned(),
        "jsonb jsonb NOT NULL".to_owned(),
    ];
    for reference in &collection.references {
        columns.push(foreign_key(schema, collection, reference));
    }
    columns.extend(collection.columns.iter().map(StoredColumn::definition));
    let room = match collection.often_updated {
        true => format!(" WITH (fillfactor = {FILL_PERCENT})"),
        false => String::new(),
    };
    let mut sql = format!(
        "CREATE TABLE {schema}.{} (\n  {}\n){room};\n",
        collection.table,
        columns.join(",\n  ")
    );
    if collection.hrid.is_some() {
        sql.push_str(&format!(
            "CREATE SEQUENCE {schema}.{}_hrid_seq;\n",
            collection.table
        ));
    }
    sql
}

/// The trigger that notifies processes when a statement changes a collection whose reads they cache.
#[must_use]
pub fn change_notice(schema: &str, collection: &Collection) -> Option<(String, String)> {
    let table = collection.reads_cached.then_some(&collection.table)?;
    let sql = format!(
        "CREATE TRIGGER {table}_notice AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
  ON {schema}.{table} FOR EACH STATEMENT EXECUTE FUNCTION octavo.notify_of_change();"
    );
    Some((format!("change notice {table}"), sql))
}

/// How full the pages of a table are that changes often, in percent: a new version of a row that stays
/// on its page needs no entries in indexes.
pub const FILL_PERCENT: u8 = 85;

/// The column of a foreign key, in the form of `CREATE TABLE`.
#[must_use]
pub fn foreign_key(schema: &str, collection: &Collection, reference: &Reference) -> String {
    let column = reference.column();
    format!(
        "{column} uuid GENERATED ALWAYS AS (({})::uuid) STORED \
         CONSTRAINT {}_{column}_fkey REFERENCES {schema}.{}",
        text_at(&reference.field),
        collection.table,
        reference.table,
    )
}

/// The secondary indexes of a collection: foreign keys first, then the declared ones.
#[must_use]
pub fn indexes(schema: &str, collection: &Collection) -> Vec<String> {
    let table = &collection.table;
    let foreign = collection.references.iter().map(|reference| {
        let column = reference.column();
        let order = match &reference.order {
            Some(sql) if collection.often_updated => format!(", ({})", in_columns(sql)),
            Some(sql) => format!(", ({sql})"),
            None => String::new(),
        };
        // Partial, without the rows that reference nothing: no search looks for them by this index,
        // and each change of a row with five such columns would pay for five entries.
        format!(
            "CREATE INDEX {table}_{column}_idx ON {schema}.{table} ({column}{order}) \
             WHERE {column} IS NOT NULL"
        )
    });
    foreign
        .chain(
            collection
                .indexes
                .iter()
                .filter(|index| !is_in_rows(collection, index))
                .filter(|index| !index.on_demand)
                .map(|index| self::index(schema, collection, index)),
        )
        .collect()
}

/// Whether an index lies in the narrow rows of the collection.
fn is_in_rows(collection: &Collection, index: &Index) -> bool {
    let rows = collection.search_rows.as_ref();
    rows.is_some_and(|rows| rows.keeps(index))
}

/// The statement that makes one declared index.
#[must_use]
pub fn index(schema: &str, collection: &Collection, index: &Index) -> String {
    let name = index_name(collection, index);
    let unique = match index.kind {
        IndexKind::UniqueIndex => "UNIQUE ",
        _ => "",
    };
    let condition = match rows(index) {
        Some(sql) => format!(" WHERE {sql}"),
        None => String::new(),
    };
    let keys: Vec<String> = keys(index).iter().map(|key| format!("({key})")).collect();
    let keys = keys.join(", ");
    let using = match index.kind {
        IndexKind::Index | IndexKind::UniqueIndex | IndexKind::LikeIndex => format!("({keys})"),
        IndexKind::GinIndex => format!("USING gin ({keys} public.gin_trgm_ops)"),
        IndexKind::FullTextIndex => format!("USING gin ({keys})"),
        IndexKind::Hash => format!("USING hash ({keys})"),
        IndexKind::Gist => format!("USING gist ({keys} public.gist_trgm_ops)"),
        IndexKind::SpGist => format!("USING spgist ({keys})"),
        IndexKind::Brin => format!("USING brin ({keys})"),
    };
    let table = &collection.table;
    format!("CREATE {unique}INDEX {name} ON {schema}.{table} {using}{condition}")
}

/// The schema that holds a tenant's tables.
#[must_use]
pub fn schema_of(tenant: &str) -> String {
    format!("tenant_{tenant}")
}

/// Restarts the sequence of human-readable ids after the highest stored one.
#[must_use]
pub fn restart_hrids(schema: &str, collection: &Collection) -> Option<String> {
    collection.hrid.as_ref()?;
    let table = &collection.table;
    Some(format!(
        "SELECT setval('{schema}.{table}_hrid_seq', greatest(1, (SELECT max(substring(\
         jsonb->>'hrid' FROM '[0-9]{{1,15}}$')::bigint) FROM {schema}.{table})))"
    ))
}
