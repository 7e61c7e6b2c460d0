-- What patrons owe: a narrow row for each open account of which something remains, kept in the
-- transaction of the change. Blocks are found out from it, without reading accounts.
CREATE TABLE {schema}.patron_debt (
  user_id uuid NOT NULL,
  account_id uuid NOT NULL,
  loan_id uuid,
  remaining numeric NOT NULL,
  PRIMARY KEY (user_id, account_id) INCLUDE (loan_id, remaining)
);
CREATE FUNCTION {schema}.patron_debt_of(account jsonb) RETURNS SETOF {schema}.patron_debt
LANGUAGE sql STABLE AS $$
  SELECT (account->>'userId')::uuid, (account->>'id')::uuid, (account->>'loanId')::uuid,
    (account->>'remaining')::numeric
  WHERE lower(account->'status'->>'name') = 'open' AND account->>'userId' IS NOT NULL
    AND (account->>'remaining')::numeric <> 0
$$;
CREATE FUNCTION {schema}.patron_debt_kept() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was {schema}.patron_debt;
  became {schema}.patron_debt;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    SELECT * INTO was FROM {schema}.patron_debt_of(OLD.jsonb);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    SELECT * INTO became FROM {schema}.patron_debt_of(NEW.jsonb);
  END IF;
  IF was IS NOT DISTINCT FROM became THEN
    RETURN NULL;
  END IF;
  IF was.user_id IS NOT NULL AND was.user_id IS DISTINCT FROM became.user_id THEN
    DELETE FROM {schema}.patron_debt
    WHERE user_id = was.user_id AND account_id = was.account_id;
  END IF;
  IF became.user_id IS NOT NULL THEN
    INSERT INTO {schema}.patron_debt VALUES (became.*)
    ON CONFLICT (user_id, account_id) DO UPDATE
      SET loan_id = excluded.loan_id, remaining = excluded.remaining;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER patron_debt AFTER INSERT OR UPDATE OR DELETE ON {schema}.accounts
  FOR EACH ROW EXECUTE FUNCTION {schema}.patron_debt_kept();
INSERT INTO {schema}.patron_debt
  SELECT debt.* FROM {schema}.accounts CROSS JOIN LATERAL {schema}.patron_debt_of(jsonb) AS debt;
