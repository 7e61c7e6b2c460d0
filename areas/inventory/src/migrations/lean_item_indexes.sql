-- Indexes of FOLIO that no statement of the product uses (`on_demand`), and the columns that only they read: every
-- new item wrote an entry in each, and PostgreSQL sets up each generated column anew for each statement.
DROP INDEX IF EXISTS {schema}.item_callnumberandsuffix_idx;
DROP INDEX IF EXISTS {schema}.item_fullcallnumber_idx;
ALTER TABLE {schema}.item
  DROP COLUMN IF EXISTS effectivecallnumbercomponents_suffix_text,
  DROP COLUMN IF EXISTS effectivecallnumbercomponents_prefix_text;
