//! The role that the server uses in its own cluster: owner of its database and no superuser, so that no
//! statement of the server can read files, run programs or pass over rights.

use tokio_postgres::{Client, Error};

use super::cluster::SUPERUSER;
use super::launcher::Progress;
use crate::migrate::quote_identifier;

/// The name of the role.
pub(super) const SERVER: &str = "octavo_server";

/// Statistics of statements and of other connections, which the workbench shows.
const GRANTS: &str = "GRANT pg_monitor TO octavo_server; \
    DO $$ BEGIN \
      IF to_regprocedure('pg_stat_statements_reset(oid, oid, bigint)') IS NOT NULL THEN \
        GRANT EXECUTE ON FUNCTION pg_stat_statements_reset(oid, oid, bigint) TO octavo_server; \
      END IF; \
    END $$";

/// `unaccent` as a function that may stand in indexes. Only a superuser can make it: it is the extension's
/// own code, declared immutable. Without it each key of an index that folds accents costs a call of an SQL
/// function, and a pair of check-out and check-in forms a hundred such keys.
const UNACCENT: &str = "DO $$ BEGIN \
      IF to_regprocedure('public.octavo_unaccent(regdictionary, text)') IS NULL THEN \
        CREATE EXTENSION IF NOT EXISTS unaccent SCHEMA public; \
        CREATE FUNCTION public.octavo_unaccent(regdictionary, text) RETURNS text \
          LANGUAGE c IMMUTABLE PARALLEL SAFE STRICT AS '$libdir/unaccent', 'unaccent_dict'; \
      END IF; \
    END $$";

/// Schemas with something that the superuser owns: those of a cluster that was made before the role, and
/// what was restored from a backup of one. Members of extensions stay the superuser's.
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

/// Makes the role where it is lacking and gives it what is in the database, one schema a transaction.
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
        // A server that is killed right after its first start must not be without its role, whatever its
        // durability.
        client.batch_execute("SET synchronous_commit = on").await?;
        let make = format!(
            "DO $$ BEGIN \
               IF to_regrole('{SERVER}') IS NULL THEN CREATE ROLE {SERVER} LOGIN; END IF; \
             END $$; {GRANTS}"
        );
        client.batch_execute(&make).await?;
    }
    client.batch_execute(UNACCENT).await?;
    let schemas = client.query(LEFT_BEHIND, &[&SUPERUSER]).await?;
    if schemas.len() > 1 {
        progress(&format!(
            "giving {} schemas to the database role {SERVER}",
            schemas.len()
        ));
    }
    for schema in schemas {
        client.batch_execute(&give(schema.get("nspname"))).await?;
    }
    if owner != SERVER {
        // Last: who finds it so knows that the role is whole.
        let own = format!(
            "ALTER DATABASE {} OWNER TO {SERVER}",
            quote_identifier(database)
        );
        client.batch_execute(&own).await?;
    }
    Ok(())
}

/// Gives a schema and all in it to the role. What belongs to something else goes with that.
fn give(schema: &str) -> String {
    let name = schema.replace('\'', "''");
    let schema_too = match schema {
        // It belongs to whoever owns the database.
        "public" => String::new(),
        _ => format!(
            "ALTER SCHEMA {} OWNER TO {SERVER};",
            quote_identifier(schema)
        ),
    };
    format!(
        "DO $give$ DECLARE one text; BEGIN \
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
         END $give$"
    )
}
