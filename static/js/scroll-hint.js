// Says where a table goes on to the right: marks .table-scroll while there is more to see by scrolling sideways.
(() => {
  "use strict";
  const BOX = ".table-scroll";

  const mark = (box) => {
    const more = box.scrollWidth - box.clientWidth - box.scrollLeft > 8;
    box.toggleAttribute("data-more", more);
  };

  const sizes = new ResizeObserver((entries) => entries.forEach((entry) => mark(entry.target)));
  const watch = (root) => root.querySelectorAll(BOX).forEach((box) => {
    sizes.observe(box);
    box.addEventListener("scroll", () => mark(box), { passive: true });
  });

  watch(document);
  // htmx puts new tables where the old ones stood.
  document.addEventListener("htmx:afterSwap", () => watch(document));
})();
