// Shows at once what has happened at the table. Without it the link “Refresh” does the same.
"use strict";

(() => {
  const news = document.getElementById("news");
  let fetching = false;
  let behind = false;
  let wait = 500;
  let began = performance.now();

  const table = () => document.getElementById("table");

  // Whoever is typing or choosing is not disturbed; the page catches up afterwards.
  const busy = () => {
    const at = document.activeElement;
    return Boolean(at && table().contains(at) && at.matches("input:not([type=hidden]), select, textarea"));
  };

  // What has the focus, by a selector that finds its like on the next page.
  const mark = (element) => {
    if (!element || !table().contains(element)) return null;
    if (element.id) return "#" + CSS.escape(element.id);
    if (element.name && element.value) {
      return `[name="${CSS.escape(element.name)}"][value="${CSS.escape(element.value)}"]`;
    }
    if (element.tagName === "SUMMARY" && element.parentElement.id) return `#${element.parentElement.id} > summary`;
    return null;
  };

  const swap = (next) => {
    const old = table();
    const focus = mark(document.activeElement);
    const had = old.contains(document.activeElement);
    for (const open of old.querySelectorAll("details[open][id]")) {
      const same = next.querySelector("#" + CSS.escape(open.id));
      if (same) same.open = true;
    }
    old.replaceWith(document.adoptNode(next));
    began = performance.now();
    if (had) {
      const found = focus && table().querySelector(focus);
      (found || document.getElementById("main")).focus({ preventScroll: true });
    }
    news.textContent = next.dataset.news;
  };

  const refresh = () => {
    if (fetching || busy()) {
      behind = true;
      return;
    }
    fetching = true;
    behind = false;
    const asked = new XMLHttpRequest();
    const old = table();
    asked.open("GET", "/t/" + old.dataset.table + (old.dataset.code ? "?code=" + encodeURIComponent(old.dataset.code) : ""));
    asked.responseType = "document";
    asked.onloadend = () => {
      fetching = false;
      const next = asked.status === 200 && asked.response && asked.response.getElementById("table");
      if (!next) {
        if (asked.status === 404 || asked.status === 403) location.reload();
        return;
      }
      document.title = asked.response.title;
      if (Number(next.dataset.seq) > Number(table().dataset.seq)) swap(next);
      if (behind) refresh();
    };
    asked.send();
  };

  const listen = () => {
    const { table: id, seq, code } = table().dataset;
    const socket = new WebSocket(location.origin.replace(/^http/, "ws") + "/ws");
    socket.onopen = () => {
      document.documentElement.classList.add("live");
      const hello = { type: "hello", protocol: 1, table: id, since: Number(seq), words: false };
      if (code) hello.code = code;
      socket.send(JSON.stringify(hello));
    };
    socket.onmessage = (message) => {
      wait = 500;
      const frame = JSON.parse(message.data);
      if (Number(frame.seq) > Number(table().dataset.seq)) refresh();
    };
    socket.onclose = () => {
      document.documentElement.classList.remove("live");
      setTimeout(() => { refresh(); listen(); }, wait);
      wait = Math.min(2 * wait, 15000);
    };
  };

  // The turn clock: counted down from what the page said when it came.
  const tick = () => {
    const shown = document.querySelector("[data-left]");
    if (!shown) return;
    const left = Math.max(0, Math.ceil(Number(shown.dataset.left) - (performance.now() - began) / 1000));
    const text = Math.floor(left / 60) + ":" + String(left % 60).padStart(2, "0");
    if (shown.textContent !== text) shown.textContent = text;
  };
  setInterval(tick, 250);

  document.addEventListener("focusout", () => setTimeout(() => { if (behind) refresh(); }, 50));
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
  window.addEventListener("pageshow", (event) => { if (event.persisted) refresh(); });
  if (table()) {
    listen();
    setTimeout(() => { news.textContent = table().dataset.news; }, 300); // told anew after one's own action
  }
})();
