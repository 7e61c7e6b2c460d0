-- How far the places of items within their holdings have been given out. A row comes with the first
-- item that is stored after this; it goes on from the items that are there.
CREATE TABLE {schema}.item_order (
  holdings_id uuid PRIMARY KEY REFERENCES {schema}.holdings_record ON DELETE CASCADE,
  last bigint NOT NULL
);
