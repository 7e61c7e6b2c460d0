-- What is still to be rendered: put there by whoever has something to tell, in the same transaction.
CREATE TABLE {schema}.outgoing_notice (
  id uuid PRIMARY KEY,
  place bigint GENERATED ALWAYS AS IDENTITY,
  recipient_id uuid NOT NULL,
  template_id uuid NOT NULL,
  channel text NOT NULL,
  output_format text NOT NULL,
  language text NOT NULL,
  context jsonb NOT NULL
);
CREATE INDEX outgoing_notice_place_idx ON {schema}.outgoing_notice (place);
-- What is still to be sent. Who takes one writes its claim and moves `due` behind the time it may
-- need: when it dies, the message is due again. A message that failed is due at infinity, until the
-- next round of retries.
CREATE TABLE {schema}.email_dispatch (
  email_id uuid PRIMARY KEY REFERENCES {schema}.email_statistics (id) ON DELETE CASCADE,
  channel text NOT NULL,
  due timestamptz NOT NULL,
  claim uuid
);
CREATE INDEX email_dispatch_due_idx ON {schema}.email_dispatch (due);
-- Messages of a status, oldest first: the expired ones are found by it.
CREATE INDEX email_statistics_expiry_idx ON {schema}.email_statistics
  ((jsonb->>'status'), ((jsonb->>'date') COLLATE "C"));
