-- Request policies are kept in memory too: a change counts the version up.
CREATE TRIGGER circulation_house_changed
  AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON {schema}.request_policy
  FOR EACH STATEMENT EXECUTE FUNCTION {schema}.circulation_house_changed();
