-- What an entry prints, apart from the entry: lists do not show it, and it is large.
CREATE TABLE {schema}.printing_content (
  id uuid PRIMARY KEY REFERENCES {schema}.printing (id) ON DELETE CASCADE,
  content text NOT NULL
);
