-- Every process forgets what it knows of a user's permissions when they change.
CREATE FUNCTION {schema}.notify_identity() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  tenant text := substr(TG_TABLE_SCHEMA, length('tenant_') + 1);
  changed jsonb := CASE WHEN TG_OP = 'DELETE' THEN OLD.jsonb ELSE NEW.jsonb END;
BEGIN
  IF TG_TABLE_NAME = 'permissions' THEN
    PERFORM pg_notify('octavo_identity', tenant || ':*');
  ELSIF TG_TABLE_NAME = 'permissions_users' THEN
    PERFORM pg_notify('octavo_identity', tenant || ':' || (changed->>'userId'));
    IF TG_OP = 'UPDATE' AND OLD.jsonb->>'userId' <> NEW.jsonb->>'userId' THEN
      PERFORM pg_notify('octavo_identity', tenant || ':' || (OLD.jsonb->>'userId'));
    END IF;
  ELSE
    PERFORM pg_notify('octavo_identity', tenant || ':' || (changed->>'id'));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER notify_identity AFTER INSERT OR UPDATE OR DELETE ON {schema}.permissions_users
  FOR EACH ROW EXECUTE FUNCTION {schema}.notify_identity();
CREATE TRIGGER notify_identity AFTER INSERT OR UPDATE OR DELETE ON {schema}.permissions
  FOR EACH ROW EXECUTE FUNCTION {schema}.notify_identity();
CREATE TRIGGER notify_identity_update AFTER UPDATE ON {schema}.users
  FOR EACH ROW WHEN (OLD.jsonb->>'active' IS DISTINCT FROM NEW.jsonb->>'active')
  EXECUTE FUNCTION {schema}.notify_identity();
CREATE TRIGGER notify_identity_delete AFTER DELETE ON {schema}.users
  FOR EACH ROW EXECUTE FUNCTION {schema}.notify_identity();
