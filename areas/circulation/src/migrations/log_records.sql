-- Whether anybody takes the events LOG_RECORD: there is one for each act, and few installations have a use for
-- them. Who passes events on puts its answer in the place of this one.
CREATE FUNCTION {schema}.takes_log_records() RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN false;
END $$;

-- Completes an event LOG_RECORD: with who acts, or with the item of a request as it is now.
CREATE FUNCTION {schema}.log_record(told jsonb, source jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  kind text := told->>'logEventType';
  of_item jsonb;
BEGIN
  IF kind LIKE 'CHECK\_%' THEN
    IF told ? 'proxyUserId' THEN
      told := jsonb_strip_nulls((told - 'proxyUserId') || jsonb_build_object('proxyBarcode',
        (SELECT jsonb->'barcode' FROM {schema}.users WHERE id = (told->>'proxyUserId')::uuid)));
    END IF;
    told := told || coalesce(source, '{}');
    IF kind LIKE 'CHECK\_OUT\_%' THEN
      told := told || jsonb_build_object('payload', told - 'logEventType' - 'requests');
    END IF;
  ELSIF kind LIKE 'REQUEST\_%' AND told->'payload' ? 'itemId' THEN
    SELECT jsonb_strip_nulls(jsonb_build_object('servicePointId', item.jsonb->'lastCheckIn'->'servicePointId',
        'itemBarcode', item.jsonb->'barcode', 'itemStatusName', item.jsonb->'status'->'name',
        'destinationServicePoint', destination.jsonb->'name', 'source', material_type.jsonb->'source'))
      INTO of_item
      FROM {schema}.item
      LEFT JOIN {schema}.service_point AS destination
        ON destination.id = (item.jsonb->>'inTransitDestinationServicePointId')::uuid
        AND item.jsonb->'status'->>'name' = 'In transit'
      LEFT JOIN {schema}.material_type ON material_type.id = (item.jsonb->>'materialTypeId')::uuid
      WHERE item.id = (told->'payload'->>'itemId')::uuid;
    told := jsonb_set(told, '{payload}', coalesce(of_item, '{}') || (told->'payload'));
  ELSIF kind = 'FEE_FINE' THEN
    told := jsonb_set(told, '{payload}', coalesce(source, '{}') || (told->'payload'));
  END IF;
  RETURN told;
END $$;

-- Adds lines to the circulation log, in the name of an operator, or of nobody; and the events that they hold to
-- the outbox, if anybody takes them.
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
    SELECT line.id, line.told - 'logRecord' || jsonb_build_object('id', line.id, 'eventId', line.event_id)
      || coalesce(source, '{}')
    FROM (SELECT gen_random_uuid() AS id, gen_random_uuid() AS event_id, one AS told
      FROM unnest(lines) AS _(one)) AS line;
  IF {schema}.takes_log_records() THEN
    INSERT INTO {schema}.outbox (topic, key, type, new)
      SELECT CASE WHEN told->'logRecord'->>'logEventType' = 'FEE_FINE' THEN 'feesfines.LOG_RECORD'
          ELSE 'circulation.LOG_RECORD' END, coalesce((told->'items'->0->>'itemId')::uuid, gen_random_uuid()),
        'CREATE', {schema}.log_record(told->'logRecord', source)
      FROM unnest(lines) WITH ORDINALITY AS _(told, at) WHERE told ? 'logRecord' ORDER BY at;
  END IF;
  RETURN cardinality(lines);
END $$;
