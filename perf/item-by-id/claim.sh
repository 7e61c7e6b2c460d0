title='GET items/{id}'
aim=0.50
path='/item-storage/items/${id}'
feeder="SELECT id FROM SCHEMA.item ORDER BY md5(id::text) LIMIT 50000"
# Rows of the feeder in one pgbench script, and how many of its statements count.
group=20 counted=21
scales=1
