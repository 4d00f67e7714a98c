-- What pages read must not grow with the history. A comparison read all points of two builds to find the newest of each
-- series; it now takes one step into an index per series, and finds the series of a build by its track.

create index series_track_ix on series (track_feature, track_vendor, track_arch, metric);
create index point_build_ix on point (jdk_build_id, series_id, run_id, point_id);
drop index point_jdk_build_ix; -- its columns begin the new one
