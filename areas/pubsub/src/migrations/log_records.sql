-- The events of the circulation log, as mod-circulation publishes them.
INSERT INTO {schema}.pubsub_event_type (name, descriptor) VALUES ('LOG_RECORD', jsonb_build_object(
    'eventType', 'LOG_RECORD', 'description', 'An act of circulation', 'eventTTL', 1, 'signed', false, 'tmp', true))
  ON CONFLICT DO NOTHING;
INSERT INTO {schema}.pubsub_messaging_module (event_type, module_id, role)
  VALUES ('LOG_RECORD', 'mod-circulation-24.4.18', 'PUBLISHER'), ('LOG_RECORD', 'mod-feesfines-19.3.3', 'PUBLISHER')
  ON CONFLICT DO NOTHING;

-- They are written where somebody subscribes to them, or a relay has passed the tenant's events on.
CREATE OR REPLACE FUNCTION {schema}.takes_log_records() RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM {schema}.octavo_relay) OR EXISTS (SELECT FROM {schema}.pubsub_messaging_module
    WHERE event_type = 'LOG_RECORD' AND role = 'SUBSCRIBER' AND activated);
END $$;

-- As before; a type that several modules publish is published by the one that the topic names.
CREATE OR REPLACE FUNCTION {schema}.pubsub_outbox_written() RETURNS trigger LANGUAGE plpgsql AS $$
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
    WHERE event_type = kind AND role = 'PUBLISHER' AND activated
    ORDER BY product = 'mod-' || split_part(NEW.topic, '.', 1) DESC, module_id LIMIT 1;
  IF payload IS NOT NULL AND publisher IS NOT NULL THEN
    INSERT INTO {schema}.pubsub_audit_message (event_id, event_type, published_by, state)
      VALUES (NEW.event_id, kind, publisher, 'CREATED');
    PERFORM {schema}.pubsub_enqueue(NEW.event_id, kind, payload::text, NULL, NULL, publisher);
  END IF;
  RETURN NULL;
END $$;
