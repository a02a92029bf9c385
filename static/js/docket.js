// Keys for a list: j and k move from line to line, / searches, ? hides or shows the line that says so.
// <ol data-docket> holds the lines, each with a link marked data-item; <p data-keys hidden> is the help line.
// Enter needs no help from here: what is in focus is a link.
(() => {
  "use strict";
  const list = document.querySelector("[data-docket]");
  const help = document.querySelector("[data-keys]");
  const search = document.querySelector("input[type=search]");

  const isTyping = (target) => target.closest("input, select, textarea, [contenteditable]") !== null;
  const links = () => [...(list?.querySelectorAll("[data-item]") ?? [])];

  const move = (step) => {
    const all = links();
    if (all.length === 0) return;
    const here = all.indexOf(document.activeElement);
    const next = here < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(here + step, 0), all.length - 1);
    all[next].focus();
    all[next].closest("li").scrollIntoView({ block: "nearest" });
  };

  const keys = {
    j: () => move(1),
    k: () => move(-1),
    "/": () => search?.focus(),
    "?": () => { if (help) help.hidden = !help.hidden; },
  };

  if (help) help.hidden = false;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
})();
