-- The numbers of orders. A number that is taken and not used is gone, as in FOLIO.
CREATE SEQUENCE {schema}.order_number_seq START WITH 10000;
