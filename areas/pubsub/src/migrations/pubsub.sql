-- Event types, and who publishes and subscribes to them.
CREATE TABLE {schema}.pubsub_event_type (
  name text COLLATE "C" PRIMARY KEY,
  -- As it was registered; one that nobody has described yet is temporary.
  descriptor jsonb NOT NULL
);
CREATE TABLE {schema}.pubsub_messaging_module (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  event_type text COLLATE "C" NOT NULL REFERENCES {schema}.pubsub_event_type,
  module_id text COLLATE "C" NOT NULL,
  -- The module without its version: a new version takes over what an earlier one has declared.
  product text COLLATE "C" NOT NULL GENERATED ALWAYS AS (regexp_replace(module_id, '-[0-9][^-]*(-.*)?$', '')) STORED,
  role text COLLATE "C" NOT NULL CHECK (role IN ('PUBLISHER', 'SUBSCRIBER')),
  activated boolean NOT NULL DEFAULT true,
  callback text,
  UNIQUE (event_type, role, module_id)
);
CREATE INDEX pubsub_messaging_module_product_idx ON {schema}.pubsub_messaging_module (product, role);

-- What has become of events.
CREATE TABLE {schema}.pubsub_audit_message (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  correlation_id text,
  created_by text,
  published_by text,
  audit_date timestamptz NOT NULL DEFAULT clock_timestamp(),
  state text NOT NULL,
  error_message text
);
CREATE INDEX pubsub_audit_message_date_idx ON {schema}.pubsub_audit_message (audit_date);
CREATE INDEX pubsub_audit_message_event_idx ON {schema}.pubsub_audit_message (event_id, audit_date);

-- The events of the product's own modules. Whoever describes a type first describes it for all.
INSERT INTO {schema}.pubsub_event_type
  SELECT name, jsonb_build_object('eventType', name, 'description', told, 'eventTTL', 1, 'signed', false,
    'tmp', true)
  FROM (VALUES
    ('ITEM_CHECKED_OUT', 'An item is lent'),
    ('ITEM_CHECKED_IN', 'A loan ends with a check-in'),
    ('ITEM_DECLARED_LOST', 'A lent item is declared lost'),
    ('ITEM_AGED_TO_LOST', 'A lent item is overdue for so long that it counts as lost'),
    ('ITEM_CLAIMED_RETURNED', 'A patron claims to have returned an item'),
    ('LOAN_DUE_DATE_CHANGED', 'A loan is due at another time'),
    ('LOAN_CLOSED', 'A loan ends without a check-in'),
    ('FEE_FINE_BALANCE_CHANGED', 'Another amount of a fee or fine is owed'),
    ('LOAN_RELATED_FEE_FINE_CLOSED', 'A fee or fine of a loan is settled')) AS _(name, told);
INSERT INTO {schema}.pubsub_messaging_module (event_type, module_id, role)
  SELECT name, CASE WHEN name LIKE '%FEE_FINE%' THEN 'mod-feesfines-19.3.3'
    ELSE 'mod-circulation-24.4.18' END, 'PUBLISHER'
  FROM {schema}.pubsub_event_type;

