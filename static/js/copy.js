// Copies the text of the element a button names: <button type="button" data-copy="#id" hidden>Copy</button>.
// The button stays hidden where the browser offers no clipboard, since it would do nothing there.
(() => {
  "use strict";
  const SHOWN_MS = 2000;

  const say = (button, text) => {
    const before = button.dataset.label ?? (button.dataset.label = button.textContent);
    button.textContent = text;
    setTimeout(() => { button.textContent = before; }, SHOWN_MS);
  };

  const copy = async (button) => {
    const source = document.querySelector(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.textContent.trim());
      say(button, "Copied");
    } catch {
      say(button, "Select and copy by hand");
    }
  };

  if (!navigator.clipboard) return;
  document.querySelectorAll("button[data-copy]").forEach((button) => {
    button.hidden = false;
    button.setAttribute("aria-live", "polite");
    button.addEventListener("click", () => copy(button));
  });
})();
