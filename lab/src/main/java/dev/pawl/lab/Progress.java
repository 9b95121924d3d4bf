package dev.pawl.lab;

import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Progress bars, for people who watch: where nobody does, nothing is drawn. */
public final class Progress {

    private Progress() {
    }

    public static ProgressBar bar(String name, long max, String unit) {
        ProgressBarBuilder bar = new ProgressBarBuilder().setTaskName(name).setInitialMax(max)
                .setUnit(unit, 1).setStyle(ProgressBarStyle.ASCII).setUpdateIntervalMillis(500);
        if (System.getenv("PAWL_TERMINAL") == null) {
            bar.setConsumer(new DelegatingProgressBarConsumer(line -> {}));
        }
        return bar.build();
    }
}
