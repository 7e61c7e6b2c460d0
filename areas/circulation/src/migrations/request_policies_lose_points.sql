-- Request policies name no service point that is no place to pick up any more: a kind of request whose
-- last place goes is not allowed any more, and lists that are all empty go, too. A kind without a list
-- keeps having none.
CREATE FUNCTION {schema}.request_policies_lose_point() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  policy record;
  changed jsonb;
  kind text;
BEGIN
  FOR policy IN SELECT id, jsonb FROM {schema}.request_policy
    WHERE jsonb_path_exists(jsonb, '$.allowedServicePoints.*[*] ? (@ == $point)',
      jsonb_build_object('point', OLD.id))
    ORDER BY id FOR NO KEY UPDATE
  LOOP
    changed := policy.jsonb;
    FOREACH kind IN ARRAY ARRAY['Hold', 'Page', 'Recall'] LOOP
      IF changed->'allowedServicePoints'->kind ? OLD.id::text THEN
        IF jsonb_array_length(changed->'allowedServicePoints'->kind) > 1 THEN
          changed := jsonb_set(changed, ARRAY['allowedServicePoints', kind],
            (changed->'allowedServicePoints'->kind) - OLD.id::text);
        ELSE
          changed := changed #- ARRAY['allowedServicePoints', kind];
          IF jsonb_typeof(changed->'requestTypes') = 'array' THEN
            changed := jsonb_set(changed, '{requestTypes}', (changed->'requestTypes') - kind);
          END IF;
        END IF;
      END IF;
    END LOOP;
    IF NOT jsonb_path_exists(changed, '$.allowedServicePoints.*[*]') THEN
      changed := changed - 'allowedServicePoints';
    END IF;
    UPDATE {schema}.request_policy SET jsonb = changed WHERE id = policy.id;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER request_policies_lose_point AFTER DELETE ON {schema}.service_point
  FOR EACH ROW EXECUTE FUNCTION {schema}.request_policies_lose_point();
CREATE TRIGGER request_policies_lose_closed_point AFTER UPDATE ON {schema}.service_point
  FOR EACH ROW WHEN (OLD.jsonb->'pickupLocation' = 'true'
    AND NEW.jsonb->'pickupLocation' IS DISTINCT FROM 'true')
  EXECUTE FUNCTION {schema}.request_policies_lose_point();
