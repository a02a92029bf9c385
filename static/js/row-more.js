// Opens a row of a board: <a href="/entries/x/" data-expand="/entries/x/brief/"> fetches the part once and shows it
// below its row. Without this script, or where fetching fails, the link leads to the entry's page.
(() => {
  "use strict";
  const LINK = "a[data-expand]";

  const below = (row) => {
    const line = document.createElement("tr");
    const cell = document.createElement("td");
    line.className = "more-row";
    cell.colSpan = row.cells.length;
    line.append(cell);
    return line;
  };

  const open = async (link) => {
    const answer = await fetch(link.dataset.expand, { headers: { Accept: "text/html" } });
    if (!answer.ok) throw new Error(answer.statusText);
    const row = link.closest("tr");
    const line = below(row);
    // Our own page's part, drawn by the server with everything escaped.
    line.firstChild.innerHTML = await answer.text();
    row.after(line);
    return line;
  };

  const toggle = async (link) => {
    const shown = link.getAttribute("aria-expanded") === "true";
    const next = link.closest("tr").nextElementSibling;
    const line = next?.classList.contains("more-row") ? next : await open(link);
    line.hidden = shown;
    link.setAttribute("aria-expanded", String(!shown));
  };

  const prepare = () => document.querySelectorAll(LINK).forEach((link) => {
    link.setAttribute("role", "button");
    if (!link.hasAttribute("aria-expanded")) link.setAttribute("aria-expanded", "false");
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.(LINK);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || link.getAttribute("aria-busy")) return;
    event.preventDefault();
    link.setAttribute("aria-busy", "true");
    toggle(link).catch(() => { location.href = link.href; }).finally(() => link.removeAttribute("aria-busy"));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || !event.target.matches?.(LINK)) return;
    event.preventDefault();
    event.target.click();
  });
  document.addEventListener("htmx:afterSwap", prepare);
  prepare();
})();
