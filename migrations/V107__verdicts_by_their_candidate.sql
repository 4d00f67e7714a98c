-- The grid asks for the verdict of a cell against an older build; and deleting a cell looks for what names it.
create index comparison_candidate_ix on comparison (candidate_cell_id, metric);
