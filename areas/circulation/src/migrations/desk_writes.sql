-- Adds lines to the circulation log, in the name of an operator, or of nobody.
CREATE FUNCTION {schema}.add_log_lines(lines jsonb[], operator uuid)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  source jsonb := '{"source": "System"}';
BEGIN
  IF operator IS NOT NULL THEN
    source := (SELECT jsonb_strip_nulls(jsonb_build_object('source',
        coalesce(nullif(trim(jsonb->'personal'->>'lastName'), '')
          || ', ' || nullif(trim(jsonb->'personal'->>'firstName'), ''), jsonb->>'username')))
      FROM {schema}.users WHERE id = operator);
  END IF;
  INSERT INTO {schema}.circulation_logs (id, jsonb)
    SELECT line.id, line.told || jsonb_build_object('id', line.id, 'eventId', line.event_id)
      || coalesce(source, '{}')
    FROM (SELECT gen_random_uuid() AS id, gen_random_uuid() AS event_id, one AS told
      FROM unnest(lines) AS _(one)) AS line;
  RETURN cardinality(lines);
END $$;

-- What an act at the desk leaves, in one call: the item; its loan, made or changed; the check-in; the
-- patron's visit; lines of the circulation log; and the events of all of these. What there is not is JSON's
-- null; `loan_was` tells a loan that changes from a new one. The rows of item and loan are held.
CREATE FUNCTION {schema}.desk_writes(
  item_id uuid, item jsonb, item_was jsonb, item_came text[], item_told jsonb,
  loan jsonb, loan_was jsonb, loan_came text[], check_in jsonb, session jsonb,
  event_topic text, event_key uuid, event jsonb, lines jsonb[], operator uuid)
RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  loan_id uuid := (loan->>'id')::uuid;
  check_in_id uuid := (check_in->>'id')::uuid;
  session_id uuid := (session->>'id')::uuid;
  is_new_loan boolean := loan_was = 'null';
  added integer;
BEGIN
  -- The item before its loan: the loan's history keeps the item's status.
  UPDATE {schema}.item AS target SET jsonb = desk_writes.item WHERE target.id = item_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the item of an act at the desk is gone, though it is held';
  END IF;
  IF loan_id IS NOT NULL THEN
    IF is_new_loan THEN
      INSERT INTO {schema}.loan (id, jsonb) VALUES (loan_id, desk_writes.loan);
    ELSE
      UPDATE {schema}.loan AS target SET jsonb = desk_writes.loan WHERE target.id = loan_id;
    END IF;
  END IF;
  IF check_in_id IS NOT NULL THEN
    INSERT INTO {schema}.check_in (id, jsonb) VALUES (check_in_id, desk_writes.check_in);
  END IF;
  INSERT INTO {schema}.outbox (topic, key, type, new, was, came)
    SELECT told.topic, told.key, told.type, told.new, told.was, told.came FROM (VALUES
      ('inventory.item', item_id, 'UPDATE', desk_writes.item || item_told, item_was, item_came),
      ('circulation.loan', loan_id, CASE WHEN is_new_loan THEN 'CREATE' ELSE 'UPDATE' END,
        desk_writes.loan, nullif(loan_was, 'null'), loan_came),
      ('circulation.check-in', check_in_id, 'CREATE', desk_writes.check_in, NULL, NULL),
      (event_topic, event_key, 'CREATE', event, NULL, NULL)
    ) AS told(topic, key, type, new, was, came) WHERE told.key IS NOT NULL;
  IF session_id IS NOT NULL THEN
    INSERT INTO {schema}.patron_action_session (id, jsonb) VALUES (session_id, session);
  END IF;
  IF cardinality(lines) > 0 THEN
    -- As an expression: PL/pgSQL starts no query for that.
    added := {schema}.add_log_lines(lines, operator);
  END IF;
END $$;
