-- What happened to records of acquisitions: each with its content after that.
CREATE TABLE {schema}.audit_acquisition (
  event_id uuid PRIMARY KEY,
  kind text COLLATE "C" NOT NULL,
  entity_id uuid NOT NULL,
  whole_id uuid,
  action text COLLATE "C" NOT NULL,
  user_id uuid,
  event_date timestamptz NOT NULL,
  action_date timestamptz NOT NULL,
  -- Of the event in the outbox: the order where dates are the same.
  position bigint NOT NULL,
  snapshot jsonb
);
CREATE INDEX audit_acquisition_entity_idx ON {schema}.audit_acquisition (entity_id, action_date, position);

-- What happened to instances, holdings and items: each with what is otherwise after that.
CREATE TABLE {schema}.audit_inventory (
  event_id uuid PRIMARY KEY,
  kind text COLLATE "C" NOT NULL,
  entity_id uuid NOT NULL,
  action text COLLATE "C" NOT NULL,
  user_id uuid NOT NULL,
  event_date timestamptz NOT NULL,
  position bigint NOT NULL,
  diff jsonb
);
CREATE INDEX audit_inventory_entity_idx ON {schema}.audit_inventory (entity_id, event_date, position);
-- Old entries are deleted by their dates.
CREATE INDEX audit_inventory_date_idx ON {schema}.audit_inventory USING brin (event_date);

CREATE TABLE {schema}.audit_setting (
  id text COLLATE "C" PRIMARY KEY,
  group_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  value jsonb NOT NULL,
  type text COLLATE "C" NOT NULL,
  description text,
  created_date timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  updated_date timestamptz NOT NULL DEFAULT now(),
  updated_by uuid DEFAULT '00000000-0000-0000-0000-000000000000'
);
INSERT INTO {schema}.audit_setting (id, group_id, key, value, type, description)
  SELECT category || '.' || key, category, key, value, type, description
  FROM (VALUES ('audit.inventory'), ('audit.authority')) AS _(category),
    (VALUES ('enabled', 'true'::jsonb, 'BOOLEAN', 'Whether changes of records are kept'),
      ('records.page.size', '10', 'INTEGER', 'Changes on a page'),
      ('records.retention.period', '-1', 'INTEGER', 'Days for which changes are kept; -1 for ever'))
      AS setting(key, value, type, description);
