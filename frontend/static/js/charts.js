// Draws the charts of a page from its .json twin. It draws what it is given: it computes no statistic.
/* global Chart */
import { palette, marker } from "./chart-style.js";
import { bands, lanes, LANE, marks, names, reaches, whiskers } from "./chart-plugins.js";
import { zoom } from "./chart-zoom.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const drawn = new Map();

function dataset(line, colours, kind) {
  const colour = colours.lines[line.colour - 1];
  const breaks = new Set(line.breaks ?? []);
  return {
    label: line.name,
    data: line.points.map((point) => ({ x: point.x, y: point.y, point })),
    borderColor: colour,
    backgroundColor: colour,
    borderWidth: 1.75,
    borderDash: line.dash,
    pointStyle: marker(line.colour),
    showLine: kind !== "scatter" || line.dash.length > 0, // of marks only a dashed line joins: the frontier
    pointRadius:
      kind === "scatter" ? (line.dash.length > 0 ? 0 : 5) : kind === "points" || line.points.length === 1 ? 4 : 0,
    pointHoverRadius: 5,
    spanGaps: false, // a gap was not measured: it must stay a gap
    segment: breaks.size
      ? { borderColor: (to) => (breaks.has(to.p1DataIndex) ? "transparent" : undefined) }
      : undefined,
    stepped: kind === "scatter",
  };
}

function axisText(spec) {
  return spec.unit ? `${spec.name}, ${spec.unit}` : spec.name;
}

function scales(chart, colours) {
  const grid = { color: colours.line, tickColor: colours.line };
  const ticks = { color: colours.muted, font: { size: 11 } };
  const labels = chart.xLabels;
  // The ends of intervals are drawn by a plugin, which Chart.js makes no room for.
  const ends = chart.lines
    .flatMap((line) => line.points)
    .filter((point) => point.low != null && point.high != null)
    .flatMap((point) => [point.low, point.high]);
  return {
    x: {
      type: chart.xLog ? "logarithmic" : "linear",
      min: chart.xMin ?? undefined,
      max: chart.xMax ?? undefined,
      grid: { ...grid, display: false },
      border: { color: colours.line },
      ticks: {
        ...ticks,
        maxRotation: 0,
        autoSkip: true,
        stepSize: labels.length ? 1 : undefined,
        callback: (value) => (labels.length ? (labels.find((l) => l.x === value)?.text ?? "") : value),
      },
      afterBuildTicks: labels.length ? (axis) => (axis.ticks = labels.map((l) => ({ value: l.x }))) : undefined,
      title: { display: true, text: axisText(chart.xAxis), color: colours.muted, font: { size: 11 } },
    },
    y: {
      beginAtZero: chart.fromZero,
      suggestedMin: ends.length ? Math.min(...ends) : undefined,
      suggestedMax: ends.length ? Math.max(...ends) : undefined,
      grace: chart.fromZero ? 0 : "8%",
      grid,
      border: { display: false },
      ticks: { ...ticks, maxTicksLimit: 6 },
      title: { display: true, text: axisText(chart.yAxis), color: colours.muted, font: { size: 11 } },
    },
  };
}

function rounded(value) {
  return value == null ? "" : Number(value.toPrecision(4));
}

function tooltip(chart, colours) {
  return {
    backgroundColor: colours.panel,
    titleColor: colours.ink,
    bodyColor: colours.ink,
    borderColor: colours.line,
    borderWidth: 1,
    usePointStyle: true,
    callbacks: {
      title: (items) => items[0]?.raw.point.label ?? `${rounded(items[0]?.parsed.x)} ${chart.xAxis.unit ?? ""}`,
      label: (item) => `${item.dataset.label}: ${item.raw.point.text ?? item.formattedValue} ${chart.yAxis.unit ?? ""}`,
      afterLabel: (item) => item.raw.point.facts ?? [],
    },
  };
}

