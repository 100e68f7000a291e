-- What was learned about the results of tools.
CREATE TABLE isobox_lessons (
    tool BYTEA PRIMARY KEY,
    -- Empty while the row is being made.
    bytes BYTEA NOT NULL,
    -- Orders the rows by their last change.
    changed BIGINT NOT NULL
);
