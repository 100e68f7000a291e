-- The time at which an execution that waits for a timer is to be woken.
ALTER TABLE isobox_executions ADD COLUMN due BIGINT;

CREATE INDEX isobox_executions_by_due ON isobox_executions (due, id) WHERE due IS NOT NULL;
