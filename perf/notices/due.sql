-- Notices of due dates that are due, on open loans by turns. :schema, :many, :template.
SET statement_timeout = 0;
INSERT INTO :schema.template (id, jsonb) SELECT :'template'::uuid, jsonb_build_object(
    'id', :'template', 'name', 'Bench', 'active', true, 'category', 'Loan',
    'templateResolver', 'mustache', 'outputFormats', jsonb_build_array('text/html'),
    'localizedTemplates', jsonb_build_object('en', jsonb_build_object(
      'header', '{{item.title}} is due', 'body', '<p>{{user.firstName}}: {{item.title}}, {{item.barcode}}, '
        || '{{item.callNumber}}, due {{loan.dueDate}}, {{loan.numberOfRenewalsRemaining}} renewals left</p>')))
  ON CONFLICT (id) DO NOTHING;
CREATE TEMP TABLE lent AS SELECT row_number() OVER (ORDER BY id) - 1 AS n, id, jsonb->>'userId' AS user_id
  FROM :schema.loan WHERE lower(public.f_unaccent(jsonb->'status'->>'name')) = 'open' AND jsonb ? 'userId'
  LIMIT :many;
CREATE TEMP TABLE made AS SELECT gen_random_uuid() AS id,
    number % (SELECT greatest(count(*), 1) FROM lent) AS n
  FROM generate_series(1, :many) AS number;
INSERT INTO :schema.scheduled_notice (id, jsonb)
  SELECT made.id, jsonb_build_object('id', made.id, 'loanId', lent.id, 'recipientUserId', lent.user_id,
    'triggeringEvent', 'Due date', 'nextRunTime', '2020-01-01T00:00:00.000+00:00',
    'noticeConfig', jsonb_build_object('timing', 'After', 'templateId', :'template', 'format', 'Email',
      'sendInRealTime', true))
  FROM made JOIN lent USING (n);
VACUUM ANALYZE :schema.scheduled_notice;
