-- What is kept of a user's passwords and sessions goes with the user, and tokens with it, in whichever way
-- users are deleted. The generation goes up rather than away: a user who is made again with the same id has
-- none of the old one's tokens.
CREATE FUNCTION {schema}.forget_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM {schema}.auth_credentials WHERE (lower(jsonb->>'userId')) COLLATE "C" = OLD.id::text;
  DELETE FROM {schema}.auth_attempts WHERE (lower(jsonb->>'userId')) COLLATE "C" = OLD.id::text;
  DELETE FROM {schema}.auth_credentials_history
    WHERE left(lower(jsonb->>'userId'), 600) COLLATE "C" = OLD.id::text;
  DELETE FROM {schema}.auth_password_action
    WHERE left(lower(jsonb->>'userId'), 600) COLLATE "C" = OLD.id::text;
  DELETE FROM {schema}.auth_sessions WHERE user_id = OLD.id;
  DELETE FROM {schema}.auth_revoked WHERE user_id = OLD.id;
  INSERT INTO {schema}.auth_generations AS g (user_id, generation) VALUES (OLD.id, 1)
    ON CONFLICT (user_id) DO UPDATE SET generation = g.generation + 1, spared = NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_user AFTER DELETE ON {schema}.users
  FOR EACH ROW EXECUTE FUNCTION {schema}.forget_user();
