-- Who logged in, who was refused what, who gave whom which permission, who took patrons' data away.
CREATE TABLE {schema}.octavo_audit (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  kind text NOT NULL,
  user_id uuid,
  address text,
  route text,
  target text,
  detail text,
  times integer NOT NULL
);
CREATE INDEX octavo_audit_at ON {schema}.octavo_audit (at);
CREATE INDEX octavo_audit_kind ON {schema}.octavo_audit (kind, position);
CREATE INDEX octavo_audit_user ON {schema}.octavo_audit (user_id, position);
