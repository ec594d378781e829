-- A display name must not look like the handle of somebody else: what a handle looks like, for finding it.
CREATE INDEX participants_handle_shape ON participants (
    replace(replace(replace(replace(replace(replace(handle_key, '-', ''), '_', ''), '0', 'o'), '1', 'l'), 'rn', 'm'), 'vv', 'w')
);
