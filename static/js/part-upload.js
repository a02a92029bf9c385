// Sends a file in parts, each with its SHA-256: PartUpload.run(file, parts, options) resolves when all are stored.
// Parts come from the API: number, size, url, method, headers, received, sha256. Where they have no url, each gets an
// address of its own from options.addresses just before it is sent, good for its bytes and for a quarter of an hour.
// Lost connections are waited out; an answer that says no is an error whose message a person can read.
(() => {
  "use strict";
  const PARALLEL = 3;
  const STALLED_MS = 60_000;
  const LONGEST_WAIT_MS = 30_000;
  const DAMAGED = new Set(["part_checksum", "part_cut_short", "part_size", "part_too_long"]);
  const MOST_DAMAGED = 5;
  // So many addresses are asked for at a time: few requests, and none grows old before it is used.
  const BATCH = 12;

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
      const waitS = Number(status >= 400 ? request.getResponseHeader("Retry-After") : 0);
      resolve({ status, text: status ? request.responseText : "", waitS: Number.isFinite(waitS) ? waitS : 0 });
    };
    request.open(part.method, part.url);
    Object.entries(part.headers).forEach(([name, value]) => request.setRequestHeader(name, value));
    // These are for this site alone; a store elsewhere signs its addresses instead.
    if (isOurs(part.url)) {
      request.setRequestHeader("X-Checksum-Sha256", digest);
      request.setRequestHeader("X-CSRFToken", csrf);
    }
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

  const isOurs = (url) => new URL(url, location.href).origin === location.origin;

  // A digest and, where the store gives each part an address of its own, that address.
  const announce = async (file, parts, { partSize, addresses, ask }) => {
    const digests = new Map();
    for (const part of parts) digests.set(part.number, await sha256(slice(file, part, partSize)));
    if (!addresses) return parts.map((part) => ({ part, digest: digests.get(part.number), target: part }));
    const said = await ask(addresses, { parts: parts.map(({ number }) => ({ number, sha256: digests.get(number) })) });
    const targets = new Map(said.parts.map((target) => [target.number, target]));
    return parts.map((part) => ({ part, digest: digests.get(part.number), target: targets.get(part.number) }));
  };

  // What an answer means: stored, damaged on the way, an address that is no longer good, busy, or no.
  const judge = (answer, target) => {
    const { codes, message } = explain(answer.status, answer.text);
    if (answer.status >= 200 && answer.status < 300) return { kind: "stored" };
    if (codes.some((code) => DAMAGED.has(code))) return { kind: "damaged", message };
    if (answer.status === 0 || answer.status === 429 || answer.status >= 500) return { kind: "passing", message };
    if (!isOurs(target.url)) return { kind: "damaged", message: `The store refused a part again and again (${answer.status}). Try again later.` };
    return { kind: "no", message };
  };

  const send = async (file, announced, options) => {
    const { onBytes, onWaiting, isStopped, csrf } = options;
    const { part } = announced;
    let { digest, target } = announced;
    let waitMs = 1000;
    for (let damaged = 0; !isStopped();) {
      const blob = slice(file, part, options.partSize);
      const answer = await put(target, blob, digest, csrf, (bytes) => { onWaiting(part.number, false); onBytes(part.number, bytes); });
      const { kind, message } = judge(answer, target);
      if (kind === "stored") {
        onWaiting(part.number, false);
        onBytes(part.number, part.size);
        return;
      }
      onBytes(part.number, 0);
      damaged += kind === "damaged" ? 1 : 0;
      if (kind === "no" || damaged >= MOST_DAMAGED) throw new Refused(message);
      onWaiting(part.number, kind === "passing");
      await sleep(Math.max(waitMs, answer.waitS * 1000));
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
      // The address may have grown old meanwhile.
      if (options.addresses) [{ digest, target }] = await announce(file, [part], options);
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
    const missing = parts.filter((part) => !part.received);
    const deliver = (announced, isStopped) => send(file, announced, { ...options, isStopped });
    if (!options.addresses) {
      await forEach(missing, async (part, isStopped) => deliver((await announce(file, [part], options))[0], isStopped));
      return;
    }
    while (missing.length) await forEach(await announce(file, missing.splice(0, BATCH), options), deliver);
  };

  window.PartUpload = { run, explain, sleep, Refused };
})();
