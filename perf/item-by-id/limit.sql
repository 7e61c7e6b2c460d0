-- The statement behind GET /item-storage/items/{id}, twenty times with ids from the feed: one more
-- statement brings them, and is counted as one.
\set n random(1, :rows)
SELECT v[1] AS v1, v[2] AS v2, v[3] AS v3, v[4] AS v4, v[5] AS v5, v[6] AS v6, v[7] AS v7, v[8] AS v8, v[9] AS v9, v[10] AS v10, v[11] AS v11, v[12] AS v12, v[13] AS v13, v[14] AS v14, v[15] AS v15, v[16] AS v16, v[17] AS v17, v[18] AS v18, v[19] AS v19, v[20] AS v20 FROM bench.feed WHERE n = :n \gset
SELECT jsonb FROM tenant_bench.item WHERE id = :v1;
SELECT jsonb FROM tenant_bench.item WHERE id = :v2;
SELECT jsonb FROM tenant_bench.item WHERE id = :v3;
SELECT jsonb FROM tenant_bench.item WHERE id = :v4;
SELECT jsonb FROM tenant_bench.item WHERE id = :v5;
SELECT jsonb FROM tenant_bench.item WHERE id = :v6;
SELECT jsonb FROM tenant_bench.item WHERE id = :v7;
SELECT jsonb FROM tenant_bench.item WHERE id = :v8;
SELECT jsonb FROM tenant_bench.item WHERE id = :v9;
SELECT jsonb FROM tenant_bench.item WHERE id = :v10;
SELECT jsonb FROM tenant_bench.item WHERE id = :v11;
SELECT jsonb FROM tenant_bench.item WHERE id = :v12;
SELECT jsonb FROM tenant_bench.item WHERE id = :v13;
SELECT jsonb FROM tenant_bench.item WHERE id = :v14;
SELECT jsonb FROM tenant_bench.item WHERE id = :v15;
SELECT jsonb FROM tenant_bench.item WHERE id = :v16;
SELECT jsonb FROM tenant_bench.item WHERE id = :v17;
SELECT jsonb FROM tenant_bench.item WHERE id = :v18;
SELECT jsonb FROM tenant_bench.item WHERE id = :v19;
SELECT jsonb FROM tenant_bench.item WHERE id = :v20;
