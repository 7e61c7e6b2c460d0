title='GET /remote-storage/retrievals, 100,000 rows that wait'
aim=0.30 aim_p95=10 connections=1
path="/remote-storage/retrievals?retrieved=false&storageId=$retrievals_storage&limit=100"
feeder="SELECT '$retrievals_storage' AS storage"
group=1 counted=1
