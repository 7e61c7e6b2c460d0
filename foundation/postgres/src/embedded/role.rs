//! The role that the server uses in its own cluster: owner of its database but not a superuser, so
//! that no statement of the server can read files, run programs or bypass privileges.

use tokio_postgres::{Client, Error};

use super::cluster::SUPERUSER;
use super::launcher::Progress;
use crate::migrate::quote_identifier;

pub(super) const SERVER: &str = "octavo_server";

/// Access to the statistics of statements and of other connections, which the workbench displays.
const GRANTS: &str = "GRANT pg_monitor TO octavo_server; \
    DO $$ BEGIN \
      IF to_regprocedure('pg_stat_statements_reset(oid, oid, bigint)') IS NOT NULL THEN \
        GRANT EXECUTE ON FUNCTION pg_stat_statements_reset(oid, oid, bigint) TO octavo_server; \
      END IF; \
    END $$";

/// What only a superuser can declare: the extension's function as one that indexes may use. In a wrapper
/// it would be a query of its own for each index of each row that is written.
const FUNCTIONS: &str = "DO $$ BEGIN \
      IF to_regprocedure('public.octavo_unaccent(regdictionary, text)') IS NULL THEN \
        CREATE FUNCTION public.octavo_unaccent(regdictionary, text) RETURNS text \
          LANGUAGE c IMMUTABLE PARALLEL SAFE STRICT AS '$libdir/unaccent', 'unaccent_dict'; \
      END IF; \
    EXCEPTION WHEN undefined_file THEN NULL; \
    END $$";

/// Schemas with objects that the superuser owns: in a cluster made before the role existed, and
/// after a restore of such a backup. Members of extensions stay the superuser's.
const LEFT_BEHIND: &str = "SELECT n.nspname::text FROM pg_namespace n \
    WHERE n.nspowner = $1::text::regrole AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' \
    UNION \
    SELECT 'public' FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace \
      AND p.proowner = $1::text::regrole AND NOT EXISTS (SELECT FROM pg_depend d \
        WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e') \
    UNION \
    SELECT 'public' FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace \
      AND c.relowner = $1::text::regrole AND c.relkind IN ('r', 'p', 'v', 'm', 'S') \
      AND NOT EXISTS (SELECT FROM pg_depend d \
        WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'e', 'i')) \
    ORDER BY 1";

/// Creates the role if it does not exist and makes it the owner of everything in the database, one
/// schema a transaction.
pub(super) async fn prepare(
    client: &Client,
    database: &str,
    progress: &Progress,
) -> Result<(), Error> {
    let recovering = client.query_one("SELECT pg_is_in_recovery()", &[]).await?;
    if recovering.get("pg_is_in_recovery") {
        return Ok(());
    }
    let owner = "SELECT pg_get_userbyid(datdba)::text AS owner FROM pg_database WHERE datname = \
         current_database()";
    let owner: String = client.query_one(owner, &[]).await?.get("owner");
    if owner != SERVER {
        // A server that is killed right after its first start must not lack its role, whatever its
        // durability.
        client.batch_execute("SET synchronous_commit = on").await?;
        let make = format!(
            "DO $$ BEGIN \
               IF to_regrole('{SERVER}') IS NULL THEN CREATE ROLE {SERVER} LOGIN; END IF; \
             END $$; {GRANTS}"
        );
        client.batch_execute(&make).await?;
    }
    client.batch_execute(FUNCTIONS).await?;
    let schemas = client.query(LEFT_BEHIND, &[&SUPERUSER]).await?;
    if schemas.len() > 1 {
        progress(&format!(
            "giving {} schemas to the database role {SERVER}",
            schemas.len()
        ));
    }
    for schema in schemas {
        client.batch_execute(&grants(schema.get("nspname"))).await?;
    }
    if owner != SERVER {
        // The database's owner is changed last, as the mark that the role is complete.
        let own = format!(
            "ALTER DATABASE {} OWNER TO {SERVER}",
            quote_identifier(database)
        );
        client.batch_execute(&own).await?;
    }
    Ok(())
}

/// Makes the role the owner of a schema and its objects. Objects that belong to others, such as a
/// serial's sequence, follow them.
fn grants(schema: &str) -> String {
    let name = schema.replace('\'', "''");
    let schema_too = match schema {
        // It belongs to whoever owns the database, by PostgreSQL's default.
        "public" => String::new(),
        _ => format!(
            "ALTER SCHEMA {} OWNER TO {SERVER};",
            quote_identifier(schema)
        ),
    };
    format!(
        "DO $grants$ DECLARE one text; BEGIN \
           FOR one IN \
             SELECT format('ALTER TABLE %s OWNER TO {SERVER}', c.oid::regclass) FROM pg_class c \
             WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = '{name}') \
               AND c.relowner = '{SUPERUSER}'::regrole AND c.relkind IN ('r', 'p', 'v', 'm', 'S') \
               AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass \
                 AND d.objid = c.oid AND d.deptype IN ('a', 'e', 'i')) \
             UNION ALL \
             SELECT format('ALTER ROUTINE %s OWNER TO {SERVER}', p.oid::regprocedure) FROM pg_proc p \
             WHERE p.pronamespace = (SELECT oid FROM pg_namespace WHERE nspname = '{name}') \
               AND p.proowner = '{SUPERUSER}'::regrole \
               AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass \
                 AND d.objid = p.oid AND d.deptype = 'e') \
             UNION ALL \
             SELECT format('ALTER TYPE %s OWNER TO {SERVER}', t.oid::regtype) FROM pg_type t \
             WHERE t.typnamespace = (SELECT oid FROM pg_namespace WHERE nspname = '{name}') \
               AND t.typowner = '{SUPERUSER}'::regrole AND t.typtype IN ('d', 'e') \
               AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_type'::regclass \
                 AND d.objid = t.oid AND d.deptype = 'e') \
           LOOP EXECUTE one; END LOOP; \
           {schema_too} \
         END $grants$"
    )
}
