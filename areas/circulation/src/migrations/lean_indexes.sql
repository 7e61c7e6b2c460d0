-- Indexes that earlier releases made and none of the product's statements used. An operator can apply
-- them where a library's own searches need them; the advice names them.
DROP INDEX IF EXISTS {schema}.loan_loanpolicyid_idx;
DROP INDEX IF EXISTS {schema}.loan_checkinservicepointid_idx;
DROP INDEX IF EXISTS {schema}.loan_checkoutservicepointid_idx;
DROP INDEX IF EXISTS {schema}.audit_loan_loan_userid_idx;
DROP INDEX IF EXISTS {schema}.audit_loan_createddate_idx;
DROP INDEX IF EXISTS {schema}.circulation_logs_servicepointid_idx;
DROP INDEX IF EXISTS {schema}.circulation_logs_description_idx_gin;
DROP INDEX IF EXISTS {schema}.loan_loandate_idx;
DROP INDEX IF EXISTS {schema}.loan_action_idx;
DROP INDEX IF EXISTS {schema}.loan_agedtolostdelayedbilling_lostitemhasbeenbilled_idx;
DROP INDEX IF EXISTS {schema}.loan_agedtolostdelayedbilling_datelostitemshouldbebilled_idx;
DROP INDEX IF EXISTS {schema}.audit_loan_loan_action_idx;
