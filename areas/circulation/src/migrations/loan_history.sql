-- Keeps the history of loans whoever writes them: I, U and D with the loan as it then was.
CREATE FUNCTION {schema}.loan_history() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  row_id uuid := gen_random_uuid();
  loan jsonb := CASE TG_OP WHEN 'DELETE' THEN OLD.jsonb ELSE NEW.jsonb END;
BEGIN
  INSERT INTO {schema}.audit_loan (id, jsonb) VALUES (row_id, jsonb_build_object(
    'id', row_id,
    'operation', left(TG_OP, 1),
    'loan', loan,
    'createdDate', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')
  ));
  RETURN NULL;
END $$;
CREATE TRIGGER loan_history AFTER INSERT OR UPDATE OR DELETE ON {schema}.loan
  FOR EACH ROW EXECUTE FUNCTION {schema}.loan_history();
