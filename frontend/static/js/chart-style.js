// Colours come from tokens.css, read as the browser resolved them, so that a chart follows the theme.
const MARKERS = ["circle", "rect", "triangle", "rectRot", "crossRot"];

function resolved(probe, name) {
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}

export function palette() {
  const probe = document.createElement("span");
  document.body.append(probe);
  const read = (name) => resolved(probe, name);
  const colours = {
    lines: ["--virtual", "--platform", "--eventloop", "--other", "--muted"].map(read),
    ink: read("--ink"),
    muted: read("--muted"),
    line: read("--line"),
    strong: read("--line-strong"),
    panel: read("--panel"),
    sunken: read("--sunken"),
    good: read("--good"),
    bad: read("--bad"),
  };
  probe.remove();
  return colours;
}

/** The second cue beside the colour: the shape of a line's points. */
export function marker(colour) {
  return MARKERS[(colour - 1) % MARKERS.length];
}
