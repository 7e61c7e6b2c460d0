-- Sessions with a refresh token: the hash of the one that is good now.
CREATE TABLE {schema}.auth_sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  refresh_hash bytea NOT NULL,
  refresh_ends timestamptz NOT NULL,
  access_ends timestamptz NOT NULL
);
CREATE INDEX auth_sessions_user ON {schema}.auth_sessions (user_id);
CREATE INDEX auth_sessions_refresh_ends ON {schema}.auth_sessions (refresh_ends);
-- Sessions that were ended while tokens of theirs may still last.
CREATE TABLE {schema}.auth_revoked (
  session_id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  ends_at timestamptz NOT NULL
);
CREATE INDEX auth_revoked_user ON {schema}.auth_revoked (user_id);
CREATE INDEX auth_revoked_ends_at ON {schema}.auth_revoked (ends_at);
-- How often all sessions of a user were ended, and the one that the last time left alone.
CREATE TABLE {schema}.auth_generations (
  user_id uuid PRIMARY KEY,
  generation bigint NOT NULL,
  spared uuid
);
-- Every process forgets what it knows of the user.
CREATE FUNCTION {schema}.notify_revoked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('octavo_identity',
    substr(TG_TABLE_SCHEMA, length('tenant_') + 1) || ':' || NEW.user_id);
  RETURN NULL;
END $$;
CREATE TRIGGER notify_revoked AFTER INSERT ON {schema}.auth_revoked
  FOR EACH ROW EXECUTE FUNCTION {schema}.notify_revoked();
CREATE TRIGGER notify_revoked AFTER INSERT OR UPDATE ON {schema}.auth_generations
  FOR EACH ROW EXECUTE FUNCTION {schema}.notify_revoked();
