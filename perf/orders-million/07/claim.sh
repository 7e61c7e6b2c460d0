title='Filtering : Order-Lines (po-lines)'
aim=0.50 aim_p95=10 connections=20 tenant=millions
path='/orders-storage/po-lines?query=orderFormat==%22Physical%20Resource%22'
feeder="SELECT n AS number FROM generate_series(1, 20) AS n"
group=20 counted=20 limit=10
