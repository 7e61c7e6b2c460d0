title='GET circulation/pick-slips/{id}, 2,500 of them'
aim=0.30 aim_p95=300 connections=1
path="/circulation/pick-slips/$slips_point"
feeder="SELECT array_agg(id ORDER BY id)::text AS locations FROM SCHEMA.location WHERE jsonb->>'primaryServicePoint' = '$slips_point'"
group=1 counted=1 limit=2500