function draw(figure, chart) {
  const colours = palette();
  drawn.get(figure)?.destroy();
  const canvas = figure.querySelector("canvas");
  const instance = new Chart(canvas, {
    type: "line",
    data: { datasets: chart.lines.map((line) => dataset(line, colours, chart.kind)) },
    options: {
      animation: still.matches ? false : { duration: 200 },
      maintainAspectRatio: false,
      responsive: true,
      parsing: false,
      normalized: true,
      layout: { padding: { bottom: LANE * (chart.lanes?.length ?? 0) } },
      interaction: { mode: chart.kind === "line" ? "index" : "nearest", intersect: false },
      scales: scales(chart, colours),
      plugins: {
        legend: { display: false }, // the legend is in the page, with the lines' dashes and shapes
        tooltip: tooltip(chart, colours),
        bands: { bands: chart.bands, low: chart.marks.length > 0, colours },
        reaches: { reaches: chart.reaches, colours },
        lanes: { lanes: chart.lanes, colours },
        marks: { marks: chart.marks, colours },
        whiskers: { colours },
        names: { shown: chart.kind === "scatter", colours },
      },
      onHover: (event, items) => {
        event.native.target.style.cursor = items[0]?.element.$context.raw.point.href ? "pointer" : "";
      },
      onClick: (event, items) => {
        const href = items[0]?.element.$context.raw.point.href;
        if (href) location.assign(href);
      },
    },
    plugins: [bands, reaches, whiskers, marks, names, lanes],
  });
  drawn.set(figure, instance);
  figure.querySelector("[data-png]").classList.remove("waits");
  if (figure.closest("[data-zoom=true]")) zoom(figure.querySelector(".chart-box"), instance, chart.xLabels);
}

/** Saves the chart of a figure as a picture. */
export async function save(figure) {
  const { savePng } = await import("./chart-png.js");
  savePng(figure, drawn.get(figure));
}

// Holders whose charts are in the page, with their charts by id.
const held = new Map();

function drawHolder(holder, byId) {
  for (const figure of holder.querySelectorAll("figure[data-chart]")) {
    const chart = byId.get(figure.dataset.chart);
    if (chart && figure.querySelector("canvas")) draw(figure, chart); // without one, nothing was measured
  }
  holder.dataset.drawn = "true";
}

async function start(holder) {
  const answer = await fetch(holder.dataset.charts, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`${holder.dataset.charts} answered ${answer.status}`);
  const page = await answer.json();
  await library();
  const byId = new Map(page.charts.map((chart) => [chart.id, chart]));
  held.set(holder, byId);
  drawHolder(holder, byId);
}

// Pages with charts load the library with themselves; one that gets its first chart later loads it then.
function library() {
  if (window.Chart) return Promise.resolve();
  return new Promise((loaded, failed) => {
    const script = document.createElement("script");
    script.src = new URL("../vendor/chart.umd.min.js", import.meta.url).href;
    script.onload = loaded;
    script.onerror = () => failed(new Error(`${script.src} could not be loaded`));
    document.head.append(script);
  });
}

function fail(holder, error) {
  for (const box of holder.querySelectorAll(".chart-box")) {
    box.textContent = "The chart could not be drawn; its numbers are in the table below.";
    box.classList.add("muted", "small");
  }
  console.error(error);
}

function forgetWhatWasReplaced() {
  for (const holder of held.keys()) {
    if (!holder.isConnected) held.delete(holder);
  }
  for (const [figure, chart] of drawn) {
    if (figure.isConnected) continue;
    chart.destroy();
    drawn.delete(figure);
  }
}

function redraw() {
  forgetWhatWasReplaced();
  for (const [holder, byId] of held) drawHolder(holder, byId);
}

/** Draws the charts of these holders, each of its own address. */
export function drawCharts(holders) {
  forgetWhatWasReplaced();
  for (const holder of holders) start(holder).catch((error) => fail(holder, error));
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
new MutationObserver(redraw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
