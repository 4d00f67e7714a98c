// Keys for those who look through lists. None does what a link or a form does not.
const STATES = { a: "acknowledged", e: "expected", x: "fixed" };

const names = () =>
  [...document.querySelectorAll("#main tbody th[scope=row] a[href]")].filter((link) => link.offsetParent !== null);

/** The name of the next row, or of the one before; from elsewhere the first. */
function step(by) {
  const all = names();
  const row = document.activeElement?.closest("tbody tr");
  const now = row ? all.findIndex((link) => link.closest("tr") === row) : -1;
  const next = now < 0 ? all[by > 0 ? 0 : all.length - 1] : all[now + by];
  next?.focus();
  return next !== undefined;
}

/** What a regression is, said by its form. */
function triage(state) {
  const form = document.querySelector("#triage form");
  if (!form) return false;
  form.elements.state.value = state;
  form.requestSubmit();
  return true;
}

function search() {
  const field = document.querySelector("#asked, #search");
  field?.focus();
  return field !== null;
}

function show() {
  const dialog = document.querySelector("#keys");
  if (!dialog.open) dialog.showModal();
  return true;
}

const KEYS = { "/": search, "?": show, j: () => step(1), k: () => step(-1) };
for (const [key, state] of Object.entries(STATES)) KEYS[key] = () => triage(state);

export function listen() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select, dialog, svg")) return;
    if (KEYS[event.key]?.()) event.preventDefault();
  });
  document.querySelector("[data-keys-close]")?.addEventListener("click", () => document.querySelector("#keys").close());
}
