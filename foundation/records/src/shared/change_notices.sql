-- Notifies every process that a statement has changed a table, by "schema.table". PostgreSQL delivers
-- it at the commit, once for each table and transaction.
CREATE FUNCTION octavo.notify_of_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('octavo_collection', TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME);
  RETURN NULL;
END $$;
