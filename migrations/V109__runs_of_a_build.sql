-- Which runs have cells on a build is asked by each comparison of two builds: the index answers that without the table.
drop index cell_jdk_build_ix;
create index cell_jdk_build_ix on cell (jdk_build_id, run_id);
