-- What was learned about the results of tools.
CREATE TABLE isobox_lessons (
    tool BLOB PRIMARY KEY NOT NULL,
    -- Empty while the row is being made.
    bytes BLOB NOT NULL,
    -- Orders the rows by their last change.
    changed INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
