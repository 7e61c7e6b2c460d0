-- Which profiles stand below which. A wrapper is a node of trees: of a job and of an action there is one,
-- of a match and of a mapping one for each place where it stands. An association is an edge.
CREATE TABLE {schema}.profile_wrappers (
  id uuid PRIMARY KEY,
  profile_type text NOT NULL,
  profile_id uuid NOT NULL
);
CREATE INDEX profile_wrappers_profile_idx ON {schema}.profile_wrappers (profile_id);
CREATE UNIQUE INDEX profile_wrappers_one_node_idx ON {schema}.profile_wrappers (profile_id)
  WHERE profile_type IN ('JOB_PROFILE', 'ACTION_PROFILE');
CREATE TABLE {schema}.profile_associations (
  id uuid PRIMARY KEY,
  added bigint GENERATED ALWAYS AS IDENTITY,
  job_profile_id uuid,
  master_wrapper_id uuid NOT NULL REFERENCES {schema}.profile_wrappers ON DELETE CASCADE,
  detail_wrapper_id uuid NOT NULL REFERENCES {schema}.profile_wrappers ON DELETE CASCADE,
  master_profile_id uuid NOT NULL,
  detail_profile_id uuid NOT NULL,
  master_profile_type text NOT NULL,
  detail_profile_type text NOT NULL,
  detail_order integer NOT NULL,
  react_to text
);
-- Both ways, by node and by profile.
CREATE INDEX profile_associations_master_wrapper_idx ON {schema}.profile_associations (master_wrapper_id);
CREATE INDEX profile_associations_detail_wrapper_idx ON {schema}.profile_associations (detail_wrapper_id);
CREATE INDEX profile_associations_master_idx ON {schema}.profile_associations (master_profile_id);
CREATE INDEX profile_associations_detail_idx ON {schema}.profile_associations (detail_profile_id);
CREATE INDEX profile_associations_job_idx ON {schema}.profile_associations (job_profile_id)
  WHERE job_profile_id IS NOT NULL;
CREATE INDEX profile_associations_types_idx
  ON {schema}.profile_associations (master_profile_type, detail_profile_type);
-- The same profile stands at one place once.
CREATE UNIQUE INDEX profile_associations_place_idx ON {schema}.profile_associations
  (master_wrapper_id, detail_wrapper_id, job_profile_id, react_to, detail_order) NULLS NOT DISTINCT;
-- A node that nothing else can stand for goes with the edge that leads to it, and all below it with it.
CREATE FUNCTION {schema}.profile_association_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM {schema}.profile_wrappers AS node WHERE node.id = OLD.detail_wrapper_id
    AND node.profile_type IN ('MATCH_PROFILE', 'MAPPING_PROFILE')
    AND NOT EXISTS (SELECT 1 FROM {schema}.profile_associations AS other
                    WHERE other.detail_wrapper_id = node.id);
  RETURN NULL;
END $$;
CREATE TRIGGER profile_association_gone AFTER DELETE ON {schema}.profile_associations
  FOR EACH ROW EXECUTE FUNCTION {schema}.profile_association_gone();
-- A profile that is deleted takes its nodes along.
CREATE FUNCTION {schema}.profile_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM {schema}.profile_wrappers WHERE profile_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER profile_gone AFTER DELETE ON {schema}.job_profiles
  FOR EACH ROW EXECUTE FUNCTION {schema}.profile_gone();
CREATE TRIGGER profile_gone AFTER DELETE ON {schema}.match_profiles
  FOR EACH ROW EXECUTE FUNCTION {schema}.profile_gone();
CREATE TRIGGER profile_gone AFTER DELETE ON {schema}.action_profiles
  FOR EACH ROW EXECUTE FUNCTION {schema}.profile_gone();
CREATE TRIGGER profile_gone AFTER DELETE ON {schema}.mapping_profiles
  FOR EACH ROW EXECUTE FUNCTION {schema}.profile_gone();
