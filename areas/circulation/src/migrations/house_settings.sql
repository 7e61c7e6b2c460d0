-- Whether requests can be for a title is set once, too: a change of the settings, or of the
-- configuration that older releases kept them in, counts as one of the house.
CREATE TRIGGER circulation_house_changed
  AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON {schema}.circulation_settings
  FOR EACH STATEMENT EXECUTE FUNCTION {schema}.circulation_house_changed();
CREATE TRIGGER circulation_house_changed
  AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON {schema}.config_data
  FOR EACH STATEMENT EXECUTE FUNCTION {schema}.circulation_house_changed();
