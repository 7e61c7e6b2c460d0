-- The orders of an import by their number in its job, how many lines they are to have, and how many of these
-- were processed. An order is opened with its last line.
CREATE TABLE {schema}.imported_orders (
  job uuid NOT NULL,
  number bigint NOT NULL,
  order_id uuid,
  lines bigint NOT NULL,
  processed bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (job, number)
);
