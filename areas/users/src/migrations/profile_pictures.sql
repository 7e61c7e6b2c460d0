-- Pictures of users, encrypted with the key of the setting below. What is encrypted does not
-- compress. Every tenant gets a key of its own.
CREATE TABLE {schema}.profile_picture (
  id uuid PRIMARY KEY,
  sealed bytea NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE {schema}.profile_picture ALTER COLUMN sealed SET STORAGE EXTERNAL;
CREATE INDEX profile_picture_stored_at_idx ON {schema}.profile_picture (stored_at);
INSERT INTO {schema}.user_settings (id, jsonb)
  SELECT id, jsonb_build_object('id', id, 'scope', 'mod-users', 'key', 'PROFILE_PICTURE_CONFIG',
    '_version', 1, 'value', jsonb_build_object('enabled', false, 'enabledObjectStorage', false,
    'encryptionKey', replace(gen_random_uuid()::text, '-', ''), 'maxFileSize', 4))
  FROM gen_random_uuid() AS made(id)
  ON CONFLICT DO NOTHING;
