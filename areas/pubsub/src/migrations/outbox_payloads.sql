-- The outbox has events of circulation and fees as FOLIO's modules publish them: nothing is made of them here any more.
CREATE OR REPLACE FUNCTION {schema}.pubsub_outbox_written() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kind text := split_part(NEW.topic, '.', 2);
  payload jsonb := jsonb_strip_nulls(NEW.new);
  publisher text;
BEGIN
  -- Names of records are in lower case.
  IF kind <> upper(kind) OR NOT EXISTS (SELECT FROM {schema}.pubsub_messaging_module
      WHERE event_type = kind AND role = 'SUBSCRIBER' AND activated) THEN
    RETURN NULL;
  END IF;
  -- Where several modules publish a type, the topic names which.
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
DROP FUNCTION {schema}.pubsub_payload(text, jsonb);
DROP FUNCTION {schema}.pubsub_instant(text);
