package dev.loomboard.simulation;

import dev.loomboard.stats.change.NightlyScreen;
import java.util.Arrays;

/** The service's nightly screen, over the nights of one series of an installation. */
record SimulatedScreen(NightlyScreen screen) {

    static final int PAST = NightlyScreen.PAST;

    /** Of a night's reruns, with blocks of the preset nightly: 82 s a trial. */
    static final int BLOCKS = NightlyScreen.blocks(2 * 82);

    static SimulatedScreen of(int series) {
        return new SimulatedScreen(NightlyScreen.of(BLOCKS, series));
    }

    /** @param ratios ln(build ÷ control) by night */
    boolean starts(double[] ratios, int night) {
        return screen.rise(Arrays.stream(ratios, night - PAST, night).boxed().toList(), ratios[night])
                .starts();
    }
}
