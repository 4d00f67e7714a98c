// Two things Chart.js does not draw by itself.

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
