-- What `yardctl characterize` works out, in SQL. $SEREN and $KALOS are the traces. A cast to
-- TIMESTAMP passes over the offset of the text: `east` takes it off.
CREATE TABLE jobs AS
WITH rows AS (
    SELECT 'Seren' AS cluster, gpu_num, type, state, submit_time, start_time, end_time,
           duration, CAST(queue AS DOUBLE)::BIGINT AS queue, FALSE AS has_wait,
           28800 AS east
    FROM read_csv('$SEREN', header = true, columns = {'job_id': 'VARCHAR', 'user': 'VARCHAR',
        'node_num': 'INTEGER', 'gpu_num': 'INTEGER', 'cpu_num': 'INTEGER', 'type': 'VARCHAR',
        'state': 'VARCHAR', 'submit_time': 'TIMESTAMP', 'start_time': 'TIMESTAMP',
        'end_time': 'TIMESTAMP', 'duration': 'BIGINT', 'queue': 'DOUBLE', 'gpu_time': 'DOUBLE'})
    UNION ALL
    SELECT 'Kalos', gpu_num, type, state, submit_time, start_time, end_time, duration,
           CAST(queue AS DOUBLE)::BIGINT, TRUE, 0
    FROM read_csv('$KALOS', header = true, columns = {'job_id': 'VARCHAR', 'user': 'VARCHAR',
        'node_num': 'INTEGER', 'gpu_num': 'INTEGER', 'cpu_num': 'INTEGER',
        'mem_per_pod_GB': 'DOUBLE', 'shared_mem_per_pod': 'DOUBLE', 'type': 'VARCHAR',
        'state': 'VARCHAR', 'submit_time': 'TIMESTAMP', 'start_time': 'TIMESTAMP',
        'end_time': 'TIMESTAMP', 'fail_time': 'TIMESTAMP', 'stop_time': 'TIMESTAMP',
        'duration': 'BIGINT', 'queue': 'DOUBLE', 'gpu_time': 'DOUBLE'})
)
SELECT *, epoch(submit_time)::BIGINT - east AS submit_s,
       epoch(start_time)::BIGINT - east AS start_s, epoch(end_time)::BIGINT - east AS end_s,
       CASE WHEN end_time IS NOT NULL THEN (epoch(end_time) - epoch(start_time))::BIGINT
            WHEN has_wait THEN duration - queue ELSE duration END AS run
FROM rows;

SELECT count(*), count(*) FILTER (gpu_num > 0), sum(gpu_num * duration), sum(gpu_num * run)
FROM jobs;

SELECT type, state, count(*), count(*) FILTER (gpu_num > 0), sum(gpu_num * duration),
       sum(gpu_num * run)
FROM jobs GROUP BY ALL;

SELECT gpu_num > 0 AS gpu, type, metric, count(*), avg(value), min(value), max(value),
       quantile_cont(value, [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99])
FROM (SELECT gpu_num, type, unnest(['duration', 'run', 'queue']) AS metric,
             unnest([duration, run, queue]) AS value FROM jobs)
WHERE value IS NOT NULL
GROUP BY GROUPING SETS ((gpu_num > 0, metric), (gpu_num > 0, type, metric));

SELECT gpu_num > 0 AS gpu, type, metric,
       histogram(bucket)
FROM (SELECT gpu_num, type, unnest(['duration', 'run', 'queue']) AS metric,
             ceil(log2(greatest(unnest([duration, run, queue]), 1))) AS bucket FROM jobs)
GROUP BY GROUPING SETS ((gpu_num > 0, metric), (gpu_num > 0, type, metric));

SELECT gpu_num, count(*), sum(gpu_num * duration),
       sum(count(*)) OVER (ORDER BY gpu_num), sum(sum(gpu_num * duration)) OVER (ORDER BY gpu_num)
FROM jobs WHERE gpu_num > 0 GROUP BY gpu_num;

SELECT type, avg(gpu_num), min(gpu_num), max(gpu_num),
       quantile_cont(gpu_num, [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99])
FROM jobs WHERE gpu_num > 0 GROUP BY GROUPING SETS ((), (type));

SELECT submit_s // 3600 AS hour, count(*) FROM jobs GROUP BY hour ORDER BY count(*) DESC LIMIT 1;

SELECT max(held), arg_max(t, held) FROM (
    SELECT t, sum(sum(change)) OVER (ORDER BY t) AS held FROM (
        SELECT start_s AS t, gpu_num AS change FROM jobs WHERE gpu_num > 0
        UNION ALL
        SELECT coalesce(end_s, start_s + run), -gpu_num FROM jobs WHERE gpu_num > 0
    ) GROUP BY t);
