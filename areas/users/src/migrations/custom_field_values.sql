-- Users by the custom fields they have a value of, and by that value. Those without any are not in it.
CREATE INDEX users_customfields_values_idx ON {schema}.users USING gin ((jsonb->'customFields'));
