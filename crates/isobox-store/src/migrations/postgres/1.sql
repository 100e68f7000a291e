CREATE TABLE isobox_settings (
    name TEXT PRIMARY KEY NOT NULL,
    value BYTEA NOT NULL
);

CREATE TABLE isobox_executions (
    -- Names are compared by their bytes, whatever the language of the database.
    id TEXT COLLATE "C" PRIMARY KEY,
    created BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    status TEXT NOT NULL,
    head TEXT NOT NULL,
    node TEXT,
    epoch BIGINT NOT NULL,
    -- How many batches its journal has.
    length BIGINT NOT NULL
);

CREATE INDEX isobox_executions_by_status ON isobox_executions (status, id);

-- The beginning of an execution stands at position -1.
CREATE TABLE isobox_batches (
    execution TEXT COLLATE "C" NOT NULL REFERENCES isobox_executions ON DELETE CASCADE,
    position BIGINT NOT NULL,
    seal BYTEA NOT NULL,
    bytes BYTEA NOT NULL,
    PRIMARY KEY (execution, position)
);

CREATE TABLE isobox_checkpoints (
    execution TEXT COLLATE "C" PRIMARY KEY REFERENCES isobox_executions ON DELETE CASCADE,
    position BIGINT NOT NULL,
    seal BYTEA NOT NULL,
    bytes BYTEA NOT NULL
);

CREATE TABLE isobox_inbox (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    execution TEXT COLLATE "C" NOT NULL REFERENCES isobox_executions ON DELETE CASCADE,
    key BYTEA NOT NULL,
    bytes BYTEA NOT NULL,
    UNIQUE (execution, key)
);

CREATE TABLE isobox_nodes (
    id TEXT PRIMARY KEY,
    expires BIGINT NOT NULL
);

CREATE TABLE isobox_remembered (
    session BYTEA NOT NULL,
    about BYTEA NOT NULL,
    decision BYTEA NOT NULL,
    PRIMARY KEY (session, about)
);
