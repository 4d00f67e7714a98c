// Draws collapsed stacks as a flame graph, roots above: width is the number of samples. It adds samples up and does
// nothing else with them; the table below says the same in numbers. Of two sides laid over each other a box is as wide as
// the mean of their shares, and coloured by what the service found of their difference.
const NS = "http://www.w3.org/2000/svg";
const ROW = 17; // px
const NARROWEST = 0.6; // px; what is narrower is not drawn until one looks closer
const LETTER = 6.7; // px, of the font in flame.css
const MOST = 6000; // boxes

function parse(text) {
  const root = { name: "all", value: 0, children: new Map(), parent: null };
  for (const line of text.split("\n")) {
    const space = line.lastIndexOf(" ");
    if (space < 0) continue;
    const samples = Number(line.slice(space + 1));
    let node = root;
    node.value += samples;
    for (const name of line.slice(0, space).split(";")) {
      let child = node.children.get(name);
      if (!child) node.children.set(name, (child = { name, value: 0, children: new Map(), parent: node }));
      child.value += samples;
      node = child;
    }
  }
  return root;
}

const ordered = (node) => [...node.children.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
const share = (node, of) => `${((100 * node.value) / of.value).toPrecision(3)} %`;
const said = (node, of) => `${node.name}: ${node.value} samples, ${share(node, of)}`;
const short = (name) => name.replace(/^.*\.([^.]+\.[^.]+)$/, "$1");

function kind(node, workload) {
  if (workload && node.name === workload) return "workload";
  return /^(java|javax|jdk|sun|com\.sun)\./.test(node.name) ? "jdk" : "code";
}

const ALONE = {
  keys: `<span><i class="workload"></i>workload's method</span><span><i class="code"></i>server and libraries</span><span><i class="jdk"></i>JDK</span>`,
  kind,
  said,
  label: (node) => node.name,
};

const GRADES = ["", "slightly ", "", "far "];

/** How a box of two sides looks and what is said of it. */
function between(baseline, candidate) {
  const part = (samples, all) => `${samples} of ${all} samples, ${((100 * samples) / all).toPrecision(3)} %`;
  const word = (mark) =>
    mark === 0 ? "within sampling error" : `${GRADES[Math.abs(mark)]}${mark > 0 ? "more" : "less"}`;
  return {
    keys: `<span><i class="more3"></i><i class="more1"></i>more on the candidate</span><span><i class="less3"></i><i class="less1"></i>less</span><span><i class="same"></i>within sampling error</span>`,
    kind: (node) => (node.mark === 0 ? "same" : `${node.mark > 0 ? "more" : "less"}${Math.abs(node.mark)}`),
    said: (node, root) =>
      `${node.name}: ${word(node.mark)}; ${baseline} ${part(node.baseline, root.baseline)}; ${candidate} ${part(node.candidate, root.candidate)}`,
    label: (node) => (node.mark === 0 ? node.name : `${node.mark > 0 ? "+" : "−"} ${node.name}`),
  };
}

/** The tree of boxes that come each before what it called. */
function tree(answer) {
  const open = [];
  const all = answer.boxes[0];
  let root;
  for (const box of answer.boxes) {
    const parent = box.depth === 0 ? null : open[box.depth - 1];
    const node = {
      ...box,
      parent,
      children: new Map(),
      value: box.baseline / all.baseline + box.candidate / all.candidate,
    };
    parent?.children.set(node.name, node);
    open[box.depth] = node;
    root ??= node;
  }
  return root;
}

function element(name, attributes, parent) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent?.append(made);
  return made;
}

class Flame {
  constructor(holder, root, look = ALONE) {
    this.look = look;
    this.holder = holder;
    this.root = root;
    this.workload = holder.dataset.workload;
    this.top = root;
    this.boxes = new Map();
    this.build();
    new ResizeObserver(() => this.draw(this.top)).observe(this.scroll);
  }

