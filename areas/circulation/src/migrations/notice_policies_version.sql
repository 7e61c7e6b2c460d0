-- Patron notice policies are kept in memory like the other policies: their changes count too.
CREATE TRIGGER circulation_house_changed
  AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON {schema}.patron_notice_policy
  FOR EACH STATEMENT EXECUTE FUNCTION {schema}.circulation_house_changed();
