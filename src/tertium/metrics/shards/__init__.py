"""Map shards to stats, add: the work of scoring, one pair of files at a time.

A shard is a gold file with the systems' files of the same name. `running.run` maps a shard to what
can be added over shards; it takes and returns plain picklable values, so that any executor of
`concurrent.futures` can do it anywhere.
"""
