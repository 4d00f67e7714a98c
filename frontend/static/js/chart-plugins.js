// Three things Chart.js does not draw by itself.

/** Stretches of the x axis with a name: the phases of a trial, the segments of a history. */
export const bands = {
  id: "bands",
  beforeDatasetsDraw(chart, _args, options) {
    const { ctx, chartArea: area, scales } = chart;
    ctx.save();
    ctx.font = "10px system-ui, sans-serif";
    ctx.textBaseline = "top";
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
        ctx.fillText(band.name, left + 4, area.top + 2);
      }
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
