package dev.pawl.lab.bench;

import dev.pawl.lab.bench.Board.Row;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.labels.CategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.svg.SVGGraphics2D;

/** The best of every contender in every workload as bars, in times of what DBOS reached. */
final class Picture {

    private static final int WIDTH = 860;
    private static final int HEIGHT = 470;
    private static final String FONT = "SansSerif";
    private static final Color INK = new Color(0x1f2937);
    private static final Color GRID = new Color(0xe5e7eb);
    private static final Map<Contender, Color> COLOURS = Map.of(Contender.PAWL_SQLITE, new Color(0x0f766e),
            Contender.PAWL_POSTGRES, new Color(0x2563eb), Contender.DBOS_POSTGRES, new Color(0x9ca3af));
    private static final List<FlowWorkload> DRAWN = List.of(FlowWorkload.W1, FlowWorkload.W2, FlowWorkload.W3,
            FlowWorkload.W4);

    private final Board board;
    private final int fanOut;

    Picture(Board board, int fanOut) {
        this.board = board;
        this.fanOut = fanOut;
    }

    /** Says what came of it: where there are no fonts at all, Java cannot draw a chart. */
    String write(Path file) {
        try {
            SVGGraphics2D canvas = new SVGGraphics2D(WIDTH, HEIGHT);
            chart().draw(canvas, new Rectangle2D.Double(0, 0, WIDTH, HEIGHT));
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, canvas.getSVGDocument());
            return "picture: " + file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException | LinkageError | InternalError e) {
            return "no picture, because this Java has no fonts (install fontconfig and fonts-dejavu-core): " + e;
        }
    }

    private JFreeChart chart() {
        DefaultCategoryDataset bars = new DefaultCategoryDataset();
        for (Contender contender : Contender.values()) {
            for (FlowWorkload workload : DRAWN) {
                board.bestToDbos(contender.engine().label(), Board.label(contender.store()), workload)
                        .ifPresent(times -> bars.addValue(times.median(), contender.title(), title(workload)));
            }
        }
        JFreeChart chart = ChartFactory.createBarChart("Durable work per second, as a multiple of DBOS Transact", null,
                "times DBOS", bars, PlotOrientation.VERTICAL, true, false, false);
        chart.setBackgroundPaint(Color.WHITE);
        chart.setPadding(new RectangleInsets(12, 12, 8, 16));
        chart.getTitle().setFont(new Font(FONT, Font.BOLD, 18));
        chart.getTitle().setPaint(INK);
        chart.addSubtitle(
                new TextTitle("each engine at its best number of clients, same machine, same run, every commit synced; "
                        + "median of the rounds", new Font(FONT, Font.PLAIN, 12)));
        chart.getLegend().setItemFont(new Font(FONT, Font.PLAIN, 13));
        chart.getLegend().setFrame(BlockBorder.NONE);
        style(chart.getCategoryPlot(), bars);
        return chart;
    }

    private String title(FlowWorkload workload) {
        return switch (workload) {
            case W1 -> "10 steps in a row";
            case W2 -> "1-step workflows";
            case W3 -> "signals";
            case W4 -> String.format(Locale.ROOT, "fan-out of %,d", fanOut);
            case W5 -> "asleep";
        };
    }

    private void style(CategoryPlot plot, CategoryDataset bars) {
        plot.setBackgroundPaint(Color.WHITE);
        plot.setOutlineVisible(false);
        plot.setRangeGridlinePaint(GRID);
        plot.setRangeGridlineStroke(new BasicStroke(1));
        plot.getDomainAxis().setTickLabelFont(new Font(FONT, Font.PLAIN, 13));
        plot.getDomainAxis().setTickLabelPaint(INK);
        plot.getDomainAxis().setCategoryMargin(0.22);
        NumberAxis times = (NumberAxis) plot.getRangeAxis();
        times.setLabelFont(new Font(FONT, Font.PLAIN, 13));
        times.setLabelPaint(INK);
        times.setTickLabelFont(new Font(FONT, Font.PLAIN, 12));
        times.setTickLabelPaint(INK);
        times.setUpperMargin(0.12);
        BarRenderer renderer = (BarRenderer) plot.getRenderer();
        renderer.setBarPainter(new StandardBarPainter());
        renderer.setShadowVisible(false);
        renderer.setItemMargin(0.04);
        for (Contender contender : Contender.values()) {
            int series = bars.getRowIndex(contender.title());
            if (series >= 0) {
                renderer.setSeriesPaint(series, COLOURS.get(contender));
            }
        }
        renderer.setDefaultItemLabelsVisible(true);
        renderer.setDefaultItemLabelFont(new Font(FONT, Font.PLAIN, 11));
        renderer.setDefaultItemLabelPaint(INK);
        renderer.setDefaultItemLabelGenerator(new Rates());
    }

    /** Above each bar: what it is in absolute figures. */
    private final class Rates implements CategoryItemLabelGenerator {

        @Override
        public String generateRowLabel(CategoryDataset bars, int row) {
            return "";
        }

        @Override
        public String generateColumnLabel(CategoryDataset bars, int column) {
            return "";
        }

        @Override
        public String generateLabel(CategoryDataset bars, int row, int column) {
            Contender contender = List.of(Contender.values()).stream()
                    .filter(each -> each.title().equals(bars.getRowKey(row))).findFirst().orElseThrow();
            FlowWorkload workload = DRAWN.stream().filter(each -> title(each).equals(bars.getColumnKey(column)))
                    .findFirst().orElseThrow();
            Optional<Row> best = board.best(contender.engine().label(), Board.label(contender.store()), workload);
            return best.map(found -> figure(workload, board.median(found))).orElse("");
        }
    }

    private static String figure(FlowWorkload workload, FlowMeasured median) {
        return workload == FlowWorkload.W4 ? BoardText.number(median.p50Millis() / 1e3) + " s"
                : BoardText.number(workload == FlowWorkload.W1 ? median.rate() * FlowWorkload.STEPS : median.rate())
                        + "/s";
    }
}
