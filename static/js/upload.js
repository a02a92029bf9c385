// The upload form: <form data-upload>, with data-create (a new submission) or data-resume and data-complete (one that
// was begun before). Without this script, or without checksums in the browser, the form is an ordinary one.
(() => {
  "use strict";
  const RATE_WINDOW_MS = 10_000;
  const { run, explain, sleep, Refused } = window.PartUpload;

  const inUnits = (bytes) => {
    const units = ["bytes", "KB", "MB", "GB", "TB"];
    const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
    return `${(bytes / 1024 ** power).toFixed(power ? 1 : 0)} ${units[power]}`;
  };

  const inTime = (seconds) => {
    if (seconds < 60) return `${Math.ceil(seconds)} s`;
    if (seconds < 3600) return `${Math.ceil(seconds / 60)} min`;
    return `${Math.floor(seconds / 3600)} h ${Math.round(seconds % 3600 / 60)} min`;
  };

  // Bytes, share, rate and time left. The rate is that of the last seconds, since the first ones tell little.
  class Progress {
    constructor(form, total) {
      this.bar = form.querySelector("[data-progress]");
      this.figures = form.querySelector("[data-figures]");
      this.total = total;
      this.bytes = new Map();
      this.samples = [];
      this.bar.max = total;
      this.bar.hidden = this.figures.hidden = false;
    }

    set(number, bytes) {
      this.bytes.set(number, Math.max(0, bytes));
      const sent = Math.min(this.total, [...this.bytes.values()].reduce((sum, value) => sum + value, 0));
      const now = performance.now();
      this.samples.push([now, sent]);
      while (this.samples.length > 2 && now - this.samples[0][0] > RATE_WINDOW_MS) this.samples.shift();
      this.bar.value = sent;
      this.figures.textContent = this.text(sent);
    }

    text(sent) {
      const share = Math.floor(100 * sent / this.total);
      const [[since, from], [until, to]] = [this.samples[0], this.samples.at(-1)];
      const rate = until - since > 500 ? 1000 * (to - from) / (until - since) : 0;
      const speed = rate > 0 ? `, ${inUnits(rate)}/s, ${inTime((this.total - sent) / rate)} left` : "";
      return `${inUnits(sent)} of ${inUnits(this.total)}, ${share} %${speed}`;
    }
  }

  const show = (element, text) => {
    element.hidden = !text;
    element.textContent = text;
  };

  // A request to the site itself, repeated while the connection is away. Every address asked here may be asked twice.
  const ask = async (url, form, method = "GET", body = undefined) => {
    const say = form.querySelector("[data-status]");
    for (let waitMs = 1000; ; waitMs = Math.min(waitMs * 2, 30_000)) {
      let answer = null;
      try {
        answer = await fetch(url, {
          method, body: body && JSON.stringify(body), credentials: "same-origin",
          headers: { "Content-Type": "application/json", "X-CSRFToken": form.elements.csrfmiddlewaretoken.value },
        });
      } catch { /* the connection is away */ }
      if (answer?.ok) return answer.json();
      if (answer && answer.status < 500 && answer.status !== 429) throw new Refused(explain(answer.status, await answer.text()).message);
      const text = answer?.status === 503 ? explain(503, await answer.text()).message : "";
      show(say, text || "Waiting for the connection …");
      await sleep(Math.max(waitMs, 1000 * (Number(answer?.headers.get("Retry-After")) || 0)));
    }
  };

  const begin = async (form, file) => {
    const { create, resume, complete, page } = form.dataset;
    if (!create) return { upload: await ask(resume, form), complete, page };
    const value = (name) => form.elements[name]?.value || undefined;
    const made = await ask(create, form, "POST", {
      team: value("team"), benchmark: value("benchmark"), supersedes: value("supersedes"),
      creation_key: value("creation_key"), filename: file.name, size: file.size,
    });
    return { upload: made.upload, complete: `${create}/${made.id}/complete`, page: made.page };
  };

  const checkSame = (file, upload) => {
    if (file.size === upload.size && file.name === upload.filename) return;
    throw new Refused(`This is ${file.name} with ${file.size} bytes; the upload was begun for ${upload.filename} with ${upload.size}. Choose the same file, or begin a new submission.`);
  };

  const send = async (form, file) => {
    const say = form.querySelector("[data-status]");
    show(say, "Preparing …");
    const { upload, complete, page } = await begin(form, file);
    // A reload from here on opens the submission's page, where the upload goes on.
    history.replaceState(null, "", page);
    checkSame(file, upload);
    const progress = new Progress(form, upload.size);
    const waiting = new Set();
    show(say, "Uploading. You may reload this page or lose the connection: the upload goes on where it stopped.");
    await run(file, upload.parts, {
      partSize: upload.part_size,
      csrf: form.elements.csrfmiddlewaretoken.value,
      addresses: upload.addresses,
      ask: (url, body) => ask(url, form, "POST", body),
      onBytes: (number, bytes) => progress.set(number, Math.min(bytes, upload.parts[number - 1].size)),
      onWaiting: (number, isWaiting) => {
        const before = waiting.size;
        if (isWaiting) waiting.add(number); else waiting.delete(number);
        if (!before !== !waiting.size) show(say, waiting.size ? "Waiting for the connection …" : "Uploading.");
      },
    });
    show(say, "Finishing …");
    await ask(complete, form, "POST", {});
    location.assign(page);
  };

  const attach = (form) => {
    const input = form.elements.bundle;
    const zone = form.querySelector("[data-dropzone]");
    const problem = form.querySelector("[data-problem]");
    const button = form.querySelector("[data-send]");

    ["dragenter", "dragover"].forEach((kind) => zone.addEventListener(kind, (event) => { event.preventDefault(); zone.classList.add("is-over"); }));
    ["dragleave", "drop"].forEach((kind) => zone.addEventListener(kind, (event) => { event.preventDefault(); zone.classList.remove("is-over"); }));
    zone.addEventListener("drop", (event) => {
      if (event.dataTransfer.files.length && !input.disabled) input.files = event.dataTransfer.files;
    });

    if (!window.crypto?.subtle) {
      form.querySelector("[data-insecure]").hidden = false;
      return;
    }
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const [file] = input.files;
      button.disabled = input.disabled = true;
      show(problem, "");
      try {
        await send(form, file);
      } catch (error) {
        show(form.querySelector("[data-status]"), "");
        show(problem, error instanceof Refused ? error.message : "The upload stopped because of a fault in this page. Reload it and try again.");
        button.disabled = input.disabled = false;
        if (!(error instanceof Refused)) throw error;
      }
    });
  };

  document.querySelectorAll("form[data-upload]").forEach(attach);
})();
