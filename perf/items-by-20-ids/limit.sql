-- The statement behind GET /item-storage/items?query=id==(… or …)&limit=1000 with twenty ids, ten
-- times with lists of ids from the feed: one more statement brings them, and is not counted.
\set n random(1, :rows)
SELECT v[2] AS v2, v[4] AS v4, v[6] AS v6, v[8] AS v8, v[10] AS v10, v[12] AS v12, v[14] AS v14, v[16] AS v16, v[18] AS v18, v[20] AS v20 FROM bench.feed WHERE n = :n \gset
SELECT jsonb FROM tenant_bench.item WHERE id = ANY(:v2::uuid[]) LIMIT :limit::bigint;
SELECT jsonb FROM tenant_bench.item WHERE id = ANY(:v4::uuid[]) LIMIT :limit::bigint;
SELECT jsonb FROM tenant_bench.item WHERE id = ANY(:v6::uuid[]) LIMIT :limit::bigint;
SELECT jsonb FROM tenant_bench.item WHERE id = ANY(:v8::uuid[]) LIMIT :limit::bigint;
SELECT jsonb FROM tenant_bench.item WHERE id = ANY(:v10::uuid[]) LIMIT :limit::bigint;
SELECT jsonb FROM tenant_bench.item WHERE id = ANY(:v12::uuid[]) LIMIT :limit::bigint;
SELECT jsonb FROM tenant_bench.item WHERE id = ANY(:v14::uuid[]) LIMIT :limit::bigint;
SELECT jsonb FROM tenant_bench.item WHERE id = ANY(:v16::uuid[]) LIMIT :limit::bigint;
SELECT jsonb FROM tenant_bench.item WHERE id = ANY(:v18::uuid[]) LIMIT :limit::bigint;
SELECT jsonb FROM tenant_bench.item WHERE id = ANY(:v20::uuid[]) LIMIT :limit::bigint;
