-- What searches, facets and browsing read: narrow rows beside the records, kept by triggers in the
-- transaction of the change. The records' own tables get no index more.
CREATE TABLE {schema}.search_instance (
  id uuid PRIMARY KEY,
  source text,
  instance_type uuid,
  status uuid,
  mode uuid,
  formats uuid[] NOT NULL,
  contents uuid[] NOT NULL,
  codes uuid[] NOT NULL,
  languages text[] NOT NULL,
  tags text[] NOT NULL,
  staff boolean NOT NULL,
  discovery boolean NOT NULL,
  created text COLLATE "C",
  updated text COLLATE "C",
  date1 integer,
  title_key text COLLATE "C" NOT NULL,
  contributor_key text COLLATE "C",
  title_words tsvector NOT NULL,
  contributor_words tsvector NOT NULL,
  subject_words tsvector NOT NULL,
  keyword_words tsvector NOT NULL,
  terms tsvector NOT NULL
) WITH (toast_tuple_target = 256);
CREATE INDEX search_instance_title_key ON {schema}.search_instance (title_key, id);
CREATE INDEX search_instance_created ON {schema}.search_instance (created);
CREATE INDEX search_instance_updated ON {schema}.search_instance (updated);
CREATE INDEX search_instance_date1 ON {schema}.search_instance (date1);
CREATE INDEX search_instance_title_words ON {schema}.search_instance USING gin (title_words);
CREATE INDEX search_instance_contributor_words ON {schema}.search_instance
  USING gin (contributor_words);
CREATE INDEX search_instance_subject_words ON {schema}.search_instance USING gin (subject_words);
CREATE INDEX search_instance_keyword_words ON {schema}.search_instance USING gin (keyword_words);
CREATE INDEX search_instance_terms ON {schema}.search_instance USING gin (terms);

CREATE TABLE {schema}.search_holdings (
  id uuid PRIMARY KEY,
  instance_id uuid NOT NULL,
  location uuid,
  type uuid,
  source uuid,
  discovery boolean NOT NULL,
  tags text[] NOT NULL,
  codes uuid[] NOT NULL,
  call_number text COLLATE "C",
  call_number_key text COLLATE "C"
);
CREATE INDEX search_holdings_instance ON {schema}.search_holdings (instance_id);
CREATE INDEX search_holdings_call_number ON {schema}.search_holdings (call_number);
CREATE INDEX search_holdings_call_number_key ON {schema}.search_holdings (call_number_key);

-- No index on the status: a check-out changes it in place.
CREATE TABLE {schema}.search_item (
  id uuid PRIMARY KEY,
  holdings_id uuid NOT NULL,
  instance_id uuid NOT NULL,
  location uuid,
  material uuid,
  status text,
  discovery boolean NOT NULL,
  tags text[] NOT NULL,
  codes uuid[] NOT NULL,
  call_number_type uuid,
  call_number text COLLATE "C",
  call_number_key text COLLATE "C"
) WITH (fillfactor = 85);
CREATE INDEX search_item_holdings ON {schema}.search_item (holdings_id);
CREATE INDEX search_item_instance ON {schema}.search_item (instance_id);
CREATE INDEX search_item_call_number ON {schema}.search_item (call_number);
CREATE INDEX search_item_call_number_key ON {schema}.search_item (call_number_key);

-- Subjects, contributors and classification numbers, a row for each instance that has the heading.
CREATE TABLE {schema}.browse_heading (
  kind smallint NOT NULL,
  sort_key text COLLATE "C" NOT NULL,
  heading uuid NOT NULL,
  instance_id uuid NOT NULL,
  value text NOT NULL,
  type uuid,
  source uuid,
  authority uuid,
  relators uuid[] NOT NULL,
  PRIMARY KEY (kind, sort_key, heading, instance_id)
);
CREATE INDEX browse_heading_instance ON {schema}.browse_heading (instance_id);

CREATE TABLE {schema}.browse_call_number (
  kind smallint NOT NULL,
  sort_key text COLLATE "C" NOT NULL,
  heading uuid NOT NULL,
  item_id uuid NOT NULL,
  instance_id uuid NOT NULL,
  value text NOT NULL,
  number text,
  prefix text,
  suffix text,
  type uuid,
  location uuid,
  PRIMARY KEY (kind, sort_key, heading, item_id)
);
CREATE INDEX browse_call_number_item ON {schema}.browse_call_number (item_id);

CREATE TABLE {schema}.browse_config (
  type text NOT NULL,
  id text NOT NULL,
  kind smallint NOT NULL,
  shelving_algorithm text NOT NULL,
  type_ids uuid[] NOT NULL,
  PRIMARY KEY (type, id)
);
INSERT INTO {schema}.browse_config (type, id, kind, shelving_algorithm, type_ids) VALUES
  ('instance-classification', 'all', 3, 'default', '{}'),
  ('instance-classification', 'lc', 4, 'lc', '{ce176ace-a53e-4b4d-aa89-725ed7b2edac}'),
  ('instance-classification', 'dewey', 5, 'dewey', '{42471af9-7d25-4f3a-bf78-60d29dcf463b}'),
  ('instance-call-number', 'all', 10, 'default', '{}'),
  ('instance-call-number', 'lc', 11, 'lc', '{95467209-6d7b-468b-94df-0f5d7ad2747d}'),
  ('instance-call-number', 'dewey', 12, 'dewey', '{03dd64d0-5626-4ecd-8ece-4531e0069f35}'),
  ('instance-call-number', 'nlm', 13, 'nlm', '{054d460d-d6b9-4469-9e37-7a78a2266655}'),
  ('instance-call-number', 'sudoc', 14, 'sudoc', '{fc388041-6cd0-4806-8a74-ebe3b9ab4c6e}'),
  ('instance-call-number', 'other', 15, 'default', '{6caca63e-5651-4db6-9247-3205156e9699}');

CREATE TABLE {schema}.search_job (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  query text NOT NULL,
  entity_type text NOT NULL,
  created timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX search_job_created ON {schema}.search_job (created);

-- How far the records that were there before these tables are taken up.
CREATE TABLE {schema}.search_fill (
  kind text PRIMARY KEY,
  after uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  done boolean NOT NULL
);
INSERT INTO {schema}.search_fill (kind, done) VALUES
  ('instance', NOT EXISTS (SELECT FROM {schema}.instance)),
  ('holdings', NOT EXISTS (SELECT FROM {schema}.holdings_record)),
  ('item', NOT EXISTS (SELECT FROM {schema}.item));
