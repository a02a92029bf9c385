// The API reference is drawn by a widget that calls its list of routes the page's main part; the page has one already.
(() => {
  "use strict";
  const box = document.querySelector("#swagger-ui");
  new MutationObserver(() => {
    box.querySelectorAll("main, [role=main]").forEach((inner) => inner.setAttribute("role", "presentation"));
  }).observe(box, { childList: true, subtree: true });
})();
