-- Artefacts are read in parts, each when its reader has taken the one before, so that a reader who takes nothing holds little of the
-- service's memory. Of a packed value PostgreSQL unpacks all that stands before a part; these are kept as they are. Their quota
-- counts unpacked bytes anyway. Those stored before stay packed, and are read as well, only slower.

alter table artefact alter column content set storage external;
