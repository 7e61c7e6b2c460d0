-- Stores a request that gets an item, with its event: `was` and `came` turn it back. Its row is held.
CREATE FUNCTION {schema}.request_served(request_id uuid, request jsonb, was jsonb, came text[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE {schema}.request AS target SET jsonb = request_served.request WHERE target.id = request_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a request that gets an item is gone, though it is held';
  END IF;
  INSERT INTO {schema}.outbox (topic, key, type, new, was, came)
    VALUES ('circulation.request', request_id, 'UPDATE', request, was, came);
END $$;
