// Small comforts on every page. Without any of it each page reads and works.
import { keepFocus, restoreFocus } from "./focus.js";
import { listen } from "./keys.js";

function dark() {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function nameTheme() {
  const button = document.querySelector("[data-theme-toggle]");
  if (!button) return;
  button.classList.remove("waits");
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
  const text = button.closest(".code").querySelector("pre, textarea").textContent;
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
  const png = target.closest("[data-png]");
  if (png) import("./charts.js").then((charts) => charts.save(png.closest("figure")));
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
listen();

async function drawCharts() {
  const holders = document.querySelectorAll("[data-charts]:not([data-drawn])");
  if (holders.length === 0) return;
  const charts = await import("./charts.js");
  charts.drawCharts(holders);
}

function tell(text) {
  document.getElementById("told").textContent = text;
}

function failed(event) {
  const { boosted, pathInfo, requestConfig } = event.detail;
  if (!boosted) return;
  if (requestConfig.verb === "get") {
    location.assign(pathInfo.finalRequestPath); // the browser says what is wrong
    return;
  }
  const notice = document.createElement("div");
  notice.className = "notice bad";
  notice.setAttribute("role", "alert");
  notice.textContent = "The service could not be reached, so nothing was changed. Try again.";
  document.getElementById("main").prepend(notice);
}

// htmx replaces the main part of the page: filters, tabs, sorting, paging and forms. A live part is replaced while it is read.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { target } = event.detail;
  const live = target.matches(".live");
  if (live && event.detail.isError) event.detail.shouldSwap = false; // what was read stays; it is asked for again
  if (target.id === "main" || live) keepFocus(target);
});
document.addEventListener("htmx:afterSettle", (event) => {
  const live = event.target.matches(".live");
  if (event.target.id !== "main" && !live) return;
  restoreFocus(event.target);
  if (live) return;
  tell(event.target.querySelector("[data-told]")?.textContent ?? document.title);
});
document.addEventListener("htmx:afterSwap", drawCharts);
document.addEventListener("htmx:sendError", failed);
drawCharts();
