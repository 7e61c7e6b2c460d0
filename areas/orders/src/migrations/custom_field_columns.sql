-- An index that reads the document is written at every change of a row, and so is then each other index of it. The values of
-- custom fields lie in a column of their own, as what the declared indexes read does.
ALTER TABLE {schema}.purchase_order
  ADD COLUMN customfields_json jsonb GENERATED ALWAYS AS (jsonb->'customFields') STORED;
ALTER TABLE {schema}.po_line
  ADD COLUMN customfields_json jsonb GENERATED ALWAYS AS (jsonb->'customFields') STORED;
DROP INDEX {schema}.purchase_order_customfields_values_idx;
DROP INDEX {schema}.po_line_customfields_values_idx;
CREATE INDEX purchase_order_customfields_values_idx ON {schema}.purchase_order USING gin (customfields_json)
  WHERE customfields_json IS NOT NULL;
CREATE INDEX po_line_customfields_values_idx ON {schema}.po_line USING gin (customfields_json)
  WHERE customfields_json IS NOT NULL;
