CREATE TABLE isobox_settings (
    name TEXT PRIMARY KEY NOT NULL,
    value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE isobox_executions (
    id TEXT PRIMARY KEY NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    status TEXT NOT NULL,
    head TEXT NOT NULL,
    node TEXT,
    epoch INTEGER NOT NULL,
    -- How many batches its journal has.
    length INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX isobox_executions_by_status ON isobox_executions (status, id);

-- The beginning of an execution stands at position -1.
CREATE TABLE isobox_batches (
    execution TEXT NOT NULL REFERENCES isobox_executions ON DELETE CASCADE,
    position INTEGER NOT NULL,
    seal BLOB NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (execution, position)
) STRICT;

CREATE TABLE isobox_checkpoints (
    execution TEXT PRIMARY KEY NOT NULL REFERENCES isobox_executions ON DELETE CASCADE,
    position INTEGER NOT NULL,
    seal BLOB NOT NULL,
    bytes BLOB NOT NULL
) STRICT;

CREATE TABLE isobox_inbox (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    execution TEXT NOT NULL REFERENCES isobox_executions ON DELETE CASCADE,
    key BLOB NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (execution, key)
) STRICT;

CREATE TABLE isobox_nodes (
    id TEXT PRIMARY KEY NOT NULL,
    expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE isobox_remembered (
    session BLOB NOT NULL,
    about BLOB NOT NULL,
    decision BLOB NOT NULL,
    PRIMARY KEY (session, about)
) STRICT, WITHOUT ROWID;
