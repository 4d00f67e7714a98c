// Dragging across a chart of builds shows those alone: an address like any other, so that "back" shows all again.
const LEAST = 8; // px; less was a click

function builds(chart, labels, left, right) {
  const at = (pixel) => chart.scales.x.getValueForPixel(pixel);
  return labels.filter((label) => label.key && label.x >= at(left) && label.x <= at(right));
}

function go(chosen) {
  const to = new URL(location.href);
  to.searchParams.delete("range");
  to.searchParams.set("from", chosen[0].key);
  to.searchParams.set("to", chosen.at(-1).key);
  location.assign(to);
}

/** One at a time: a chart that is drawn again takes the place of the one before. */
const active = new WeakMap();

/** @param labels of the x axis, each with the key that an address has of it */
export function zoom(box, chart, labels) {
  active.get(box)?.abort();
  const ended = new AbortController();
  active.set(box, ended);
  const listen = (name, then, options) => box.addEventListener(name, then, { signal: ended.signal, ...options });
  let start = null;
  let shade = null;
  let dragged = false;

  function stop() {
    shade?.remove();
    start = shade = null;
  }

  function place(event) {
    const area = chart.chartArea;
    return Math.min(area.right, Math.max(area.left, event.clientX - box.getBoundingClientRect().left));
  }

  listen("pointerdown", (event) => {
    dragged = false;
    if (event.pointerType !== "touch" && event.button === 0) start = place(event); // a finger scrolls the page
  });
  listen("pointermove", (event) => {
    if (start === null) return;
    const now = place(event);
    if (!shade && Math.abs(now - start) >= LEAST) {
      dragged = true;
      shade = document.createElement("div");
      shade.className = "chart-zoom";
      box.append(shade);
      box.setPointerCapture(event.pointerId);
    }
    if (!shade) return;
    shade.style.left = `${Math.min(start, now)}px`;
    shade.style.width = `${Math.abs(now - start)}px`;
  });
  listen("pointerup", (event) => {
    const chosen = shade ? builds(chart, labels, Math.min(start, place(event)), Math.max(start, place(event))) : [];
    stop();
    if (chosen.length) go(chosen);
  });
  // The click that ends a drag is not meant for the point below it.
  listen("click", (event) => dragged && event.stopPropagation(), { capture: true });
  listen("pointercancel", stop);
  document.addEventListener("keydown", (event) => event.key === "Escape" && stop(), { signal: ended.signal });
}
