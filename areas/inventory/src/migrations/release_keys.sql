-- What earlier releases of ours checked and R1-2025 does not: types of call numbers on items, codes of
-- holdings. The columns go with their keys and indexes. Which codes holdings name is kept all the same,
-- those that lead nowhere too: a code that comes later is in use at once.
ALTER TABLE {schema}.item
  DROP COLUMN IF EXISTS itemlevelcallnumbertypeid,
  DROP COLUMN IF EXISTS effectivecallnumbercomponents_typeid;
ALTER TABLE {schema}.holdings_record_statistical_code
  DROP CONSTRAINT IF EXISTS holdings_record_statistical_code_statistical_code_id_fkey;
-- Items are not numbered any more.
DROP TABLE IF EXISTS {schema}.item_order;
