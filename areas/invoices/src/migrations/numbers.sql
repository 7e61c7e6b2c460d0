-- The numbers of invoices and vouchers. They are taken outside of transactions: a refused approval leaves a gap.
CREATE SEQUENCE {schema}.invoice_number MINVALUE 0 NO MAXVALUE START WITH 10000 CACHE 1 NO CYCLE;
CREATE SEQUENCE {schema}.voucher_number MINVALUE 0 NO MAXVALUE START WITH 0 CACHE 1 NO CYCLE;
