-- As before; nothing is made of an event before somebody is known to take it.
CREATE OR REPLACE FUNCTION {schema}.pubsub_outbox_written() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kind text := split_part(NEW.topic, '.', 2);
  payload jsonb;
  publisher text;
BEGIN
  -- Names of records are in lower case, and topics of one part are nobody's here.
  IF kind = '' OR kind <> upper(kind) THEN
    RETURN NULL;
  END IF;
  IF NOT EXISTS (SELECT FROM {schema}.pubsub_messaging_module
      WHERE event_type = kind AND role = 'SUBSCRIBER' AND activated) THEN
    RETURN NULL;
  END IF;
  payload := jsonb_strip_nulls(NEW.new);
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
