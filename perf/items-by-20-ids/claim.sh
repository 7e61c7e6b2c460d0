title='GET items?query=id==(20 ids)'
aim=0.60
path='/item-storage/items?limit=1000&query=id==(${ids})'
feeder="SELECT string_agg(id::text, ' or ') AS ids, array_agg(id)::text AS list FROM
  (SELECT id, row_number() OVER (ORDER BY md5(id::text)) AS n FROM SCHEMA.item LIMIT 200000) AS chosen
  GROUP BY n / 20 HAVING count(*) = 20"
group=10 counted=10 limit=1000
scales=1
