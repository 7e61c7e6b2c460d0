-- As in log_records.sql, with events of two modules: `logRecord` is one of mod-circulation, `feeRecord` one of
-- mod-feesfines. Where no line has an event, nobody is looked for who takes them.
CREATE OR REPLACE FUNCTION {schema}.add_log_lines(lines jsonb[], operator uuid)
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
    SELECT line.id, line.event - ARRAY['logRecord', 'feeRecord']
      || jsonb_build_object('id', line.id, 'eventId', line.event_id) || coalesce(source, '{}')
    FROM (SELECT gen_random_uuid() AS id, gen_random_uuid() AS event_id, one AS event
      FROM unnest(lines) AS _(one)) AS line;
  -- As an expression: PL/pgSQL starts no query for that.
  IF jsonb_path_exists(to_jsonb(lines), '$[*] ? (exists(@.logRecord) || exists(@.feeRecord))')
      AND {schema}.takes_log_records() THEN
    INSERT INTO {schema}.outbox (topic, key, type, new)
      SELECT CASE WHEN event ? 'feeRecord' THEN 'feesfines.LOG_RECORD' ELSE 'circulation.LOG_RECORD' END,
        coalesce((event->'items'->0->>'itemId')::uuid, gen_random_uuid()), 'CREATE',
        {schema}.log_record(coalesce(event->'feeRecord', event->'logRecord'), source)
      FROM unnest(lines) WITH ORDINALITY AS _(event, at)
      WHERE event ?| ARRAY['logRecord', 'feeRecord'] ORDER BY at;
  END IF;
  RETURN cardinality(lines);
END $$;
