-- Orders and lines by the custom fields they have a value of, and by that value. Those without any are not in it.
CREATE INDEX purchase_order_customfields_values_idx ON {schema}.purchase_order USING gin ((jsonb->'customFields'));
CREATE INDEX po_line_customfields_values_idx ON {schema}.po_line USING gin ((jsonb->'customFields'));
