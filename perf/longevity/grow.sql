-- Closed loans with their history, as desks would have left them over years; and open ones. :schema,
-- :loans, :open. Items and patrons are those of the library; the triggers' rows are made beside, in sets.
SET session_replication_role = replica;
SET statement_timeout = 0;
SET synchronous_commit = off;
SET work_mem = '256MB';
SET maintenance_work_mem = '1GB';
CREATE TEMP TABLE patron AS
  SELECT row_number() OVER (ORDER BY id) - 1 AS n, id FROM :schema.users WHERE jsonb ? 'patronGroup';
CREATE TEMP TABLE thing AS
  SELECT row_number() OVER (ORDER BY id) - 1 AS n, id, jsonb->>'effectiveLocationId' AS location FROM :schema.item
  WHERE jsonb->'status'->>'name' = 'Available';
CREATE INDEX ON patron (n);
CREATE INDEX ON thing (n);
ANALYZE patron;
ANALYZE thing;
CREATE TEMP TABLE grown AS
  SELECT gen_random_uuid() AS id, n,
    '2016-01-01T09:00:00Z'::timestamptz + n * (interval '10 years' / :loans) AS lent
  FROM generate_series(1, :loans) AS n;
INSERT INTO :schema.loan (id, jsonb)
  SELECT grown.id, jsonb_build_object('id', grown.id, 'userId', patron.id, 'itemId', thing.id,
    'itemEffectiveLocationIdAtCheckOut', thing.location, 'status', jsonb_build_object('name', 'Closed'),
    'action', 'checkedin', 'itemStatus', 'Available', 'isDcb', false,
    'loanDate', to_char(lent, 'YYYY-MM-DD"T"HH24:MI:SS".000+00:00"'),
    'dueDate', to_char(lent + interval '28 days', 'YYYY-MM-DD"T"HH24:MI:SS".000+00:00"'),
    'returnDate', to_char(lent + interval '20 days', 'YYYY-MM-DD"T"HH24:MI:SS".000+00:00"'),
    'systemReturnDate', to_char(lent + interval '20 days', 'YYYY-MM-DD"T"HH24:MI:SS".000+00:00"'),
    'loanPolicyId', policy.id, 'overdueFinePolicyId', overdue.id, 'lostItemPolicyId', lost.id,
    'checkoutServicePointId', point.id, 'checkinServicePointId', point.id,
    'metadata', jsonb_build_object('createdDate', to_char(lent, 'YYYY-MM-DD"T"HH24:MI:SS".000+00:00"'),
      'updatedDate', to_char(lent + interval '20 days', 'YYYY-MM-DD"T"HH24:MI:SS".000+00:00"')))
  FROM grown
  JOIN patron ON patron.n = grown.n % (SELECT count(*) FROM patron)
  JOIN thing ON thing.n = grown.n % (SELECT count(*) FROM thing),
  (SELECT id FROM :schema.loan_policy LIMIT 1) AS policy, (SELECT id FROM :schema.overdue_fine_policy LIMIT 1) AS overdue,
  (SELECT id FROM :schema.lost_item_fee_policy LIMIT 1) AS lost, (SELECT id FROM :schema.service_point LIMIT 1) AS point;
INSERT INTO :schema.audit_loan (id, jsonb)
  SELECT id, jsonb_build_object('id', id, 'operation', operation, 'createdDate', loan->at, 'loan', loan)
  FROM (SELECT gen_random_uuid() AS id, operation, at, loan.jsonb AS loan
    FROM grown JOIN :schema.loan AS loan ON loan.id = grown.id
    CROSS JOIN (VALUES ('I', 'loanDate'), ('U', 'returnDate')) AS line (operation, at)) AS lines;
RESET session_replication_role;
VACUUM ANALYZE :schema.loan;
VACUUM ANALYZE :schema.audit_loan;
