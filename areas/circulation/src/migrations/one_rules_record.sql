-- A tenant has one set of rules.
CREATE UNIQUE INDEX circulation_rules_one_idx ON {schema}.circulation_rules ((true));
