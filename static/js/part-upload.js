// Sends a file in parts, each with its SHA-256: PartUpload.run(file, parts, options) resolves when all are stored.
// Parts come from the API: number, size, url, method, headers, received, sha256. Lost connections are waited out;
// an answer that says no is an error whose message a person can read.
(() => {
  "use strict";
  const PARALLEL = 3;
  const STALLED_MS = 60_000;
  const LONGEST_WAIT_MS = 30_000;
  const DAMAGED = new Set(["part_checksum", "part_cut_short", "part_size", "part_too_long"]);
  const MOST_DAMAGED = 5;

  const SIGNED_OUT = "You are no longer signed in. Reload this page and sign in; what has arrived stays here, and the upload goes on from its submission page.";

  class Refused extends Error {}

  const sleep = (ms) => new Promise((resolve) => {
    const wake = () => { clearTimeout(timer); window.removeEventListener("online", wake); resolve(); };
    const timer = setTimeout(wake, ms);
    // The browser often knows before the timer that the network is back.
    window.addEventListener("online", wake);
  });

  const sha256 = async (blob) => {
    let bytes;
    try {
      bytes = await blob.arrayBuffer();
    } catch {
      throw new Refused("The file can no longer be read. Was it changed, moved or deleted? Choose it again.");
    }
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  };

  const slice = (file, part, partSize) => file.slice((part.number - 1) * partSize, (part.number - 1) * partSize + part.size);

  const explain = (status, text) => {
    let said = {};
    try { said = JSON.parse(text); } catch { /* not ours: a proxy, say */ }
    if (status === 401 || status === 403) return { codes: [], message: SIGNED_OUT };
    const reasons = (said.errors ?? []).map((error) => error.message).join(" ");
    return { codes: (said.errors ?? []).map((error) => error.code), message: reasons || said.detail || `The server answered ${status}.` };
  };

  // One request. Resolves with status, text and the seconds to wait that the server named; status 0 is a lost connection.
  const put = (part, blob, digest, csrf, onProgress) => new Promise((resolve) => {
    const request = new XMLHttpRequest();
    let stalled;
    const watch = () => { clearTimeout(stalled); stalled = setTimeout(() => request.abort(), STALLED_MS); };
    const done = (status) => {
      clearTimeout(stalled);
      const waitS = Number(status ? request.getResponseHeader("Retry-After") : 0);
      resolve({ status, text: status ? request.responseText : "", waitS: Number.isFinite(waitS) ? waitS : 0 });
    };
    request.open(part.method, part.url);
    Object.entries(part.headers).forEach(([name, value]) => request.setRequestHeader(name, value));
    request.setRequestHeader("X-Checksum-Sha256", digest);
    // The token is for this site alone; a store elsewhere signs its addresses instead.
    if (new URL(part.url, location.href).origin === location.origin) request.setRequestHeader("X-CSRFToken", csrf);
    request.upload.addEventListener("progress", (event) => { watch(); onProgress(event.loaded); });
    request.addEventListener("load", () => done(request.status));
    ["error", "abort", "timeout"].forEach((kind) => request.addEventListener(kind, () => done(0)));
    watch();
    request.send(blob);
  });

  // A part that is here must be the same bytes as in this file.
  const compare = async (file, part, partSize) => {
    if (part.sha256 !== await sha256(slice(file, part, partSize))) {
      throw new Refused(`Part ${part.number} that is already here differs from this file. Choose the file the upload was begun with, or begin a new submission.`);
    }
  };

  const send = async (file, part, { partSize, csrf, onBytes, onWaiting, isStopped }) => {
    const blob = slice(file, part, partSize);
    const digest = await sha256(blob);
    let waitMs = 1000;
    for (let damaged = 0; !isStopped();) {
      const answer = await put(part, blob, digest, csrf, (bytes) => { onWaiting(part.number, false); onBytes(part.number, bytes); });
      if (answer.status >= 200 && answer.status < 300) {
        onWaiting(part.number, false);
        onBytes(part.number, part.size);
        return;
      }
      onBytes(part.number, 0);
      const { codes, message } = explain(answer.status, answer.text);
      const isDamaged = codes.some((code) => DAMAGED.has(code));
      damaged += isDamaged ? 1 : 0;
      const isPassing = answer.status === 0 || answer.status === 429 || answer.status >= 500;
      if (!isPassing && !(isDamaged && damaged < MOST_DAMAGED)) throw new Refused(message);
      onWaiting(part.number, !isDamaged);
      await sleep(Math.max(waitMs, answer.waitS * 1000));
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    }
  };

  // Does the work for each part, some at a time. The first refusal stops the others, and is the one that is shown.
  const forEach = async (parts, work) => {
    let failure = null;
    const queue = [...parts];
    const isStopped = () => failure !== null;
    const next = async () => {
      for (let part = queue.shift(); part && !isStopped(); part = queue.shift()) await work(part, isStopped);
    };
    await Promise.all(Array.from({ length: PARALLEL }, () => next().catch((error) => { failure ??= error; })));
    if (failure) throw failure;
  };

  const run = async (file, parts, options) => {
    // All comparisons first: a part of a wrong file, once sent, would keep the right one out.
    await forEach(parts.filter((part) => part.received), async (part) => {
      await compare(file, part, options.partSize);
      options.onBytes(part.number, part.size);
    });
    await forEach(parts.filter((part) => !part.received), (part, isStopped) => send(file, part, { ...options, isStopped }));
  };

  window.PartUpload = { run, explain, sleep, Refused };
})();
