-- The key that the server of an export configuration had when somebody last used it. It is asked for again whenever
-- the credentials are saved.
CREATE TABLE {schema}.export_config_server_key (
  exportconfigid uuid PRIMARY KEY REFERENCES {schema}.batch_voucher_export_configs (id) ON DELETE CASCADE,
  server text NOT NULL,
  fingerprint text NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now()
);