-- Lines an event up for each of its subscribers, in the transaction that made it; gives how many there are.
CREATE FUNCTION {schema}.pubsub_enqueue(event uuid, kind text, payload text, correlation text, creator text,
  publisher text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  many integer;
BEGIN
  INSERT INTO {schema}.octavo_job (queue, id, key, progress)
    SELECT 'pubsub', gen_random_uuid(), id, jsonb_build_object('event', event, 'kind', kind,
      'payload', payload, 'correlation', correlation, 'creator', creator, 'publisher', publisher)
    FROM {schema}.pubsub_messaging_module
    WHERE event_type = kind AND role = 'SUBSCRIBER' AND activated;
  GET DIAGNOSTICS many = ROW_COUNT;
  INSERT INTO {schema}.pubsub_audit_message
      (event_id, event_type, correlation_id, created_by, published_by, state, error_message)
    SELECT event, kind, correlation, creator, publisher, state,
      CASE state WHEN 'REJECTED' THEN format('There is no subscriber registered for event type %s', kind) END
    FROM unnest(CASE WHEN many = 0 THEN ARRAY['PUBLISHED', 'REJECTED'] ELSE ARRAY['PUBLISHED', 'RECEIVED'] END)
      WITH ORDINALITY AS _(state, at) ORDER BY at;
  IF many > 0 THEN
    PERFORM pg_notify('octavo_pubsub', '{schema}');
  END IF;
  RETURN many;
END $$;

-- An instant as FOLIO's modules put it into events.
CREATE FUNCTION {schema}.pubsub_instant(txt text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(txt::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- The content of an event of circulation or fees as FOLIO's modules publish it; none where they publish nothing.
CREATE FUNCTION {schema}.pubsub_payload(kind text, told jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  lent jsonb;
  grace jsonb;
BEGIN
  IF kind IN ('ITEM_CHECKED_OUT', 'ITEM_CHECKED_IN') THEN
    SELECT jsonb INTO lent FROM {schema}.loan WHERE id = (told->>'loanId')::uuid;
    IF lent IS NULL THEN
      RETURN NULL;
    END IF;
    IF kind = 'ITEM_CHECKED_IN' THEN
      RETURN jsonb_strip_nulls(jsonb_build_object('userId', lent->'userId', 'loanId', lent->'id',
        'returnDate', {schema}.pubsub_instant(lent->>'returnDate')));
    END IF;
    SELECT jsonb->'loansPolicy'->'gracePeriod' INTO grace FROM {schema}.loan_policy
      WHERE id = (lent->>'loanPolicyId')::uuid;
    RETURN jsonb_strip_nulls(jsonb_build_object('userId', lent->'userId', 'loanId', lent->'id',
      'dueDate', {schema}.pubsub_instant(lent->>'dueDate'),
      'gracePeriod', CASE WHEN grace->'duration' IS NOT NULL AND grace->'intervalId' IS NOT NULL
        THEN jsonb_build_object('duration', grace->'duration', 'intervalId', grace->'intervalId') END));
  END IF;
  IF kind = 'LOAN_DUE_DATE_CHANGED' THEN
    told := told || jsonb_build_object('dueDate', {schema}.pubsub_instant(told->>'dueDate'));
  END IF;
  RETURN jsonb_strip_nulls(told);
END $$;

-- Events of circulation and fees come from the outbox, in the transaction of the act.
CREATE FUNCTION {schema}.pubsub_outbox_written() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kind text := split_part(NEW.topic, '.', 2);
  payload jsonb;
  publisher text;
BEGIN
  -- Names of records are in lower case.
  IF kind <> upper(kind) OR NOT EXISTS (SELECT FROM {schema}.pubsub_messaging_module
      WHERE event_type = kind AND role = 'SUBSCRIBER' AND activated) THEN
    RETURN NULL;
  END IF;
  payload := {schema}.pubsub_payload(kind, NEW.new);
  SELECT module_id INTO publisher FROM {schema}.pubsub_messaging_module
    WHERE event_type = kind AND role = 'PUBLISHER' AND activated ORDER BY module_id LIMIT 1;
  IF payload IS NOT NULL AND publisher IS NOT NULL THEN
    INSERT INTO {schema}.pubsub_audit_message (event_id, event_type, published_by, state)
      VALUES (NEW.event_id, kind, publisher, 'CREATED');
    PERFORM {schema}.pubsub_enqueue(NEW.event_id, kind, payload::text, NULL, NULL, publisher);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER pubsub_outbox_written AFTER INSERT ON {schema}.outbox
  FOR EACH ROW EXECUTE FUNCTION {schema}.pubsub_outbox_written();
