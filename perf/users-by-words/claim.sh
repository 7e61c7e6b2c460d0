tenant=people
title='GET users?query=keywords: 3 prefixes, by name'
aim=0.50 aim_p95=100 connections=4
path='/users?limit=100&query=%28keywords%3D%22${first}%2A%22%20and%20keywords%3D%22${second}%2A%22%20and%20keywords%3D%22${third}%2A%22%29%20sortby%20personal.lastName%20personal.firstName'
# The first three letters of both names and the first digits of the barcode, which from four on all users of
# the sample share.
feeder="SELECT lower(left(jsonb->'personal'->>'firstName', 3)) AS first,
    lower(left(jsonb->'personal'->>'lastName', 3)) AS second, left(jsonb->>'barcode', 4 + (number % 8)::int) AS third
  FROM (SELECT jsonb, row_number() OVER () AS number FROM (SELECT jsonb FROM SCHEMA.users
    WHERE jsonb->'personal'->>'firstName' ~ '^[A-Za-z]{3}' AND jsonb->'personal'->>'lastName' ~ '^[A-Za-z]{3}'
      AND jsonb ? 'barcode' ORDER BY md5(id::text) LIMIT 2000) AS some) AS numbered"
group=1 counted=1 limit=100
hits="SELECT min(hits), percentile_disc(0.5) WITHIN GROUP (ORDER BY hits), max(hits) FROM (SELECT (SELECT count(*)
  FROM SCHEMA.users_search WHERE words @@ (public.octavo_starting(v[1]) && public.octavo_starting(v[2]))
    AND (words @@ public.octavo_starting(v[3])) IS TRUE) AS hits FROM bench.feed WHERE n <= 100) AS counted"
