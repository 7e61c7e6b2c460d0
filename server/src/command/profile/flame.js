"use strict";
(() => {
  const svg = document.documentElement;
  const margin = Number(svg.dataset.margin);
  const inner = svg.viewBox.baseVal.width - 2 * margin;
  const details = document.getElementById("details");
  const found = document.getElementById("found");
  const frames = [...document.querySelectorAll(".f")].map((g) => {
    const title = g.querySelector("title").textContent;
    const rect = g.querySelector("rect");
    return {
      g, rect, title, label: g.querySelector("text"), fill: rect.getAttribute("fill"),
      name: title.slice(0, title.lastIndexOf(" (")),
      x: Number(g.dataset.x), w: Number(g.dataset.w), d: Number(g.dataset.d),
    };
  });
  const whole = { x: 0, w: 1, d: 0 };

  // Shows `chosen` as wide as the picture: what it called keeps its share, its callers fill the row.
  const show = (chosen) => {
    for (const f of frames) {
      const caller = f.d < chosen.d && f.x <= chosen.x + 1e-9 && f.x + f.w >= chosen.x + chosen.w - 1e-9;
      const inside = f.d >= chosen.d && f.x >= chosen.x - 1e-9 && f.x + f.w <= chosen.x + chosen.w + 1e-9;
      f.g.style.display = caller || inside ? "" : "none";
      if (!caller && !inside) continue;
      const x = caller ? 0 : (f.x - chosen.x) / chosen.w;
      const w = caller ? 1 : f.w / chosen.w;
      f.rect.setAttribute("x", margin + x * inner);
      f.rect.setAttribute("width", Math.max(w * inner, 0.3));
      f.rect.style.opacity = caller ? 0.5 : "";
      f.label.setAttribute("x", margin + x * inner + 3);
      const room = Math.floor((w * inner - 6) / 6.7);
      f.label.textContent = room < 3 ? "" : f.name.length <= room ? f.name : f.name.slice(0, room - 1) + "…";
    }
  };

  // Marks all whose name has the text, and says how much of the whole is in them or what they call.
  const search = () => {
    const text = prompt("Part of a function's name (nothing: end the search)", "");
    if (text === null) return;
    const wanted = text.toLowerCase();
    const hits = [];
    for (const f of frames) {
      const hit = wanted !== "" && f.name.toLowerCase().includes(wanted);
      f.rect.setAttribute("fill", hit ? "#d63cd6" : f.fill);
      if (hit) hits.push(f);
    }
    hits.sort((a, b) => a.x - b.x || a.d - b.d);
    let end = 0, share = 0;
    for (const f of hits) {
      if (f.x + f.w <= end + 1e-9) continue;
      share += f.x + f.w - Math.max(end, f.x);
      end = f.x + f.w;
    }
    found.textContent = wanted === "" ? "" : `${text}: ${(100 * share).toFixed(2)} %`;
  };

  for (const f of frames) {
    f.g.addEventListener("click", () => show(f));
    f.g.addEventListener("mouseenter", () => { details.textContent = f.title; });
    f.g.addEventListener("mouseleave", () => { details.textContent = ""; });
  }
  document.getElementById("whole").addEventListener("click", () => show(whole));
  document.getElementById("search").addEventListener("click", search);
  addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "f") {
      event.preventDefault();
      search();
    } else if (event.key === "Escape") {
      show(whole);
    }
  });
})();
