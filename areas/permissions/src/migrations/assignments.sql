-- Who holds a permission, and which sets name one: both are asked whenever a permission is shown.
CREATE INDEX permissions_users_permissions_held ON {schema}.permissions_users
  USING gin ((jsonb->'permissions'));
CREATE INDEX permissions_subpermissions_named ON {schema}.permissions
  USING gin ((jsonb->'subPermissions'));
-- What each module announced last, so that announcing it again costs one look.
CREATE TABLE {schema}.permissions_announced (
  module text PRIMARY KEY,
  module_id text NOT NULL,
  digest bytea NOT NULL
);
