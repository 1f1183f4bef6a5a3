"""One module a step; their order is that of `revision` and `down_revision`."""
