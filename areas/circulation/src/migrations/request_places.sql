-- Gives requests their places in a queue, one after the other in the order of the arrays: whoever
-- names them so that each place is free when it is taken needs no second pass. `anew` takes all
-- places away first. A place that is null is only taken away. Gives how many requests there were.
CREATE FUNCTION {schema}.request_places(
  ids uuid[], places bigint[], changed jsonb, anew boolean
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  many integer := coalesce(cardinality(ids), 0);
BEGIN
  IF anew AND many > 0 THEN
    UPDATE {schema}.request SET jsonb = jsonb - 'position' WHERE id = ANY(ids);
  END IF;
  FOR at IN 1..many LOOP
    IF places[at] IS NULL THEN
      UPDATE {schema}.request SET jsonb = jsonb - 'position' WHERE id = ids[at];
    ELSE
      UPDATE {schema}.request SET jsonb = jsonb || jsonb_build_object('position', places[at],
        'metadata', coalesce(jsonb->'metadata', '{}') || changed) WHERE id = ids[at];
    END IF;
  END LOOP;
  RETURN many;
END $$;
