// Runs before the first paint so that a remembered theme does not flash. Everything else waits for app.js.
(() => {
  const root = document.documentElement;
  root.classList.add("scripted");
  try {
    const theme = localStorage.getItem("loomboard-theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; then the system's preference stays.
  }
})();