  build() {
    this.holder.innerHTML = `<p class="flame-keys"><button type="button" class="button quiet">Whole graph</button>
      ${this.look.keys}
      <span>Arrow keys move, Enter looks closer, Escape back</span></p>
      <div class="flame-scroll"></div><p class="flame-said" aria-live="polite"></p>`;
    this.scroll = this.holder.querySelector(".flame-scroll");
    this.words = this.holder.querySelector(".flame-said");
    this.holder.querySelector("button").addEventListener("click", () => this.draw(this.root, this.root));
    this.svg = element("svg", { role: "tree", "aria-label": "Flame graph of CPU samples" }, this.scroll);
    this.svg.addEventListener("click", (event) => this.closer(this.nodeOf(event.target)));
    this.svg.addEventListener("mouseover", (event) => this.say(this.nodeOf(event.target)));
    this.svg.addEventListener("focusin", (event) => this.say(this.nodeOf(event.target)));
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  nodeOf(target) {
    return target.closest("g")?.node;
  }

  say(node) {
    if (node) this.words.textContent = this.look.said(node, this.root);
  }

  closer(node) {
    if (node) this.draw(node === this.top ? (node.parent ?? node) : node, node);
  }

  /** The frames from the root to top, each as wide as all, and what lies below top. */
  draw(top, focus) {
    this.top = top;
    const width = Math.max(200, this.scroll.clientWidth - 2);
    this.svg.replaceChildren();
    this.boxes.clear();
    let deepest = 0;
    const path = [];
    for (let node = top.parent; node; node = node.parent) path.unshift(node);
    path.forEach((node, depth) => this.box(node, 0, depth, width));
    const below = [[top, 0, path.length]];
    while (below.length > 0 && this.boxes.size < MOST) {
      const [node, x, depth] = below.shift();
      deepest = Math.max(deepest, depth);
      this.box(node, x, depth, (width * node.value) / top.value);
      let at = x;
      for (const child of ordered(node)) {
        const wide = (width * child.value) / top.value;
        if (wide >= NARROWEST) below.push([child, at, depth + 1]);
        at += wide;
      }
    }
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", (deepest + 1) * ROW);
    this.reach(this.boxes.has(focus) ? focus : top, focus !== undefined);
    this.holder.dataset.drawn = "true";
  }

  box(node, x, depth, width) {
    const g = element(
      "g",
      {
        class: this.look.kind(node, this.workload),
        role: "treeitem",
        tabindex: -1,
        "aria-level": depth + 1,
        "aria-label": this.look.said(node, this.root),
      },
      this.svg,
    );
    element("rect", { x, y: depth * ROW, width, height: ROW - 1, rx: 1.5 }, g);
    const letters = Math.floor((width - 6) / LETTER);
    if (letters >= 4) {
      const whole = this.look.label(node);
      const name = whole.length <= letters ? whole : this.look.label({ ...node, name: short(node.name) });
      element("text", { x: x + 3, y: depth * ROW + 12, "aria-hidden": "true" }, g).textContent =
        name.length <= letters ? name : `${name.slice(0, letters - 1)}…`;
    }
    g.node = node;
    this.boxes.set(node, g);
  }

  /** Makes a frame the one that Tab reaches. */
  reach(node, focus = true) {
    const g = this.boxes.get(node);
    if (!g) return;
    this.svg.querySelector('g[tabindex="0"]')?.setAttribute("tabindex", -1);
    g.setAttribute("tabindex", 0);
    if (focus) g.focus();
  }

  key(event) {
    const node = this.nodeOf(event.target);
    if (!node) return;
    const drawn = (parent) => ordered(parent).filter((child) => this.boxes.has(child));
    const beside = (step) => {
      const all = node.parent ? drawn(node.parent) : [node];
      return all[all.indexOf(node) + step];
    };
    const moves = {
      ArrowUp: () => node.parent,
      ArrowDown: () =>
        drawn(node).reduce((most, child) => (!most || child.value > most.value ? child : most), undefined),
      ArrowLeft: () => beside(-1),
      ArrowRight: () => beside(1),
      Home: () => this.root,
    };
    if (moves[event.key]) this.reach(moves[event.key]() ?? node);
    else if (event.key === "Enter" || event.key === " ") this.closer(node);
    else if (event.key === "Escape") this.draw(this.root, node);
    else return;
    event.preventDefault();
  }
}

async function start(holder) {
  const answer = await fetch(holder.dataset.flame);
  if (!answer.ok) throw new Error(`${holder.dataset.flame} answered ${answer.status}`);
  const root = parse(await answer.text());
  if (root.value > 0) new Flame(holder, root).draw(root);
  else holder.remove();
}

async function startDifference(holder) {
  const answer = await fetch(holder.dataset.flameDifference);
  if (!answer.ok) throw new Error(`${holder.dataset.flameDifference} answered ${answer.status}`);
  const root = tree(await answer.json());
  new Flame(holder, root, between(holder.dataset.baseline, holder.dataset.candidate)).draw(root);
}

for (const holder of document.querySelectorAll("[data-flame], [data-flame-difference]")) {
  (holder.dataset.flame ? start(holder) : startDifference(holder)).catch((error) => {
    holder.textContent = "The flame graph could not be drawn; its numbers are in the table below.";
    console.error(error);
  });
}
