-- Remembers when a request that waited for pickup was closed without one: the hold shelf
-- clearance report asks for it.
CREATE FUNCTION {schema}.request_closed_pickup() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.jsonb := jsonb_set(NEW.jsonb, '{awaitingPickupRequestClosedDate}', to_jsonb(
    to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')));
  RETURN NEW;
END $$;
CREATE TRIGGER request_closed_pickup BEFORE UPDATE ON {schema}.request FOR EACH ROW
  WHEN (OLD.jsonb->>'status' = 'Open - Awaiting pickup'
    AND NEW.jsonb->>'status' IN ('Closed - Pickup expired', 'Closed - Cancelled'))
  EXECUTE FUNCTION {schema}.request_closed_pickup();
