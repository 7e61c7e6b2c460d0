-- What a library sets about authorities, with FOLIO's keys and defaults.
CREATE TABLE {schema}.authority_setting (
  key text PRIMARY KEY,
  value jsonb NOT NULL,
  type text NOT NULL,
  description text NOT NULL,
  created timestamptz NOT NULL DEFAULT now(),
  updated timestamptz NOT NULL DEFAULT now(),
  updated_by uuid
);
INSERT INTO {schema}.authority_setting (key, value, type, description) VALUES
  ('mapping.extended', 'false', 'BOOLEAN', 'Map the further headings of authority records'),
  ('archives.expiration.enabled', 'true', 'BOOLEAN', 'Remove deleted authorities after a while'),
  ('archives.expiration.period', '7', 'INTEGER', 'Days for which deleted authorities are kept');
