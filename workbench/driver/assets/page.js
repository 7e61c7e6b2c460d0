"use strict";
(() => {
  const key = new URLSearchParams(location.search).get("key");
  const at = (id) => document.getElementById(id);
  const ask = (path, values, method) =>
    fetch(path + "?" + new URLSearchParams({ key, ...values }), { method: method || "GET" });
  const ink = getComputedStyle(document.body).getPropertyValue("--ink").trim();
  const grid = getComputedStyle(document.body).getPropertyValue("--line").trim();
  const colours = ["#1c6fb8", "#d1662b", "#2e8b57", "#8e5bb5", "#b3261e", "#7a7a1f", "#0f8b8d", "#c2417c"];
  const points = [];
  const plots = [];

  const digits = (value, n) => (value == null ? "–" : value.toFixed(n === undefined ? 1 : n));
  const clock = (s) => {
    const whole = Math.round(s), two = (n) => String(n).padStart(2, "0");
    return (whole >= 3600 ? Math.floor(whole / 3600) + ":" : "") + two(Math.floor(whole / 60) % 60) + ":" + two(whole % 60);
  };

  /* One plot: its heading, its lines as [label, colour, width, point → value]. */
  const plot = (heading, lines) => {
    const box = document.createElement("section");
    const title = document.createElement("h2");
    title.textContent = heading;
    box.append(title);
    at("plots").append(box);
    const axis = (side) => ({ side, stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid } });
    const series = lines.map(([label, stroke, width]) => ({
      label, stroke, width, spanGaps: true, value: (_, v) => digits(v),
    }));
    const made = new uPlot({
      width: box.clientWidth, height: 240, scales: { x: { time: false }, y: { range: (_, low, high) => [0, high > 0 ? high * 1.05 : 1] } },
      axes: [{ ...axis(2), values: (_, ticks) => ticks.map(clock) }, { ...axis(3), size: 64 }],
      series: [{ label: "time", value: (_, v) => (v == null ? "–" : clock(v)) }, ...series],
    }, [[], ...lines.map(() => [])], box);
    plots.push({ made, box, of: lines.map((line) => line[3]) });
  };

  const begin = (state) => {
    state.names.forEach((name, number) => {
      const percentile = (which) => (point) => point.times[number] && point.times[number][which];
      plot(name + ": ms", [
        ["p50", colours[2], 1.5, percentile(0)],
        ["p95", colours[0], 2, percentile(1)],
        ["p99", colours[1], 1.5, percentile(2)],
      ]);
    });
    plot("Requests and errors a second", [
      ["requests", colours[0], 2, (point) => point.requests_per_s],
      ["errors", colours[4], 2, (point) => point.errors_per_s],
    ]);
    plot(state.open ? "Users at work, iterations due a second" : "Users at work", [
      ["users", colours[3], 2, (point) => point.users],
      ...(state.open ? [["due", colours[1], 1.5, (point) => point.rate]] : []),
    ]);
  };

  const draw = () => {
    const x = points.map((point) => point.at_s);
    for (const one of plots) one.made.setData([x, ...one.of.map((value) => points.map(value))]);
  };

  const table = (state) => {
    const row = (cells, tag) => {
      const line = document.createElement("tr");
      for (const text of cells) {
        const cell = document.createElement(tag);
        cell.textContent = text;
        line.append(cell);
      }
      return line;
    };
    const rows = state.names.map((name, number) => {
      const f = state.figures[number];
      return row([name, f.samples, f.errors, digits(f.average_ms), digits(f.p50_ms), digits(f.p95_ms), digits(f.p99_ms), digits(f.maximum_ms)], "td");
    });
    at("figures").replaceChildren(
      row(["times in ms, all so far", "samples", "errors", "average", "p50", "p95", "p99", "max"], "th"), ...rows);
  };

  const told = {
    waiting: "Waits for Start.", begins: "Begins: logs in and reads test data.", over: "Over. The report is being written, or is.",
  };

  const second = async () => {
    let answer;
    try {
      const after = points.length ? points[points.length - 1].at_s : -1;
      answer = await (await ask("/live", { after })).json();
    } catch (_) {
      at("now").textContent = "The program has ended.";
      for (const id of ["start", "stop", "set", "planned"]) at(id).disabled = true;
      return;
    }
    const state = answer.state;
    points.push(...answer.points);
    at("start").hidden = state.phase !== "waiting";
    at("stop").disabled = state.phase === "over";
    for (const id of ["set", "planned", "users"]) at(id).disabled = state.open || state.phase !== "runs";
    at("now").textContent = told[state.phase] ||
      clock(state.elapsed_s) + " of " + clock(state.whole_s) + (state.stages > 1 ? ", stage " + state.stage + " of " + state.stages : "") +
      " · " + state.users + " users at work, " + state.wanted + " wanted · " + state.requests + " requests, " + state.errors + " errors";
    at("done").value = state.whole_s ? Math.min(1, state.elapsed_s / state.whole_s) : 0;
    if (state.names.length && !plots.length) begin(state);
    if (state.names.length) table(state);
    if (answer.points.length) draw();
    setTimeout(second, 1000);
  };

  const press = (id, path, values) => at(id).addEventListener("click", async () => {
    const answer = await ask(path, values ? values() : {}, "POST");
    at("told").textContent = answer.ok ? "" : await answer.text();
  });
  press("start", "/start");
  press("stop", "/stop");
  press("set", "/users", () => ({ users: at("users").value || "0" }));
  press("planned", "/users");
  addEventListener("resize", () => plots.forEach(({ made, box }) => made.setSize({ width: box.clientWidth, height: 240 })));
  second();
})();
