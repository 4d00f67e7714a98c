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

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (menu !== except) menu.open = false;
  }
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
