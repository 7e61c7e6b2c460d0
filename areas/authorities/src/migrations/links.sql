-- Which field of a bibliographic record may follow which heading, and with which subfields.
CREATE TABLE {schema}.instance_authority_linking_rule (
  id integer PRIMARY KEY,
  bib_field text NOT NULL,
  authority_field text NOT NULL,
  authority_subfields text NOT NULL,
  subfield_modifications jsonb NOT NULL DEFAULT '[]',
  subfields_existence jsonb NOT NULL DEFAULT '{}',
  auto_linking boolean NOT NULL DEFAULT true
);
INSERT INTO {schema}.instance_authority_linking_rule
  (id, bib_field, authority_field, authority_subfields, subfield_modifications, subfields_existence)
VALUES
  (1, '100', '100', 'abcdjq', '[]', '{"t": false}'),
  (2, '110', '110', 'abcdgn', '[]', '{"t": false}'),
  (3, '111', '111', 'aceqdgn', '[]', '{"t": false}'),
  (4, '130', '130', 'adfghklmnoprst', '[]', '{}'),
  (5, '240', '100', 'fghklmnoprst', '[{"source": "t", "target": "a"}]', '{"t": true}'),
  (6, '240', '110', 'dfghklmnoprst', '[{"source": "t", "target": "a"}]', '{"t": true}'),
  (7, '240', '111', 'dfghklnpst', '[{"source": "t", "target": "a"}]', '{"t": true}'),
  (8, '600', '100', 'abcdgjqfhklmnoprst', '[]', '{}'),
  (9, '610', '110', 'abcdgfhklmnoprst', '[]', '{}'),
  (10, '611', '111', 'aceqfhklpstdgn', '[]', '{}'),
  (11, '630', '130', 'adfghklmnoprst', '[]', '{}'),
  (12, '650', '150', 'abg', '[]', '{}'),
  (13, '651', '151', 'ag', '[]', '{}'),
  (14, '655', '155', 'a', '[]', '{}'),
  (15, '700', '100', 'abcdjqfhklmnoprstg', '[]', '{}'),
  (16, '710', '110', 'abcfhklmoprstdgn', '[]', '{}'),
  (17, '711', '111', 'aceqfhklpstdgn', '[]', '{}'),
  (18, '730', '130', 'adfghklmnoprst', '[]', '{}'),
  (19, '800', '100', 'abcdjqfhklmnoprstg', '[]', '{}'),
  (20, '810', '110', 'abcfhklmoprstdgn', '[]', '{}'),
  (21, '811', '111', 'aceqfhklpstdgn', '[]', '{}'),
  (22, '830', '130', 'adfghklmnoprst', '[]', '{}');

-- A field of an instance's record that follows an authority. No foreign keys to records: a link is
-- taken off by the worker, after the authority is gone.
CREATE TABLE {schema}.instance_authority_link (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  instance_id uuid NOT NULL,
  authority_id uuid NOT NULL,
  linking_rule_id integer NOT NULL REFERENCES {schema}.instance_authority_linking_rule (id),
  status text NOT NULL DEFAULT 'ACTUAL',
  error_cause text,
  created timestamptz NOT NULL DEFAULT now(),
  updated timestamptz NOT NULL DEFAULT now(),
  UNIQUE (instance_id, authority_id, linking_rule_id)
);
CREATE INDEX instance_authority_link_authority ON {schema}.instance_authority_link (authority_id, id);
CREATE INDEX instance_authority_link_updated ON {schema}.instance_authority_link (updated, id);
CREATE INDEX instance_authority_link_status ON {schema}.instance_authority_link (status, updated, id);

-- What changed of an authority, for the report about headings.
CREATE TABLE {schema}.authority_data_stat (
  id uuid PRIMARY KEY,
  authority_id uuid NOT NULL,
  action text NOT NULL,
  natural_id_old text,
  natural_id_new text,
  heading_old text,
  heading_new text,
  heading_type_old text,
  heading_type_new text,
  source_file_old uuid,
  source_file_new uuid,
  started_by uuid,
  started timestamptz NOT NULL
);
CREATE INDEX authority_data_stat_started ON {schema}.authority_data_stat (action, started, id);
CREATE INDEX authority_data_stat_authority ON {schema}.authority_data_stat (authority_id);

-- Changes whose linked records have yet to follow. Whoever does a portion holds the row.
CREATE TABLE {schema}.authority_change (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  authority_id uuid NOT NULL,
  unlinks boolean NOT NULL,
  user_id uuid,
  reached bigint NOT NULL DEFAULT 0,
  until bigint NOT NULL
);
CREATE INDEX authority_change_authority ON {schema}.authority_change (authority_id);
