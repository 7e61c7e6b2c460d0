-- The events of the circulation log, as mod-circulation publishes them.
INSERT INTO {schema}.pubsub_event_type (name, descriptor) VALUES ('LOG_RECORD', jsonb_build_object(
    'eventType', 'LOG_RECORD', 'description', 'An act of circulation', 'eventTTL', 1, 'signed', false, 'tmp', true))
  ON CONFLICT DO NOTHING;
INSERT INTO {schema}.pubsub_messaging_module (event_type, module_id, role)
  VALUES ('LOG_RECORD', 'mod-circulation-24.4.18', 'PUBLISHER') ON CONFLICT DO NOTHING;

-- They are written where somebody subscribes to them, or a relay has passed the tenant's events on.
CREATE OR REPLACE FUNCTION {schema}.takes_log_records() RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM {schema}.octavo_relay) OR EXISTS (SELECT FROM {schema}.pubsub_messaging_module
    WHERE event_type = 'LOG_RECORD' AND role = 'SUBSCRIBER' AND activated);
END $$;
