-- What patrons have borrowed: a narrow row for each open loan with a borrower, kept in the transaction
-- of the change. Blocks are found out from it, without reading loans.
CREATE TABLE {schema}.patron_loan (
  user_id uuid NOT NULL,
  loan_id uuid NOT NULL,
  due timestamptz,
  policy_id uuid,
  claimed boolean NOT NULL,
  lost boolean NOT NULL,
  recalled boolean NOT NULL,
  PRIMARY KEY (user_id, loan_id) INCLUDE (due, policy_id, claimed, lost, recalled)
);
CREATE FUNCTION {schema}.patron_loan_of(loan jsonb) RETURNS SETOF {schema}.patron_loan
LANGUAGE sql STABLE AS $$
  SELECT (loan->>'userId')::uuid, (loan->>'id')::uuid, (loan->>'dueDate')::timestamptz,
    (loan->>'loanPolicyId')::uuid,
    coalesce(loan->>'itemStatus' = 'Claimed returned', loan->>'action' = 'claimedReturned', false),
    coalesce(loan->>'itemStatus' IN ('Declared lost', 'Aged to lost'),
      loan->>'action' IN ('declaredLost', 'itemAgedToLost'), false),
    coalesce((loan->>'dueDateChangedByRecall')::boolean, false)
  WHERE lower(loan->'status'->>'name') = 'open' AND loan->>'userId' IS NOT NULL
$$;
CREATE FUNCTION {schema}.patron_loan_kept() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was {schema}.patron_loan;
  became {schema}.patron_loan;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    SELECT * INTO was FROM {schema}.patron_loan_of(OLD.jsonb);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    SELECT * INTO became FROM {schema}.patron_loan_of(NEW.jsonb);
  END IF;
  IF was IS NOT DISTINCT FROM became THEN
    RETURN NULL;
  END IF;
  IF was.user_id IS NOT NULL AND was.user_id IS DISTINCT FROM became.user_id THEN
    DELETE FROM {schema}.patron_loan
    WHERE user_id = was.user_id AND loan_id = was.loan_id;
  END IF;
  IF became.user_id IS NOT NULL THEN
    INSERT INTO {schema}.patron_loan VALUES (became.*)
    ON CONFLICT (user_id, loan_id) DO UPDATE
      SET due = excluded.due, policy_id = excluded.policy_id, claimed = excluded.claimed,
        lost = excluded.lost, recalled = excluded.recalled;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER patron_loan AFTER INSERT OR UPDATE OR DELETE ON {schema}.loan
  FOR EACH ROW EXECUTE FUNCTION {schema}.patron_loan_kept();
INSERT INTO {schema}.patron_loan
  SELECT kept.* FROM {schema}.loan CROSS JOIN LATERAL {schema}.patron_loan_of(jsonb) AS kept
  WHERE lower(public.f_unaccent(jsonb->'status'->>'name')) = 'open';
