// A chart as a picture of its own: title, unit, lines by name, the drawing as it stands, and the address that it is of.
import { palette } from "./chart-style.js";

const PAD = 16;
const LINE = 20;

function text(context, words, y, font, colour) {
  context.font = font;
  context.fillStyle = colour;
  context.fillText(words, PAD, y);
}

/** Draws the names of lines in rows; gives the height that they take. */
function legend(context, lines, top, width, colours) {
  let x = PAD;
  let y = top;
  context.font = "12px system-ui, sans-serif";
  for (const line of lines) {
    const wide = 34 + context.measureText(line.label).width + PAD;
    if (x > PAD && x + wide > width) {
      x = PAD;
      y += LINE;
    }
    context.strokeStyle = line.borderColor;
    context.lineWidth = 2;
    context.setLineDash(line.borderDash ?? []);
    context.beginPath();
    context.moveTo(x, y - 4);
    context.lineTo(x + 28, y - 4);
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = colours.ink;
    context.fillText(line.label, x + 34, y);
    x += wide;
  }
  return y - top + LINE;
}

function picture(figure, chart) {
  const colours = palette();
  const drawing = chart.canvas;
  const ratio = chart.currentDevicePixelRatio;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  const head = PAD + 2 * LINE;
  const names = legend(context, chart.data.datasets, 0, chart.width, colours);
  canvas.width = drawing.width;
  canvas.height = drawing.height + (head + names + 2 * LINE) * ratio;
  context.scale(ratio, ratio);
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  const title = `${figure.querySelector(".chart-head :is(h2, h3)").textContent} · ${document.querySelector("h1").textContent}`;
  text(context, title, PAD + LINE - 6, "600 15px system-ui, sans-serif", colours.ink);
  const unit = figure.querySelector(".chart-unit").textContent.replace(/\s+/g, " ").trim();
  text(context, unit, PAD + 2 * LINE - 8, "12px system-ui, sans-serif", colours.muted);
  legend(context, chart.data.datasets, head + LINE - 6, chart.width, colours);
  context.drawImage(drawing, 0, head + names, chart.width, chart.height);
  text(context, location.href, head + names + chart.height + LINE, "11px system-ui, sans-serif", colours.muted);
  return canvas;
}

/** Has the browser save a chart's picture. */
export function savePng(figure, chart) {
  picture(figure, chart).toBlob((blob) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${figure.dataset.chart}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  });
}
