// What Chart.js does not draw by itself.

/** Height of a lane below the axis. */
export const LANE = 16;

/** Stretches of the x axis with a name: the phases of a trial, the segments of a history. */
export const bands = {
  id: "bands",
  beforeDatasetsDraw(chart, _args, options) {
    const { ctx, chartArea: area, scales } = chart;
    ctx.save();
    ctx.font = "10px system-ui, sans-serif";
    ctx.textBaseline = options.low ? "bottom" : "top";
    const line = options.low ? area.bottom - 2 : area.top + 2; // above are the names of marks
    (options.bands ?? []).forEach((band, i) => {
      const left = Math.max(area.left, scales.x.getPixelForValue(band.from));
      const right = Math.min(area.right, scales.x.getPixelForValue(band.to));
      if (!(right > left)) return;
      if (band.strong || i % 2) {
        ctx.globalAlpha = band.strong ? 0.9 : 0.45;
        ctx.fillStyle = options.colours.sunken;
        ctx.fillRect(left, area.top, right - left, area.bottom - area.top);
      }
      ctx.globalAlpha = 1;
      ctx.strokeStyle = options.colours.strong;
      ctx.setLineDash([2, 3]);
      ctx.beginPath();
      ctx.moveTo(left, area.top);
      ctx.lineTo(left, area.bottom);
      ctx.stroke();
      if (ctx.measureText(band.name).width < right - left - 6) {
        ctx.fillStyle = options.colours.muted;
        ctx.fillText(band.name, left + 4, line);
      }
    });
    ctx.restore();
  },
};

/** Values that nothing is learnt about: those too near to a level to be told from it. */
export const reaches = {
  id: "reaches",
  beforeDatasetsDraw(chart, _args, options) {
    const { ctx, chartArea: area, scales } = chart;
    ctx.save();
    ctx.beginPath();
    ctx.rect(area.left, area.top, area.right - area.left, area.bottom - area.top);
    ctx.clip();
    ctx.globalAlpha = 0.14;
    for (const { from, to, low, high, colour } of options.reaches ?? []) {
      const left = scales.x.getPixelForValue(from);
      const top = scales.y.getPixelForValue(high);
      ctx.fillStyle = options.colours.lines[colour - 1];
      ctx.fillRect(left, top, scales.x.getPixelForValue(to) - left, scales.y.getPixelForValue(low) - top);
    }
    ctx.restore();
  },
};

/** A word that ends where there is no more room. */
function fitting(ctx, text, room) {
  if (ctx.measureText(text).width <= room) return text;
  let end = text.length - 1;
  while (end > 0 && ctx.measureText(`${text.slice(0, end)}…`).width > room) end--;
  return end > 0 ? `${text.slice(0, end)}…` : "";
}

/** Rows below the axis: which server and which host measured what is above. */
export const lanes = {
  id: "lanes",
  afterDatasetsDraw(chart, _args, options) {
    const { ctx, chartArea: area, scales } = chart;
    const all = options.lanes ?? [];
    ctx.save();
    ctx.font = "10px system-ui, sans-serif";
    ctx.textBaseline = "middle";
    all.forEach((lane, row) => {
      const top = chart.height - (all.length - row) * LANE;
      ctx.fillStyle = options.colours.muted;
      ctx.fillText(fitting(ctx, lane.name, area.left - 4), 0, top + LANE / 2);
      lane.stretches.forEach((stretch, i) => {
        const left = Math.max(area.left, scales.x.getPixelForValue(stretch.from));
        const right = Math.min(area.right, scales.x.getPixelForValue(stretch.to));
        if (!(right > left)) return;
        ctx.globalAlpha = i % 2 ? 1 : 0.5;
        ctx.fillStyle = options.colours.line;
        ctx.fillRect(left, top + 1, right - left - 1, LANE - 3);
        ctx.globalAlpha = 1;
        ctx.fillStyle = options.colours.ink;
        ctx.fillText(fitting(ctx, stretch.name, right - left - 8), left + 4, top + LANE / 2);
      });
    });
    ctx.restore();
  },
};

/** Named upright lines: changes and notes of a history. Names that would meet go below each other. */
export const marks = {
  id: "marks",
  afterDatasetsDraw(chart, _args, options) {
    const { ctx, chartArea: area, scales } = chart;
    const free = []; // where the last name of each row ends
    ctx.save();
    ctx.font = "10px system-ui, sans-serif";
    ctx.textBaseline = "top";
    const sorted = [...(options.marks ?? [])].sort((a, b) => a.x - b.x);
    for (const mark of sorted) {
      const x = scales.x.getPixelForValue(mark.x);
      ctx.strokeStyle = ctx.fillStyle = options.colours[mark.colour];
      ctx.lineWidth = mark.dash.length ? 1 : 1.75;
      ctx.setLineDash(mark.dash);
      ctx.beginPath();
      ctx.moveTo(x, area.top);
      ctx.lineTo(x, area.bottom);
      ctx.stroke();
      const width = ctx.measureText(mark.text).width + 6;
      const left = x + 3 + width > area.right ? x - width : x + 3;
      let row = free.findIndex((end) => end <= left);
      if (row < 0) row = free.push(0) - 1;
      free[row] = left + width;
      ctx.fillText(mark.text, left, area.top + 2 + row * 12);
    }
    ctx.restore();
  },
};

const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** What each mark is called, beside it, as far as there is room; the others are called by hovering and in the table. */
export const names = {
  id: "names",
  afterDatasetsDraw(chart, _args, options) {
    if (!options.shown) return;
    const { ctx, chartArea: area } = chart;
    const spots = chart.data.datasets.flatMap((dataset, i) =>
      dataset.borderDash.length
        ? []
        : chart.getDatasetMeta(i).data.map((at, k) => ({ at, point: dataset.data[k].point })),
    );
    const taken = spots.map(({ at }) => ({ left: at.x - 5, right: at.x + 5, top: at.y - 5, bottom: at.y + 5 }));
    ctx.save();
    ctx.font = "10px system-ui, sans-serif";
    ctx.textBaseline = "middle";
    ctx.fillStyle = options.colours.muted;
    for (const { at, point } of spots) {
      const width = ctx.measureText(point.label).width;
      for (const left of [at.x + 8, at.x - 8 - width]) {
        const box = { left, right: left + width, top: at.y - 6, bottom: at.y + 6 };
        if (left < area.left || box.right > area.right || taken.some((other) => meet(box, other))) continue;
        taken.push(box);
        ctx.fillText(point.label, left, at.y);
        break;
      }
    }
    ctx.restore();
  },
};

/** The 95 % interval of each point that has one. */
export const whiskers = {
  id: "whiskers",
  afterDatasetsDraw(chart) {
    const { ctx, scales } = chart;
    chart.data.datasets.forEach((dataset) => {
      ctx.save();
      ctx.strokeStyle = dataset.borderColor;
      ctx.lineWidth = 1.5;
      for (const { x, point } of dataset.data) {
        if (point.low == null || point.high == null) continue;
        const px = scales.x.getPixelForValue(x);
        ctx.beginPath();
        ctx.moveTo(px, scales.y.getPixelForValue(point.low));
        ctx.lineTo(px, scales.y.getPixelForValue(point.high));
        ctx.stroke();
      }
      ctx.restore();
    });
  },
};
