-- What rows are filtered by, so that a value that few records have is found without reading them all.
-- Lists and flags are empty in most records, and cost nothing there. The status of items has no index
-- on purpose: a check-out changes it in place.
CREATE INDEX search_instance_source ON {schema}.search_instance (source);
CREATE INDEX search_instance_instance_type ON {schema}.search_instance (instance_type);
CREATE INDEX search_instance_status ON {schema}.search_instance (status);
CREATE INDEX search_instance_mode ON {schema}.search_instance (mode);
CREATE INDEX search_instance_formats ON {schema}.search_instance USING gin (formats)
  WHERE formats <> '{}';
CREATE INDEX search_instance_contents ON {schema}.search_instance USING gin (contents)
  WHERE contents <> '{}';
CREATE INDEX search_instance_codes ON {schema}.search_instance USING gin (codes) WHERE codes <> '{}';
CREATE INDEX search_instance_languages ON {schema}.search_instance USING gin (languages)
  WHERE languages <> '{}';
CREATE INDEX search_instance_tags ON {schema}.search_instance USING gin (tags) WHERE tags <> '{}';
CREATE INDEX search_instance_staff ON {schema}.search_instance (id) WHERE staff;
CREATE INDEX search_instance_discovery ON {schema}.search_instance (id) WHERE discovery;

CREATE INDEX search_holdings_location ON {schema}.search_holdings (location);
CREATE INDEX search_holdings_type ON {schema}.search_holdings (type) WHERE type IS NOT NULL;
CREATE INDEX search_holdings_source ON {schema}.search_holdings (source) WHERE source IS NOT NULL;
CREATE INDEX search_holdings_codes ON {schema}.search_holdings USING gin (codes) WHERE codes <> '{}';
CREATE INDEX search_holdings_tags ON {schema}.search_holdings USING gin (tags) WHERE tags <> '{}';
CREATE INDEX search_holdings_discovery ON {schema}.search_holdings (id) WHERE discovery;

CREATE INDEX search_item_location ON {schema}.search_item (location);
CREATE INDEX search_item_material ON {schema}.search_item (material);
CREATE INDEX search_item_call_number_type ON {schema}.search_item (call_number_type)
  WHERE call_number_type IS NOT NULL;
CREATE INDEX search_item_codes ON {schema}.search_item USING gin (codes) WHERE codes <> '{}';
CREATE INDEX search_item_tags ON {schema}.search_item USING gin (tags) WHERE tags <> '{}';
CREATE INDEX search_item_discovery ON {schema}.search_item (id) WHERE discovery;
