-- How far each relay has passed the tenant's events on: the snapshot whose events are all sent, and the window
-- that is being sent. As texts: snapshots cannot be compared, and an acknowledgement compares.
CREATE TABLE {schema}.octavo_relay (
  name text PRIMARY KEY,
  read text NOT NULL,
  upto text,
  reached bigint,
  events bigint NOT NULL DEFAULT 0,
  cluster text NOT NULL,
  begun_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz
);
-- Events that the broker never takes.
CREATE TABLE {schema}.octavo_relay_parked (
  position bigint PRIMARY KEY,
  event_id uuid NOT NULL,
  topic text NOT NULL,
  key uuid NOT NULL,
  type text NOT NULL,
  bytes bigint NOT NULL,
  reason text NOT NULL,
  old jsonb,
  new jsonb,
  parked_at timestamptz NOT NULL DEFAULT now()
);
