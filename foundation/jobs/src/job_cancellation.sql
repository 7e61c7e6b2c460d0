-- That a job is to end, apart from the job's row, which is locked while a portion is done. octavo_job.cancelled
-- stays for jobs that earlier releases cancelled.
ALTER TABLE {schema}.octavo_job_attempt ADD COLUMN cancelled boolean NOT NULL DEFAULT false;
