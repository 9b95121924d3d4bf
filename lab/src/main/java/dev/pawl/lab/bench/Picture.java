package dev.pawl.lab.bench;

import dev.pawl.lab.bench.Contender.Engine;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.ChartUtils;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultCategoryDataset;

/**
 * The best of Pawl in every workload as bars, in times of the best of DBOS. Those are ratios, so the axis is logarithmic and bars begin
 * at 1: what is slower hangs below the line. On white, so that it can be read on any page.
 */
final class Picture {

    private static final int WIDTH = 860;
    private static final int HEIGHT = 470;
    /** For screens that have more dots than that. */
    private static final int SCALE = 2;
    private static final String FONT = "SansSerif";
    private static final Color INK = new Color(0x1f2937);
    private static final Color GRID = new Color(0xe5e7eb);
    private static final Map<Contender, Color> COLOURS = Map.of(Contender.PAWL_SQLITE, new Color(0x0f766e),
            Contender.PAWL_POSTGRES, new Color(0x2563eb));
    private static final List<FlowWorkload> DRAWN = List.of(FlowWorkload.W1, FlowWorkload.W2, FlowWorkload.W3,
            FlowWorkload.W4);

    private final Board board;
    private final int fanOut;
    private final DefaultCategoryDataset bars = new DefaultCategoryDataset();
    private final Map<List<Comparable<?>>, String> figures = new HashMap<>();

    Picture(Board board, int fanOut) {
        this.board = board;
        this.fanOut = fanOut;
        for (Contender contender : contenders()) {
            for (FlowWorkload workload : DRAWN) {
                bar(contender, workload);
            }
        }
    }

    private static List<Contender> contenders() {
        return Stream.of(Contender.values()).filter(each -> each.engine() == Engine.PAWL).toList();
    }

    private void bar(Contender contender, FlowWorkload workload) {
        board.bestToDbos(contender.engine().label(), Board.label(contender.store()), workload).ifPresent(times -> {
            bars.addValue(times.median(), contender.title(), title(workload));
            figures.put(List.of(contender.title(), title(workload)),
                    times(times.median()) + ", " + figure(contender, workload));
        });
    }

    private String title(FlowWorkload workload) {
        String what = switch (workload) {
            case W1 -> "steps, 10 in a row";
            case W2 -> "1-step workflows";
            case W3 -> "signals";
            case W4 -> String.format(Locale.ROOT, "fan-out of %,d", fanOut);
            case W5 -> "asleep";
        };
        return what + " (DBOS:\u00a0" + figure(Contender.DBOS_POSTGRES, workload) + ")";
    }

    private static String times(double ratio) {
        return String.format(Locale.ROOT, ratio >= 10 ? "%.0f x" : ratio >= 1 ? "%.1f x" : "%.2f x", ratio);
    }

    private String figure(Contender contender, FlowWorkload workload) {
        return board.best(contender.engine().label(), Board.label(contender.store()), workload).map(board::median)
                .map(median -> switch (workload) {
                    case W1 -> BoardText.number(median.rate() * FlowWorkload.STEPS) + "/s";
                    case W4 -> BoardText.number(median.p50Millis() / 1e3) + " s";
                    case W2, W3, W5 -> BoardText.number(median.rate()) + "/s";
                }).orElse("");
    }

    /** Says what came of it: where there are no fonts at all, Java cannot draw a chart. */
    String write(Path file) {
        try {
            JFreeChart chart = chart();
            Files.createDirectories(file.toAbsolutePath().getParent());
            try (OutputStream out = Files.newOutputStream(file)) {
                ChartUtils.writeScaledChartAsPNG(out, chart, WIDTH, HEIGHT, SCALE, SCALE);
            }
            return "picture: " + file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException | LinkageError | InternalError e) {
            return "no picture; if this Java finds no fonts, install fontconfig and fonts-dejavu-core: " + e;
        }
    }

    private JFreeChart chart() {
        JFreeChart chart = ChartFactory.createBarChart("Pawl beside DBOS Transact: durable work per second", null, null,
                bars, PlotOrientation.VERTICAL, true, false, false);
        chart.setBackgroundPaint(Color.WHITE);
        chart.setPadding(new RectangleInsets(12, 12, 8, 16));
        chart.getTitle().setFont(new Font(FONT, Font.BOLD, 18));
        chart.getTitle().setPaint(INK);
        TextTitle how =
                new TextTitle("times DBOS, each engine at its best number of clients; same machine, same run, every "
                        + "commit synced", new Font(FONT, Font.PLAIN, 12));
        how.setPaint(INK);
        chart.addSubtitle(how);
        chart.getLegend().setItemFont(new Font(FONT, Font.PLAIN, 13));
        chart.getLegend().setItemPaint(INK);
        chart.getLegend().setFrame(BlockBorder.NONE);
        style(chart.getCategoryPlot());
        return chart;
    }

    private void style(CategoryPlot plot) {
        plot.setBackgroundPaint(Color.WHITE);
        plot.setOutlineVisible(false);
        plot.setRangeGridlinePaint(GRID);
        plot.setRangeGridlineStroke(new BasicStroke(1));
        plot.addRangeMarker(new ValueMarker(1, INK, new BasicStroke(1.5f)));
        plot.getDomainAxis().setTickLabelFont(new Font(FONT, Font.PLAIN, 13));
        plot.getDomainAxis().setTickLabelPaint(INK);
        plot.getDomainAxis().setMaximumCategoryLabelLines(2);
        plot.getDomainAxis().setMaximumCategoryLabelWidthRatio(1.1f);
        plot.getDomainAxis().setCategoryMargin(0.15);
        plot.setRangeAxis(times());
        BarRenderer renderer = (BarRenderer) plot.getRenderer();
        renderer.setBase(1);
        renderer.setBarPainter(new StandardBarPainter());
        renderer.setShadowVisible(false);
        renderer.setItemMargin(0.04);
        contenders().forEach(each -> {
            int series = bars.getRowIndex(each.title());
            if (series >= 0) {
                renderer.setSeriesPaint(series, COLOURS.get(each));
            }
        });
        renderer.setDefaultItemLabelsVisible(true);
        renderer.setDefaultItemLabelFont(new Font(FONT, Font.PLAIN, 11));
        renderer.setDefaultItemLabelPaint(INK);
        renderer.setDefaultItemLabelGenerator(new StandardCategoryItemLabelGenerator() {

            private static final long serialVersionUID = 1;

            @Override
            public String generateLabel(CategoryDataset all, int row, int column) {
                return figures.getOrDefault(List.of(all.getRowKey(row), all.getColumnKey(column)), "");
            }
        });
    }

    /** Powers of two: near enough to each other that some are always in sight. */
    private LogAxis times() {
        LogAxis axis = new LogAxis();
        axis.setBase(2);
        axis.setTickUnit(new NumberTickUnit(1));
        axis.setNumberFormatOverride(new DecimalFormat("0.## x", DecimalFormatSymbols.getInstance(Locale.ROOT)));
        axis.setTickLabelFont(new Font(FONT, Font.PLAIN, 12));
        axis.setTickLabelPaint(INK);
        double least = 1;
        double most = 1;
        for (int row = 0; row < bars.getRowCount(); row++) {
            for (int column = 0; column < bars.getColumnCount(); column++) {
                Number value = bars.getValue(row, column);
                if (value != null && value.doubleValue() > 0) {
                    least = Math.min(least, value.doubleValue());
                    most = Math.max(most, value.doubleValue());
                }
            }
        }
        axis.setSmallestValue(least / 4);
        axis.setRange(least / 1.5, most * 1.5);
        return axis;
    }
}
