-- The order of an order line that a record made.
ALTER TABLE {schema}.import_journal ADD COLUMN order_id text;
