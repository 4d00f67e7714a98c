// Small comforts on every page. Without any of it each page reads and works.

function dark() {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function nameTheme() {
  const button = document.querySelector("[data-theme-toggle]");
  if (!button) return;
  button.hidden = false;
  button.setAttribute("aria-label", dark() ? "Switch to the light theme" : "Switch to the dark theme");
}

function toggleTheme() {
  const theme = dark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("loomboard-theme", theme);
  } catch {
    // Not remembered, but in force on this page.
  }
  nameTheme();
}

async function copy(button) {
  const text = button.closest(".code").querySelector("pre").textContent;
  try {
    await navigator.clipboard.writeText(text.trim());
    button.textContent = "Copied";
  } catch {
    button.textContent = "Select and copy";
  }
  setTimeout(() => (button.textContent = "Copy"), 1500);
}

/** A form of filters is sent as soon as a choice is made; its button stays for those without scripts. */
function sendOnChange(form) {
  form.addEventListener("change", () => form.requestSubmit());
  for (const button of form.querySelectorAll("[data-no-script]")) button.hidden = true;
}

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (menu !== except) menu.open = false;
  }
}

/** How many rows are picked; the server has the last word, this only saves a click. */
function countPicked(form) {
  const button = form.querySelector("[data-pick-button]");
  const limit = Number(form.dataset.pickLimit);
  const boxes = [...form.querySelectorAll("input[type=checkbox][data-pick]")];
  const update = () => {
    const jdks = new Set(boxes.filter((box) => box.checked).map((box) => box.dataset.pick));
    button.textContent = jdks.size ? `Compare ${jdks.size} JDK build${jdks.size > 1 ? "s" : ""}` : "Compare";
    button.disabled = jdks.size > limit;
  };
  form.addEventListener("change", update);
  update();
}

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  if (!target) return;
  if (target.closest("[data-theme-toggle]")) toggleTheme();
  const button = target.closest(".code .copy");
  if (button) copy(button);
  closeMenus(target.closest("details.menu"));
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const open = document.querySelector("details.menu[open]");
  closeMenus(null);
  open?.querySelector("summary").focus();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", nameTheme);
nameTheme();
document.querySelectorAll("form[data-send-on-change]").forEach(sendOnChange);
document.querySelectorAll("form[data-pick-limit]").forEach(countPicked);
