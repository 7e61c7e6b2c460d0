-- FOLIO's joined views, each with the columns by which its lists are narrowed.

-- Sums of allocations and transfers between funds; the first allocation from nowhere of each fund and year,
-- which is the budget's initial one, is left out.
CREATE VIEW {schema}.transaction_totals_view AS
SELECT md5(concat_ws(' ', fiscalyearid, transactiontype_text, currency, fromfundid, tofundid))::uuid AS id,
  fiscalyearid, fromfundid, tofundid,
  jsonb_strip_nulls(jsonb_build_object('fiscalYearId', fiscalyearid, 'transactionType', transactiontype_text,
    'currency', currency, 'fromFundId', fromfundid, 'toFundId', tofundid, 'amount', sum(amount))) AS jsonb
FROM (
  SELECT fiscalyearid, transactiontype_text, jsonb->>'currency' AS currency, fromfundid, tofundid,
    (jsonb->>'amount')::numeric AS amount
  FROM {schema}.transaction AS moved
  WHERE transactiontype_text IN ('Allocation', 'Transfer', 'Rollover transfer')
    AND NOT (transactiontype_text = 'Allocation' AND fromfundid IS NULL
      AND id = (SELECT first.id FROM {schema}.transaction AS first
        WHERE first.tofundid = moved.tofundid AND first.fiscalyearid = moved.fiscalyearid
          AND first.transactiontype_text = 'Allocation' AND first.fromfundid IS NULL
        ORDER BY first.jsonb->'metadata'->>'createdDate', first.id LIMIT 1))
) AS moved
GROUP BY fiscalyearid, transactiontype_text, currency, fromfundid, tofundid;

-- Budgets of funds by the groups that these belong to.
CREATE VIEW {schema}.group_budgets_view AS
SELECT place.id, place.groupid, place.fundid, place.fiscalyearid, budget.id AS budgetid,
  fund.ledgerid, budget.jsonb
FROM {schema}.group_fund_fiscal_year AS place
JOIN {schema}.budget AS budget ON budget.id = place.budgetid
JOIN {schema}.fund AS fund ON fund.id = place.fundid;

-- Rollovers with their progress.
CREATE VIEW {schema}.ledger_rollover_logs_view AS
SELECT rollover.id, rollover.ledgerid,
  jsonb_strip_nulls(jsonb_build_object('ledgerRolloverId', rollover.id, 'ledgerId', rollover.ledgerid,
    'startDate', rollover.jsonb->'metadata'->'createdDate',
    'endDate', CASE WHEN progress.jsonb->>'overallRolloverStatus' IN ('Success', 'Error')
      THEN progress.jsonb->'metadata'->'updatedDate' END,
    'rolloverStatus', coalesce(progress.jsonb->'overallRolloverStatus', '"Not Started"'),
    'ledgerRolloverType', coalesce(rollover.jsonb->'rolloverType', '"Commit"'))) AS jsonb
FROM {schema}.ledger_fiscal_year_rollover AS rollover
LEFT JOIN {schema}.ledger_fiscal_year_rollover_progress AS progress
  ON progress.ledgerrolloverid = rollover.id;

-- Funds with their ledgers, groups and budgets, one row for each fiscal year in which there is either.
CREATE VIEW {schema}.finance_data_view AS
SELECT md5(concat_ws(' ', fund.id, year.id, place.groupid))::uuid AS id,
  fund.id AS fundid, year.id AS fiscalyearid, fund.ledgerid, place.groupid, budget.id AS budgetid,
  fund.jsonb->'acqUnitIds' AS units, ledger.jsonb->'acqUnitIds' AS ledger_units,
  jsonb_strip_nulls(jsonb_build_object('fiscalYearId', year.id, 'fiscalYearCode', year.jsonb->'code',
    'fundId', fund.id, 'fundCode', fund.jsonb->'code', 'fundName', fund.jsonb->'name',
    'fundDescription', fund.jsonb->'description', 'fundStatus', fund.jsonb->'fundStatus',
    'fundTags', fund.jsonb->'tags', 'fundAcqUnitIds', fund.jsonb->'acqUnitIds',
    'ledgerId', ledger.id, 'ledgerCode', ledger.jsonb->'code',
    'budgetId', budget.id, 'budgetName', budget.jsonb->'name',
    'budgetStatus', budget.jsonb->'budgetStatus',
    'budgetInitialAllocation', budget.jsonb->'initialAllocation',
    'budgetCurrentAllocation', budget.jsonb->'allocated',
    'budgetAllowableExpenditure', budget.jsonb->'allowableExpenditure',
    'budgetAllowableEncumbrance', budget.jsonb->'allowableEncumbrance',
    'budgetAcqUnitIds', budget.jsonb->'acqUnitIds',
    'groupId', place.groupid, 'groupCode', groups.jsonb->'code')) AS jsonb
FROM {schema}.fund AS fund
JOIN {schema}.ledger AS ledger ON ledger.id = fund.ledgerid
JOIN {schema}.fiscal_year AS first ON first.id = ledger.fiscalyearoneid
JOIN {schema}.fiscal_year AS year ON year.jsonb->>'series' = first.jsonb->>'series'
LEFT JOIN {schema}.budget AS budget ON budget.fundid = fund.id AND budget.fiscalyearid = year.id
LEFT JOIN {schema}.group_fund_fiscal_year AS place
  ON place.fundid = fund.id AND place.fiscalyearid = year.id
LEFT JOIN {schema}.fund_group AS groups ON groups.id = place.groupid;
