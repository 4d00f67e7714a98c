// The focus across a replacement of a part, such as the main one: it stays on the same control, else in the same group, else on the part.

let last = null;

function words(element) {
  return element.textContent.replace(/[↑↓]/g, "").trim();
}

function groupOf(element) {
  return (
    element.closest("[role=group][aria-label], [role=region][aria-label], nav[aria-label], form") ??
    element.closest("table")
  );
}

function groupName(element) {
  const group = groupOf(element);
  return group ? (group.getAttribute("aria-label") ?? group.getAttribute("action") ?? group.tagName) : null;
}

/** Notes which control of a part has the focus. */
export function keepFocus(part) {
  const element = document.activeElement;
  last = part.contains(element)
    ? {
        id: element.id,
        tag: element.tagName,
        name: element.name ?? "",
        words: words(element),
        group: groupName(element),
      }
    : null;
}

function same(element) {
  return (element.name ?? "") === last.name && words(element) === last.words && groupName(element) === last.group;
}

/** Focuses what was noted in the new part. */
export function restoreFocus(part) {
  if (last === null) return;
  const alike = [...part.querySelectorAll(last.tag)].find(same);
  const inGroup = [...part.querySelectorAll("a[href], button, summary, input, select")].find(
    (element) => last.group !== null && groupName(element) === last.group,
  );
  const element = (last.id && document.getElementById(last.id)) || alike || inGroup || part;
  element.focus({ preventScroll: true });
  last = null;
}
