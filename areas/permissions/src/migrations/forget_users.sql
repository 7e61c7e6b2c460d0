-- What a user may do goes with the user, in whichever way users are deleted.
CREATE FUNCTION {schema}.forget_permissions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM {schema}.permissions_users WHERE (jsonb->>'userId') COLLATE "C" = OLD.id::text;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_permissions AFTER DELETE ON {schema}.users
  FOR EACH ROW EXECUTE FUNCTION {schema}.forget_permissions();
