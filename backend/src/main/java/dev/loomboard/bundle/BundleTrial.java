package dev.loomboard.bundle;

import dev.loomboard.artefact.ArtefactName;
import dev.loomboard.cell.TrialKind;
import dev.loomboard.cell.TrialState;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.measurement.Phase;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A trial and what the bundle has of it.
 *
 * @param id external id where it was measured, which its batches name
 * @param cell ordinal of its cell
 * @param ordinal which of its cell and kind, from 1
 * @param late its data came under a superseded lease: it counts nowhere
 * @param cutOff of a repeat of its block that was not made whole: likewise
 * @param skewNs the agent's clock minus that of the service that took its batches; null: unknown
 * @param samplesRemovedAt when its raw samples were removed because of their age; null: they are here, or there were none
 * @param batches numbers of its batches, ascending
 * @param artefacts names of its artefacts
 */
public record BundleTrial(
        String id,
        int cell,
        TrialKind kind,
        int ordinal,
        Place place,
        End end,
        boolean late,
        boolean cutOff,
        @Nullable Long skewNs,
        @Nullable String samplesRemovedAt,
        List<Integer> batches,
        List<String> artefacts) {

    private static final Pattern ID = Pattern.compile("trl_[a-z2-7]{20}");
    private static final int MOST_BATCHES = 10_000;

    /**
     * When it was its turn. No two trials of a run have the same.
     *
     * @param fencing lease under which it was planned
     * @param position in the order of execution under that lease, from 0
     */
    public record Place(long fencing, int position) {
        public Place {
            FieldChecks.between("fencing", fencing, 1, Long.MAX_VALUE);
            FieldChecks.notNegative("position", position);
        }
    }

    /**
     * How it ended.
     *
     * @param state done or failed as its last batch says, or aborted
     * @param phase it ended in; null: it never began
     * @param reason of one that the service gave up; null: its batches say all
     * @param finishedAt when its last batch came, or it was given up, in UTC; null: not known
     */
    public record End(
            TrialState state,
            @Nullable Phase phase,
            @Nullable String reason,
            @Nullable String finishedAt) {
        public End {
            if (!FieldChecks.present("state", state).ended()) {
                throw new FieldChecks.Refused("state", "must be done, failed or aborted, is: " + state.wire());
            }
            FieldChecks.atMostOrNull("reason", reason, 4000);
            finishedAt = utcOrNull("finishedAt", finishedAt);
        }
    }

    public BundleTrial {
        FieldChecks.matching("id", id, ID);
        FieldChecks.notNegative("cell", cell);
        FieldChecks.present("kind", kind);
        FieldChecks.between("ordinal", ordinal, 1, Integer.MAX_VALUE);
        FieldChecks.present("place", place);
        FieldChecks.present("end", end);
        samplesRemovedAt = utcOrNull("samplesRemovedAt", samplesRemovedAt);
        batches = FieldChecks.list("batches", batches, MOST_BATCHES);
        int before = -1;
        for (int seq : batches) {
            FieldChecks.between("batches", seq, before + 1L, MOST_BATCHES - 1);
            before = seq;
        }
        artefacts = FieldChecks.list("artefacts", artefacts, ArtefactName.values().length);
        for (String artefact : artefacts) {
            FieldChecks.oneOf("artefacts", artefact, ArtefactName.files());
        }
        if (new HashSet<>(artefacts).size() < artefacts.size()) {
            throw new FieldChecks.Refused("artefacts", "must have each name once");
        }
    }

    private static @Nullable String utcOrNull(String field, @Nullable String time) {
        return time == null ? null : FieldChecks.instant(field, time).toString();
    }

    /** Since the epoch, where it is not known: then it is not among those that ended in time. */
    public Instant finished() {
        return end.finishedAt() == null ? Instant.EPOCH : Instant.parse(end.finishedAt());
    }

    /** Whether all that it had to send is there, and in time: then its batches say how it ended. */
    public boolean sealedBy(int lastOfEnd) {
        return !late && batches.size() == lastOfEnd && batches.getLast() == lastOfEnd - 1;
    }
}
